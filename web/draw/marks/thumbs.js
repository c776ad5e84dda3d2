/* thumbs - a mark: small pictures in a grid, a button each on the page, with numbers of rows and
 * columns. A canvas gets them point by point at the resolution of the screen, a file as images of
 * the same points. A tint is a frame around a picture. Whoever uses it says what is shown and what
 * a press does; pointing at one and focusing it is the page's affair (figure/figure.js).
 *
 *        over           heads of columns, with brackets over those that belong together
 *      corner 0 1 2
 *           0 ▪ ▪ ▪     a row has a name, or each picture a caption
 */
import {Component, h} from 'preact';
import {buttonOf} from '../button.js';
import {channels} from '../colour.js';
import {cornerOf, walkGrid} from '../grid.js';
import {paperOf} from '../paper.js';
import {imageOf, tintPixels} from './picture.js';

/**
 * @typedef {import('../grid.js').Grid & {thumb: number, frame: number, width: number, height:
 *     number}} Layout   thumb: side of a picture with its frame; frame: width of that
 * @typedef {{index: number, colour: string, tint: string, name: string, caption: string | number, card?:
 *     string}} Thumb
 *   index: of its picture, and of its spot; colour: a hex one; tint: of the frame, '' without;
 *   name: said of it; card: the head whose card opens at it, 'layer.head'; caption: below it, '' where row and column say which it is
 * @typedef {{from: number, to: number, title: string}} Bracket   columns from..to
 * @typedef {{side: string, layout: Layout, cells: Thumb[], pictures: import('./picture.js').Pictures
 *     | null, columns: (string | number)[], rows: (string | number)[], brackets: Bracket[], label:
 *     string, corner: string, over: string, theme: string, onPress: (cell: Thumb, props: any) =>
 *     void}} Given   side: of the spots; pictures: null while they are computed; columns, rows: their
 *     names, [] without; label: of the whole; corner, over: what rows and columns are
 * @typedef {{given: Given, stop: number, press: (cell: Thumb) => void}} CellsProps   stop: the index
 *     that Tab reaches
 */

const NUMBER = 20; // height of a number above a column
const GROUND = {light: '#f4f5f7', dark: '#1e2128'};

/** What lies below the ink. @param {string} theme */
export const groundOf = theme => (theme === 'dark' ? GROUND.dark : GROUND.light);

const px = (/** @type {number} */ n) => `${n}px`;
/** @param {number} x @param {number} y @param {number} width @param {number} height */
const box = (x, y, width, height) => ({
    ...{left: px(x), top: px(y)},
    ...{width: px(width), height: px(height)},
});

/** Draws pictures begin..end that cross the band. @param {CanvasRenderingContext2D} context
 * @param {Given} given @param {number[]} band @param {number} begin @param {number} end */
function paint(context, {cells, layout, pictures, theme}, [top, bottom], begin, end) {
    if (!pictures) return;
    const {thumb, frame} = layout;
    const ground = channels(groundOf(theme));
    const {a: scale, f: shift} = context.getTransform();
    const inset = Math.round(frame * scale);
    const side = Math.round(thumb * scale) - 2 * inset;
    const image = context.createImageData(side, side);
    for (let i = begin; i < end; i++) {
        const {x, y} = cornerOf(layout, i);
        if (y > bottom || y + thumb < top) continue;
        const [left, upper] = [Math.round(x * scale), Math.round(y * scale + shift)];
        const {index, colour, tint} = cells[i];
        if (tint) {
            context.fillStyle = tint;
            context.fillRect(left / scale, (upper - shift) / scale, thumb, thumb);
        }
        tintPixels(pictures.ink(index, side), channels(colour), ground, image.data);
        context.putImageData(image, left + inset, upper + inset);
    }
}

/** The names of the columns above them. @param {{given: Given}} props */
const Header = ({given: {layout, columns, brackets, corner, over}}) =>
    h(
        'div',
        {role: 'row'},
        h('span', {role: 'columnheader', class: 'corner'}, corner),
        h(
            'span',
            {
                ...{class: 'over', 'aria-hidden': true},
                style: {left: px(layout.left), width: px(layout.thumb)},
            },
            over,
        ),
        columns.map((name, i) =>
            h(
                'span',
                {
                    ...{key: name, role: 'columnheader', class: 'head-number'},
                    style: box(cornerOf(layout, i).x, layout.top - NUMBER, layout.thumb, NUMBER),
                },
                h('span', {class: 'hidden'}, `${over} `),
                name,
            ),
        ),
        brackets.map(({from, to, title}) =>
            h('span', {
                ...{key: `from ${from}`, class: 'key-bracket', title},
                style: box(
                    cornerOf(layout, from).x,
                    layout.top - NUMBER + 1,
                    (to - from) * layout.pitch + layout.thumb,
                    4,
                ),
            }),
        ),
    );

/** @param {{i: number} & CellsProps} props */
function Button({i, given: {side, cells, layout}, stop, press}) {
    const {index, name, caption} = cells[i];
    const {x, y} = cornerOf(layout, i);
    return buttonOf(
        'thumb',
        {
            role: 'gridcell',
            ...{'data-side': side, 'data-index': index},
            tabIndex: index === stop ? 0 : -1,
            'data-card': cells[i].card,
            'aria-label': caption === '' ? name : `${caption} (${name})`,
            style: box(x, y, layout.pitch, layout.rowHeight),
            onClick: (/** @type {MouseEvent} */ event) => {
                event.stopPropagation();
                press(cells[i]);
            },
        },
        caption !== '' && h('span', {class: 'caption', style: {width: px(layout.thumb)}}, caption),
    );
}

