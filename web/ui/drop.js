/* drop - files dropped anywhere on the page: one file is attention of the reader's own, several with a config.json are a
 * model. While files are held over the page a frame says what may be dropped. */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';

const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;

/** @param {import('./session.js').Session} session @param {File[]} files */
function take(session, files) {
    if (files.some(({name}) => name === 'config.json')) session.open(files);
    else if (files.length) session.openOwn(files[0]);
}

/** @param {{t: import('./app.js').Texts, session: import('./session.js').Session}} props */
export function Drop({t, session}) {
    const [over, setOver] = useState(false);
    useEffect(() => {
        const enter = (/** @type {DragEvent} */ event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();   // else the browser would open the file in place of the page
            setOver(true);
        };
        const leave = (/** @type {DragEvent} */ event) => { if (!event.relatedTarget) setOver(false); };
        const drop = (/** @type {DragEvent} */ event) => {
            if (!hasFiles(event)) return;
            event.preventDefault();
            setOver(false);
            take(session, [...event.dataTransfer?.files ?? []]);
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
    }, [session]);
    return over ? h('div', {class: 'drop', 'aria-hidden': true}, h('p', null, t.own.drop)) : null;
}
