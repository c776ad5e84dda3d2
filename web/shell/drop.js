/* drop - files or a folder dropped anywhere on the page. While they are held over it a frame says what
 * may be dropped. To a single text one file is attention of the reader's own, several with a
 * config.json are a model; the page of studies takes a corpus. It is fetched once the page is there. */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

const hasFiles = (/** @type {DragEvent} */ event) =>
    event.dataTransfer?.types.includes('Files') ?? false;

// a model, or what is refused as one with the reason
const MODEL = /^(config|adapter_config)\.json$|\.(bin|pt|pth|ckpt|gguf|onnx|h5|msgpack)$/i;

/** One file is attention; a folder, or what looks like a model, is a model: also a folder in which a browser shows
 * nothing. @param {File[]} files @param {(files: File[]) => void} onModel
 * @param {(file: File) => void} onImported */
export function takeFiles(files, onModel, onImported) {
    const isFolder = files.length > 1 && files.some(file => file.webkitRelativePath?.includes('/'));
    if (!files.length || isFolder || files.some(({name}) => MODEL.test(name))) onModel(files);
    else onImported(files[0]);
}

/** What has been dropped. Entries must be asked for before the event is over.
 * @param {DragEvent} event @returns {Promise<File[]>} */
async function droppedFiles({dataTransfer}) {
    const files = [...(dataTransfer?.files ?? [])];
    const entries = [...(dataTransfer?.items ?? [])].map(item => item.webkitGetAsEntry?.());
    if (!entries.some(entry => entry?.isDirectory)) return files;
    return (await import('./dropped_folder.js')).filesIn(entries);
}

/** @param {{say: string, take: (files: File[], on: Element) => void}} props   on: what they were
 *     dropped on */
export function Drop({say, take}) {
    const [over, setOver] = useState(false);
    const latest = useRef(take);
    latest.current = take;
    useEffect(() => {
        const enter = (/** @type {DragEvent} */ event) => {
            if (!hasFiles(event)) return;
            event.preventDefault(); // else the browser would open the file in place of the page
            setOver(true);
        };
        const leave = (/** @type {DragEvent} */ event) => {
            if (!event.relatedTarget) setOver(false);
        };
        const drop = (/** @type {DragEvent} */ event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            setOver(false);
            const on = /** @type {Element} */ (event.target);
            droppedFiles(event).then(files => latest.current(files, on));
        };
        const gone = new AbortController();
        for (const [type, listen] of Object.entries({
            dragenter: enter,
            dragover: enter,
            dragleave: leave,
            drop,
        }))
            document.addEventListener(type, /** @type {EventListener} */ (listen), {
                signal: gone.signal,
            });
        return () => gone.abort();
    }, []);
    return over ? h('div', {class: 'drop', 'aria-hidden': true}, h('p', null, say)) : null;
}