/** Made anew only when what is shown or the tab stop changes, not while pointing.
 * @extends {Component<CellsProps>} */
class Cells extends Component {
    /** @param {CellsProps} next */
    shouldComponentUpdate({given, stop}) {
        return given !== this.props.given || stop !== this.props.stop;
    }

    walk = (/** @type {any} */ event) => walkGrid(event, this.props.given.layout.columns);

    /** @param {CellsProps} props */
    render(props) {
        const {columns, thumb, left, top, rowHeight} = props.given.layout;
        const {cells, rows, label, corner} = props.given;
        const rowName = (/** @type {number} */ row) =>
            h(
                'span',
                {
                    ...{role: 'rowheader', class: 'layer-number'},
                    style: box(0, top + row * rowHeight, left, thumb),
                },
                h('span', {class: 'hidden'}, `${corner} `),
                rows[row],
            );
        const line = (/** @type {number} */ row) =>
            h(
                'div',
                {key: row, role: 'row'},
                rows.length > 0 && rowName(row),
                cells
                    .slice(row * columns, (row + 1) * columns)
                    .map(({index}, i) => h(Button, {key: index, ...props, i: row * columns + i})),
            );
        return h(
            'div',
            {
                ...{role: 'grid', 'aria-label': label, onKeyDown: this.walk},
                style: {'--thumb': px(thumb)},
            },
            props.given.columns.length > 0 && h(Header, props),
            Array.from({length: Math.ceil(cells.length / columns)}, (_, row) => line(row)),
        );
    }
}

/** @extends {Component<any>} */
class Thumbs extends Component {
    press = (/** @type {Thumb} */ cell) => this.props.mark.onPress(cell, this.props);

    /** @param {any} props */
    render({mark, data: {cursor}}) {
        const held = cursor?.side === mark.side ? cursor.index : -1;
        const known = mark.cells.some((/** @type {Thumb} */ {index}) => index === held);
        return h(Cells, {
            given: mark,
            stop: known ? held : mark.cells[0]?.index,
            press: this.press,
        });
    }
}

/** Names of rows and columns, and captions. @param {Given} given */
function labelsSvg({layout, cells, columns, rows, brackets, theme}) {
    const {left, top, pitch, rowHeight, thumb} = layout;
    const half = thumb / 2;
    const {soft} = paperOf(theme);
    const text = (
        /** @type {number} */ x,
        /** @type {number} */ y,
        /** @type {string | number} */ label,
    ) => h('text', {key: `${x} ${y}`, x, y, 'text-anchor': 'middle'}, label);
    const bracket = (/** @type {Bracket} */ {from, to}) => {
        const [y, x0, x1] = [top - 19, left + from * pitch, left + to * pitch + thumb];
        const d = `M${x0} ${y + 4}V${y}H${x1}V${y + 4}`;
        return h('path', {d, fill: 'none', stroke: soft});
    };
    const caption = (/** @type {Thumb} */ cell, /** @type {number} */ i) => {
        const {x, y} = cornerOf(layout, i);
        return cell.caption !== '' && text(x + half, y + thumb + 12, cell.caption);
    };
    return h(
        'g',
        {fill: soft, 'font-size': 11},
        columns.map((name, i) => text(left + i * pitch + half, top - 6, name)),
        brackets.map(bracket),
        rows.map((name, row) => text(left / 2, top + row * rowHeight + half + 4, name)),
        cells.map(caption),
    );
}

/** A picture in a file: the points that a screen with two a pixel has.
 * @param {Given} given @param {number} i */
function thumbSvg({cells, layout, pictures, theme}, i) {
    const {index, colour, tint} = cells[i];
    const {x, y} = cornerOf(layout, i);
    const {thumb, frame} = layout;
    const [side, ground] = [thumb - 2 * frame, groundOf(theme)];
    const ink = pictures?.ink(index, pictures.points(2 * side));
    return h(
        'g',
        {key: index, transform: `translate(${x} ${y})`},
        tint && h('rect', {width: thumb, height: thumb, fill: tint}),
        ink &&
            h('image', {
                ...{x: frame, y: frame, width: side, height: side},
                href: imageOf(ink, channels(colour), channels(ground)),
                'image-rendering': pictures?.smooth ? undefined : 'pixelated',
            }),
    );
}

/** @type {import('../plot.js').MarkKind} */
const THUMBS = {
    count: ({cells}) => cells.length,
    paint: (context, mark, band, begin, end) =>
        paint(context, /** @type {any} */ (mark), band, begin, end),
    svg: (/** @type {any} */ mark) => [
        labelsSvg(mark),
        mark.cells.map((/** @type {Thumb} */ _, /** @type {number} */ i) => thumbSvg(mark, i)),
    ],
    Html: Thumbs,
};

/** @param {Given} given @returns {import('../plot.js').Mark} */
export const thumbs = given => ({kind: THUMBS, ...given});

/** @type {import('../plot.js').MarkKind} */
const THUMB_FRAME = {
    Html({mark: {layout, place}}) {
        const {x, y} = cornerOf(layout, place);
        const [width, height] = [px(layout.thumb), px(layout.thumb)];
        const style = {width, height, transform: `translate(${x}px, ${y}px)`};
        return h('div', {class: 'thumb-mark', style});
    },
};

/** A frame around the picture at a place, on the page. @param {{layout: Layout, place: number}} given
 * @returns {import('../plot.js').Mark} */
export const thumbFrame = given => ({kind: THUMB_FRAME, ...given});
