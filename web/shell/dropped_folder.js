/* dropped_folder - the files of folders that were dropped on the page, with their paths, as a folder
 * chosen by a button brings them: of a model's folder those that lie below it count as well
 * (1_Pooling/config.json). Fetched with the first folder.
 */

const DEEP = 4; // folders in folders: a model's files lie at most in a folder of a snapshot
const MOST = 1000; // files; who drops more has not dropped a model

/** An entry calls back; a list of entries comes in parts, until one is empty.
 * @param {FileSystemDirectoryEntry} folder @returns {Promise<FileSystemEntry[]>} */
async function entriesOf(folder) {
    const reader = folder.createReader();
    const all = [];
    for (;;) {
        /** @type {FileSystemEntry[]} */
        const some = await new Promise((done, fail) => reader.readEntries(done, fail));
        if (!some.length) return all;
        all.push(...some);
    }
}

/** @param {FileSystemEntry} entry @param {File[]} found @param {number} depth */
async function walk(entry, found, depth) {
    if (found.length >= MOST || entry.name.startsWith('.')) return;
    if (entry.isDirectory) {
        if (depth === DEEP) return;
        const folder = /** @type {FileSystemDirectoryEntry} */ (entry);
        for (const one of await entriesOf(folder)) await walk(one, found, depth + 1);
        return;
    }
    /** @type {File} */
    const file = await new Promise((done, fail) =>
        /** @type {FileSystemFileEntry} */ (entry).file(done, fail),
    );
    // The browser writes the path only where the folder was chosen by a button.
    found.push(Object.defineProperty(file, 'webkitRelativePath', {value: entry.fullPath.slice(1)}));
}

/** What cannot be read is left out: the model then says what is missing.
 * @param {(FileSystemEntry | null | undefined)[]} entries */
export async function filesIn(entries) {
    /** @type {File[]} */
    const found = [];
    for (const entry of entries) if (entry) await walk(entry, found, 0).catch(() => {});
    return found;
}
