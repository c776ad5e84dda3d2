/* column - a column of tokens in a plot: on the page one button per token, with the token's text,
 * struck through when [MASK] replaces it, and on request the word that the model predicts there. In
 * a file the same as text, cut to the width of the column.
 */
import {Component, h} from 'preact';
import {remember} from '../memo.js';
import {ROW} from '../tokens.js';

/**
 * @typedef {{piece: string, kind: string}} Word   kind: '', 'same' where it is the token that stands
 *     there, 'label' of a label, 'under' where it stands below it
 * @typedef {{index: number, last: number, piece: string, special?: boolean, masked: number, word?:
 *     Word}} Label   what stands in a row: tokens index..last; masked: how many of them are masked
 * @typedef {{side: string, labels: Label[], box: number, gutter: number, label: string, x:
 *     number}} Given   box: width of the column; gutter: its distance from the edge; label: its name; x:
 *     where the text of a file is set
 * @typedef {Given & {stop: number, picked: readonly number[]}} Props   stop: the position that Tab reaches, -1
 *     for the first; picked: positions that are pinned
 * @typedef {Pick<Props, 'labels' | 'side' | 'stop' | 'picked'> & {at: number}} ChunkProps
 */

/** What stands there when pieces of it are masked. @param {number} count */
export const maskLabel = count => (count === 1 ? '[MASK]' : `[MASK] ×${count}`);

/** @param {{label: Label}} props */
const Token = ({label: {piece, special, masked, word}}) => [
    word && h('bdi', {key: 'word', class: `filling ${word.kind}`}, word.piece),
    masked > 0
        ? h('s', {key: 'piece', class: 'was'}, h('bdi', null, piece))
        : h('bdi', {key: 'piece', class: special ? 'piece special' : 'piece'}, piece),
    masked > 0 && h('bdi', {key: 'mask', class: 'piece masked'}, maskLabel(masked)),
];

const CHUNK = 64; // rows that are laid out together, near the window only (style.css)
const FIRST = 8; // chunks made at once; each further one in its turn, so that the page answers meanwhile

/** @type {(labels: Label[]) => Label[][]} */
const chunksOf = remember(labels =>
    Array.from({length: Math.ceil(labels.length / CHUNK)}, (_, i) =>
        labels.slice(i * CHUNK, (i + 1) * CHUNK),
    ),
);

/** Made anew only when something of its own changes: not while pointing, and not with another layer,
 * whose labels are others and say the same.
 * @extends {Component<ChunkProps>} */
class Chunk extends Component {
    made = /** @type {ChunkProps} */ (this.props).at < FIRST;

    componentDidMount() {
        if (this.made) return;
        setTimeout(() => {
            this.made = true;
            this.forceUpdate();
        });
    }

    /** @param {ChunkProps} next */
    shouldComponentUpdate(next) {
        return /** @type {(keyof ChunkProps)[]} */ (Object.keys(next)).some(
            name =>
                next[name] !== this.props[name] &&
                JSON.stringify(next[name]) !== JSON.stringify(this.props[name]),
        );
    }

    /** @param {ChunkProps} props */
    render({labels, side, stop, picked}) {
        const button = (/** @type {Label} */ label) =>
            h(
                'button',
                {
                    key: label.index,
                    type: 'button',
                    class: 'token',
                    'data-side': side,
                    'data-index': label.index,
                    'data-last': label.last,
                    tabIndex: label.index === stop ? 0 : -1,
                    'aria-pressed': picked.some(at => label.index <= at && at <= label.last),
                    title: label.piece,
                    style: {height: `${ROW}px`},
                },
                h(Token, {label}),
            );
        return h(
            'div',
            {class: 'chunk', style: {height: `${labels.length * ROW}px`}},
            this.made && labels.map(button),
        );
    }
}

/** @param {Props} props */
function Column({labels, side, stop, picked, box, gutter, label: name}) {
    const reached =
        labels.find(({index, last}) => index <= stop && stop <= last)?.index ?? labels[0]?.index;
    return h(
        'div',
        {
            class: `column ${side}`,
            role: 'group',
            'aria-label': name,
            style: {width: `${box}px`, [side === 'query' ? 'left' : 'right']: `${gutter}px`},
        },
        chunksOf(labels).map((chunk, at) => {
            const holds = (/** @type {number} */ token) =>
                chunk[0].index <= token && token <= chunk[chunk.length - 1].last;
            return h(Chunk, {
                ...{key: at, at, labels: chunk, side},
                stop: holds(reached) ? reached : -1,
                picked: picked.filter(holds),
            });
        }),
    );
}

/** @type {import('../plot.js').MarkKind} */
export const COLUMN = {
    Html({mark, state, data: {cursor}}) {
        const {kind, ...given} = mark;
        return h(Column, {
            ...given,
            stop: cursor?.side === mark.side ? cursor.index : -1,
            picked: state.side === mark.side ? (state.picked ?? []) : [],
        });
    },
};

/** @param {Given} given @returns {import('../plot.js').Mark} */
export const column = given => ({kind: COLUMN, ...given});

/** @type {import('../plot.js').MarkKind} */
const ROW_FRAME = {
    Html: ({mark: {side, row, box, gutter}}) =>
        h('div', {
            class: `mark ${side}`,
            style: {
                width: `${box}px`,
                height: `${ROW}px`,
                [side === 'query' ? 'left' : 'right']: `${gutter}px`,
                transform: `translateY(${row * ROW}px)`,
            },
        }),
};

/** A frame around a token of a column, on the page. @param {{side: string, row: number, box: number,
 *     gutter: number}} given @returns {import('../plot.js').Mark} */
export const rowFrame = given => ({kind: ROW_FRAME, ...given});
