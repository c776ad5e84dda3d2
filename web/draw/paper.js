/* paper - the colours of a page or a saved file that belong to no head and no number: ink, paper,
 * hair lines. They are those of style.css, written out: a canvas and a file have no sheet.
 */

const PAPER = {
    light: {
        ink: '#1d1f24',
        soft: '#5a606b',
        page: '#ffffff',
        hair: '#dfe2e7',
        bar: '#1f5fbf',
        query: '#6a3fb5',
    },
    dark: {
        ink: '#e6e7ea',
        soft: '#a6acb8',
        page: '#15171c',
        hair: '#333842',
        bar: '#7fb2ff',
        query: '#b79cf2',
    },
};

/** @typedef {typeof PAPER.light} Paper */

/** @param {string} theme @returns {Paper} */
export const paperOf = theme => (theme === 'dark' ? PAPER.dark : PAPER.light);

/** Of a picture that a page takes in: whatever is around, it stays as drawn, from left to right; what a translation
 * would put into it is HTML, which no SVG shows. */
export const ALONE = {direction: 'ltr', translate: 'no'};
