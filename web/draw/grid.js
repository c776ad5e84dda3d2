/* grid - the places of the cells of a grid that is filled in reading order, and where arrow keys
 * lead: from one of its buttons to another, or a step on a map that is one surface.
 */

/** @typedef {{columns: number, pitch: number, rowHeight: number, left: number, top: number}} Grid
 *   pitch, rowHeight: from one cell to the next; left, top: of the first */

/** Upper left corner of the i-th cell. @param {Grid} grid @param {number} i */
export const cornerOf = ({columns, pitch, rowHeight, left, top}, i) => ({
    x: left + (i % columns) * pitch,
    y: top + Math.floor(i / columns) * rowHeight,
});

const ARROWS = new Map([
    ['ArrowRight', [1, 0]],
    ['ArrowLeft', [-1, 0]],
    ['ArrowDown', [0, 1]],
    ['ArrowUp', [0, -1]],
]);

/** The step of an arrow key, [across, down]; undefined for another key, and with one that makes it the
 * browser's. @param {KeyboardEvent} event */
export const stepOf = ({key, altKey, ctrlKey, metaKey}) =>
    altKey || ctrlKey || metaKey ? undefined : ARROWS.get(key);

/** Does a key press what the focus is on? @param {KeyboardEvent} event */
export const isPress = ({key, altKey, ctrlKey, metaKey}) =>
    !(altKey || ctrlKey || metaKey) && (key === 'Enter' || key === ' ');

/** @type {Record<string, (i: number, row: number, columns: number, count: number) => number>} */
const MOVES = {
    ArrowLeft: (i, row, columns) => Math.max(row * columns, i - 1),
    ArrowRight: (i, row, columns) => Math.min((row + 1) * columns - 1, i + 1),
    ArrowUp: (i, row, columns) => (i >= columns ? i - columns : i),
    ArrowDown: (i, row, columns, count) => (i + columns < count ? i + columns : i),
    Home: (i, row, columns) => row * columns,
    End: (i, row, columns) => (row + 1) * columns - 1,
};

/** The cell that a key leads to from the i-th, or -1 for another key. @param {string} key
 * @param {number} i @param {number} columns @param {number} count
 * @param {boolean} whole Home and End go to the first and last of all */
export function moveOnGrid(key, i, columns, count, whole) {
    if (!Object.hasOwn(MOVES, key)) return -1;
    if (whole && key === 'Home') return 0;
    if (whole && key === 'End') return count - 1;
    return Math.min(count - 1, MOVES[key](i, Math.floor(i / columns), columns, count));
}

/** Moves the focus among the buttons of a grid; up and down are no keys of a single row.
 * @param {KeyboardEvent} event on what holds them, in reading order @param {number} columns */
export function walkGrid(event, columns) {
    const all = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('button')];
    const from = all.findIndex(one => one === event.target);
    if (from < 0 || event.altKey || event.metaKey) return;
    if (all.length <= columns && ARROWS.get(event.key)?.[1]) return;
    const to = moveOnGrid(event.key, from, columns, all.length, event.ctrlKey);
    if (to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    all[to].focus({focusVisible: true});
}
