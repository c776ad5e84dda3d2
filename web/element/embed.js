/* embed - fills a frame with one <head-light> and tells its height to the page around, which is no
 * secret and so may go to any origin: {type: 'headlight-size', height} in px, at most once a frame
 * of the screen and only when it has changed.
 */

/** The JSON of a precomputed figure, or a text that is none and is refused with a sentence.
 * @param {string} base64url */
function textOf(base64url) {
    try {
        const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
        return new TextDecoder().decode(Uint8Array.from(binary, c => c.charCodeAt(0)));
    } catch {
        return 'not base64';
    }
}

/** @param {Element} element */
export function tellHeight(element) {
    let [told, due] = [0, 0];
    const tell = () => {
        due = 0;
        const height = Math.ceil(element.getBoundingClientRect().height);
        if (height !== told) parent.postMessage({type: 'headlight-size', height}, '*');
        told = height;
    };
    new ResizeObserver(() => {
        due ||= requestAnimationFrame(tell);
    }).observe(element);
}

/** @param {() => {figure: string, state: import('../state/state.js').State}} read */
export function fillFrame(read) {
    const element = /** @type {import('./element.js').HeadLight} */ (
        document.createElement('head-light')
    );
    // Until it is drawn it fills the frame: it starts when seen, and of a tall frame perhaps only
    // the lower part is.
    element.style.minHeight = '100vh';
    for (const event of ['headlight-ready', 'headlight-error'])
        element.addEventListener(event, () => {
            element.style.minHeight = '';
        });
    const json = document.createElement('script');
    json.type = 'application/json';
    const follow = () => {
        const {figure, state} = read();
        element.assign(state);
        // without one it has that of embed.html
        if (state.lang) element.lang = state.lang;
        else element.removeAttribute('lang');
        json.remove();
        json.textContent = figure && textOf(figure);
        if (figure) element.append(json);
    };
    customElements.whenDefined('head-light').then(() => {
        customElements.upgrade(element);
        follow();
        document.body.append(element);
        if (parent !== globalThis.window) tellHeight(element);
        addEventListener('hashchange', follow);
    });
}
