/* long - the overlay of a text taller than the window: a switch that draws the whole text in the
 * height of the window, with as many of its tokens named as fit (Fit); and, while a token is
 * chosen, buttons at the window's upper and lower edge that say how many of the tokens its lines
 * lead to are out of sight, and lead there (Edges). Those counted are where the lines at rest lead,
 * not every faint one that is drawn of a chosen token. On the page only; shorter texts have none of
 * it.
 */
import {Component, h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {LINES} from '../../../draw/marks/arcs.js';
import {ROW, rowMiddle} from '../../../draw/tokens.js';
import {words} from '../../../words/languages.js';
import {Fit} from './fit.js';
import {chosenOf, pinnedRows} from '../scene.js';

/**
 * @import {Links} from '../../../draw/marks/arcs.js'
 * @import {Chosen} from '../../../draw/marks/strips.js'
 * @typedef {{above: number[], below: number[]}} Away   rows out of sight
 * @typedef {{top: number, bottom: number, large: number}} Seen   px of the picture that are in the window;
 *     large: px that a picture in the window may take
 */

const LONG = 48; // rows from which a text may be long
const BESIDE = 150; // px of the window above and below a fitted picture,
const ABOVE = 110; // of them above it
const LEAST = 320; // px of a fitted picture
const SIDES = /** @type {const} */ (['query', 'key']);

/** The tokens opposite that the lines of the chosen ones lead to, the strongest first.
 * @param {Pick<Links, 'count' | 'query' | 'key'>} list from faint to strong @param {Chosen} chosen */
function targetsOf({count, query, key}, {side, indexes}) {
    const [from, to] = side === 'query' ? [query, key] : [key, query];
    /** @type {Set<number>} */
    const found = new Set();
    for (let i = count - 1; i >= 0; i--) if (indexes.includes(from[i])) found.add(to[i]);
    return [...found];
}

/** Those whose middle is above or below the window. @param {number[]} targets
 * @param {number} first row of the column @param {Pick<Seen, 'top' | 'bottom'>} seen @returns {Away} */
const outOfSight = (targets, first, {top, bottom}) => ({
    above: targets.filter(index => rowMiddle(index - first) < top),
    below: targets.filter(index => rowMiddle(index - first) > bottom),
});

/** What leads to the tokens of a column that are out of sight. @param {{side: string, place: any, away:
 *     Away, scene: any, words: any, go: (row: number) => void}} props */
const Edges = ({side, place, away, scene, words: {more}, go}) =>
    h(
        'div',
        {class: `out-of-sight ${side}`, style: place},
        /** @type {const} */ (['above', 'below']).map(where => {
            const {[where]: rows} = away;
            const pieces = rows.slice(0, 6).map(row => scene.tokens[row].piece);
            return buttonOf(
                `to-${where}`,
                {
                    ...{key: where, hidden: !rows.length},
                    title: pieces.join(', '),
                    onClick: () => go(rows[0]),
                },
                h('span', {'aria-hidden': true}, where === 'above' ? '↑ ' : '↓ '),
                more[where](rows.length),
            );
        }),
    );

const isStill = () => globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** @extends {Component<any, {seen: Seen | null, fitted: boolean, words: any}>} */
export class Long extends Component {
    state = {seen: null, fitted: false, words: null};
    root = /** @type {HTMLElement | null} */ (null);
    frame = 0;
    code = '';

    componentDidMount() {
        globalThis.addEventListener('scroll', this.look, {passive: true});
        globalThis.addEventListener('resize', this.look);
        this.look();
    }

    componentDidUpdate() {
        this.look();
    }

    componentWillUnmount() {
        globalThis.removeEventListener('scroll', this.look);
        globalThis.removeEventListener('resize', this.look);
        cancelAnimationFrame(this.frame);
    }

    /** What of the picture is in the window, once a frame. */
    look = () => {
        if (!this.root) return;
        this.frame ||= requestAnimationFrame(() => {
            this.frame = 0;
            if (!this.root) return;
            this.speak();
            const top = -Math.round(this.root.getBoundingClientRect().top);
            const bottom = top + globalThis.innerHeight;
            const seen = {top, bottom, large: Math.max(LEAST, globalThis.innerHeight - BESIDE)};
            const {seen: before} = this.state;
            if (JSON.stringify(before) !== JSON.stringify(seen)) this.setState({seen});
        });
    };

    /** Its words, in the language of the page. */
    speak() {
        const {code} = this.props.data.t;
        if (code === this.code) return;
        this.code = code;
        words(code, 'dialogs').then(({long}) => {
            if (code === this.code) this.setState({words: long});
        });
    }

    /** A height of the picture to the middle of the window. @param {number} y @param {Seen} seen */
    go(y, {top, bottom}) {
        globalThis.scrollBy({
            top: y - (top + bottom) / 2,
            behavior: isStill() ? 'instant' : 'smooth',
        });
    }

    /** Fitted, the whole picture is in the window; back at full size, the token that was pinned there is in
     * the middle of it. */
    fit = () => {
        const fitted = !this.state.fitted;
        this.setState({fitted}, () => {
            const {scene, state} = this.props;
            const {top} = /** @type {HTMLElement} */ (this.root).getBoundingClientRect();
            const [row] = pinnedRows(scene, state);
            const first = (state.side === 'query' ? scene.rows : scene.cols)[0];
            const place = rowMiddle(row - first) - globalThis.innerHeight / 2;
            if (fitted) globalThis.scrollBy({top: top - ABOVE, behavior: 'instant'});
            else if (row >= 0) globalThis.scrollBy({top: top + place, behavior: 'instant'});
        });
    };

    /** @param {Chosen} chosen @param {Seen} seen @param {any} said */
    edges(chosen, seen, said) {
        const {mark, scene} = this.props;
        const {frame, list} = mark.lines;
        const {width, gutter, box} = frame.layout;
        const targets = targetsOf(list, chosen);
        return SIDES.filter(side => side !== chosen.side).map(side => {
            const [first] = side === 'query' ? frame.rows : frame.cols;
            const left = side === 'query' ? gutter : width - gutter - box;
            return h(Edges, {
                ...{key: side, side, scene, words: said},
                place: {left: `${left}px`, width: `${box}px`},
                away: outOfSight(targets, first, seen),
                go: (/** @type {number} */ row) => this.go(rowMiddle(row - first), seen),
            });
        });
    }

    keep = (/** @type {HTMLElement | null} */ root) => {
        this.root = root;
    };

    /** @param {any} props @param {{seen: Seen | null, fitted: boolean, words: any}} state */
    render({mark, over, scene, state, data}, {seen, fitted, words: said}) {
        const {height} = mark.lines.frame.layout;
        if (height < LONG * ROW) return null;
        const root = {class: 'long', ref: this.keep};
        if (!seen || !said || height <= seen.large) return h('div', root);
        const chosen = chosenOf(scene, data.focus, state);
        const lines =
            over?.marks?.find((/** @type {any} */ {kind}) => kind === LINES) ?? mark.lines;
        return h(
            'div',
            root,
            buttonOf('player fit-switch', {'aria-pressed': fitted, onClick: this.fit}, said.fit),
            fitted
                ? h(Fit, {
                      ...{lines, scene, chosen, height: seen.large},
                      targets: chosen ? targetsOf(mark.lines.list, chosen) : [],
                  })
                : chosen && this.edges(chosen, seen, said),
        );
    }
}
