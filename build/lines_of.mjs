/* lines_of - the sums of build/lines.mjs: the row in which each file counts, and the verdict on growth.
 */

export const SHIM = ['worker', 'engine'];

/** What a visit asks for before its first picture: the page, the script that stands in it, the worker and
 * the words of one language, with all that they import at once. What a press fetches is not in it. */
export const firstVisit = {
    entries: ['web/main.js', 'web/boot.js', 'web/worker/worker.js', 'web/words/en/page.js'],
    /** @param {Record<string, {imports: {path: string, kind: string}[]}>} inputs of esbuild's metafile
     * @returns {Set<string>} */
    closure(inputs) {
        const seen = new Set(firstVisit.entries);
        for (const file of seen)
            for (const {path, kind} of inputs[file]?.imports ?? [])
                if (kind === 'import-statement' && inputs[path]) seen.add(path);
        return new Set([...seen].filter(path => !path.includes('node_modules')));
    },
};

/** The room of a file: its folder below web/, with the files beside the rooms in one of their own. */
export const roomOf = path => /^web\/([\w-]+)\//.exec(path)?.[1] ?? '(entries)';

const isWords = path => path.startsWith('web/words/');
const ROWS = {
    'JavaScript, lines': ({path, lines}) => (path.endsWith('.js') && !isWords(path) ? lines : 0),
    'JavaScript, bytes minified': ({path, bytes}) => (isWords(path) ? 0 : bytes),
    'words, lines': ({path, lines}) => (isWords(path) ? lines : 0),
    'styles, lines': ({path, lines}) => (path.endsWith('.css') ? lines : 0),
    'data (JSON), lines': ({path, lines}) => (/\.(json|webmanifest)$/.test(path) ? lines : 0),
    'types (.d.ts), lines': ({path, lines}) => (path.endsWith('.d.ts') ? lines : 0),
};

/** @typedef {{path: string, lines: number, bytes: number}} File
 * @param {File[]} files @param {(file: File) => number} of */
const sum = (files, of) => files.reduce((all, file) => all + of(file), 0);

/** @param {File[]} files of web/ @param {Set<string>} visit those of a first visit
 * @returns {{whole: Record<string, number>, rooms: Record<string, Record<string, number>>}} */
export function sized(files, visit) {
    const whole = Object.fromEntries(
        Object.entries(ROWS).map(([name, of]) => [name, sum(files, of)]),
    );
    const shim = files.filter(({path}) => SHIM.includes(roomOf(path)));
    const first = files.filter(({path}) => visit.has(path) && path.endsWith('.js'));
    whole['shim (worker, engine), lines'] = sum(shim, ({lines}) => lines);
    whole['first visit, files'] = first.length;
    whole['first visit, lines'] = sum(first, ({lines}) => lines);
    whole['first visit, bytes minified'] = sum(first, ({bytes}) => bytes);
    const rooms = {};
    for (const room of [...new Set(files.map(({path}) => roomOf(path)))].sort()) {
        const own = files.filter(({path}) => roomOf(path) === room && path.endsWith('.js'));
        rooms[room] = {lines: sum(own, f => f.lines), bytes: sum(own, f => f.bytes)};
    }
    return {whole, rooms};
}

const signed = n => (n ? (n > 0 ? `+${n}` : `−${-n}`) : '±0');

/** A row for each sum of the whole, and for rooms that differ from the record (all with `rooms`).
 * Only the whole is judged: what moves between rooms has not grown.
 * @param {ReturnType<typeof sized>} now @param {ReturnType<typeof sized>} record
 * @param {{rooms?: boolean}} [options] @returns {{table: string, over: string[]}} */
export function verdict(now, record, {rooms = false} = {}) {
    const over = [];
    const lines = [];
    const row = (name, is, was = 0) =>
        lines.push(`  ${name.padEnd(32)}${String(is).padStart(9)}  ${signed(is - was)}`);
    for (const [name, is] of Object.entries(now.whole)) {
        const was = record.whole[name] ?? 0;
        row(name, is, was);
        if (is > was) over.push(`${name}: ${is}, ${is - was} more than build/lines.json allows`);
    }
    for (const room of new Set([...Object.keys(record.rooms), ...Object.keys(now.rooms)])) {
        const is = now.rooms[room] ?? {lines: 0, bytes: 0};
        const was = record.rooms[room] ?? {lines: 0, bytes: 0};
        if (!rooms && is.lines === was.lines && is.bytes === was.bytes) continue;
        row(`${room}/, lines`, is.lines, was.lines);
        row(`${room}/, bytes minified`, is.bytes, was.bytes);
    }
    return {table: `web/, against build/lines.json:\n${lines.join('\n')}`, over};
}
