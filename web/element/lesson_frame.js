/* lesson_frame - a lesson in someone's page: <head-light lesson="vig1"> shows the site's own page in a frame,
 * with nothing but the lesson and its figure (lesson.html), as tall as that says it is. `step` is the step that
 * it begins with, as in links. Part of the element's second file (odd.js).
 */
import {LESSONS, titleOf} from '../lessons/list.js';
import {defaults, formatHash, update} from '../state/state.js';
import {saidTheme} from './theme.js';

const HEIGHT = 640; // px, until the frame has said its own
const MOST = 1000; // px; a study is longer, and scrolls in its frame

/** @param {Element & Pick<import('./element.js').HeadLight, 'state'>} tag @param {string} lang */
function addressOf(tag, lang) {
    const {lesson, step, theme} = tag.state;
    const said = saidTheme(tag, theme);
    const hash = formatHash(update(defaults, {lesson, tour: step, lang}));
    return new URL(`lesson.html${hash}${said ? `&theme=${said}` : ''}`, import.meta.url).href;
}

/** It grows with the lesson, and keeps its height while its width stays: what is below does not move with every
 * step. @param {HTMLIFrameElement} frame */
function followHeight(frame) {
    let width = 0;
    addEventListener('message', ({source, data}) => {
        if (source !== frame.contentWindow || data?.type !== 'headlight-size') return;
        const before = frame.clientWidth === width ? frame.clientHeight : 0;
        width = frame.clientWidth;
        const height = Math.min(MOST, Math.ceil(Number(data.height)));
        if (height > before) frame.style.height = `${height}px`;
    });
}

/** @param {ShadowRoot} root */
function frameIn(root) {
    const frame = document.createElement('iframe');
    frame.style.cssText = `display:block;width:100%;height:${HEIGHT}px;border:0`;
    frame.setAttribute('part', 'figure');
    followHeight(frame);
    root.append(frame);
    return frame;
}

/** None where the tag names no lesson of ours; which there are is told in the browser's console.
 * @param {Element & Pick<import('./element.js').HeadLight, 'state'>} tag */
export function showLesson(tag) {
    const root = /** @type {ShadowRoot} */ (tag.shadowRoot);
    const before = root.querySelector('iframe');
    const known = LESSONS.find(({id}) => id === tag.state.lesson);
    if (!known) return before?.remove();
    const lang = tag.closest('[lang]')?.getAttribute('lang') ?? '';
    const [frame, address] = [before ?? frameIn(root), addressOf(tag, lang)];
    frame.title = `Headlight: ${titleOf(known.title, lang.slice(0, 2))}`;
    if (frame.src !== address) frame.src = address;
}
