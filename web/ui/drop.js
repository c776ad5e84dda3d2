/* drop - files dropped anywhere on the page. While files are held over it a frame says what may be
 * dropped. To a single text one file is attention of the reader's own, several with a config.json
 * are a model; the page of studies takes a corpus. */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';

const hasFiles = (/** @type {DragEvent} */ event) =>
    event.dataTransfer?.types.includes('Files') ?? false;

/** @param {File[]} files @param {(files: File[]) => void} onModel
 * @param {(file: File) => void} onImported */
export function takeFiles(files, onModel, onImported) {
    if (files.some(({name}) => name === 'config.json')) onModel(files);
    else if (files.length) onImported(files[0]);
}

/** @param {{say: string, take: (files: File[]) => void}} props */
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
            latest.current([...(event.dataTransfer?.files ?? [])]);
        };
        document.addEventListener('dragenter', enter);
        document.addEventListener('dragover', enter);
        document.addEventListener('dragleave', leave);
        document.addEventListener('drop', drop);
        return () => {
            document.removeEventListener('dragenter', enter);
            document.removeEventListener('dragover', enter);
            document.removeEventListener('dragleave', leave);
            document.removeEventListener('drop', drop);
        };
    }, []);
    return over ? h('div', {class: 'drop', 'aria-hidden': true}, h('p', null, say)) : null;
}
