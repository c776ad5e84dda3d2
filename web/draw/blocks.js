/* blocks - a view's picture as a list of blocks, one below the other, and what becomes of it: HTML
 * on the page (here), an SVG for files (view.js). A view says what it shows once; a block's kind says what it looks
 * like in both.
 *
 *   kind        made by                        what it is
 *   plot        plot.js                        marks on a canvas, with buttons where one can press
 *   vector      blocks/vector.js               the numbers of one vector
 *   rows        blocks/rows.js                 columns (blocks/columns/) side by side, a row a token
 *   equation    blocks/equation.js             matrices with operators between them
 *   heat        blocks/heat.js                 a matrix with a token on each row and column
 *   bars        blocks/bars.js                 a ranked list of heads
 *   points      blocks/points.js               a scatter plot, and its legend
 *   ends        blocks/ends.js                 the two ends of a signed scale, in colour and number
 *   flow        blocks/flow.js                 tokens side by side, to be pressed; on the page only
 *   title, note blocks/prose.js                a heading, a sentence on how to read it; heading: files' own
 *   words       words() below                  a line of text
 *   page        page() below                   what is on the page only: what the reader presses
 *   group       group() below                  blocks that the page puts into an element of their own
 *
 * A kind is {Html, svg}: a component that gets {block, over, …Props}, and a function (block, look,
 * over) => {tree, width, height}. One without svg is not in files, one without Html not on the page.
 * A view imports the kinds that it uses, so that <head-light> carries no others.
 */
import {Component, h} from 'preact';
import {createMemo} from './memo.js';

/** Are pictures written into files? What <head-light> fetches before a press does not (build/site.mjs). */
export const FILES = typeof HEADLIGHT_FILES !== 'boolean' || HEADLIGHT_FILES;

/**
 * @typedef {import('preact').ComponentChild} Tree
 * @typedef {{tree: Tree, width: number, height: number}} Drawn
 * @typedef {{Html?: import('preact').ComponentType<any>, svg?: (block: any, look: Look, over: any)
 *     => Drawn}} Kind
 * @typedef {{kind: Kind, id?: string, [more: string]: any}} Block
 * @typedef {{width: number, theme: string, file: boolean, at: any, local: any, svg?: any}} Look   file: an SVG;
 *     at: what the view follows (its `at`); local: what is opened or pointed at within the view and
 *     is no part of the link
 * @typedef {{focus: {side: string, index: number} | null, picked: readonly number[], side: string,
 *     peek: number, pinned?: any, cursor?: any, token?: number, point?: any, local: any}} Pointed   what the reader points at and has pinned; peek: the head
 *     to preview, -1 = none; token: the one picked; point: what a block says is pointed at in it
 * @typedef {{id: string, scene: (state: any, data: any) => any, blocks: (scene: any, look: Look, t:
 *     any) => (Block | false | null)[], over?: (scene: any, pointed: Pointed, look: Look, t: any) =>
 *     Record<string, any> | null, at?: (scene: any, focus: Pointed['focus']) => any, local?: any,
 *     frame?: (props: Props) => Record<string, any>,
 *     sheet?: {font?: number, width?: number, title?: (scene: any, look: Look, t: any) => string,
 *       note?: (scene: any, t: any) => string,
 *       legend?: (scene: any, look: Look, t: any, seen: any) => any}
 *   }} Drawing   see views/view.js; frame: attributes of the element around all, such as keys
 * @typedef {{view: Drawing, scene: any, state: any, data: any, on: any, look: Look, blocks: Block[],
 *     over: any, point: any}} Props   of a block's component; on: On of views/view.js, and local(patch),
 *     point(what)
 */

/** What the view shows. @param {Drawing} view @param {any} scene @param {Look} look @param {any} t
 * @returns {Block[]} */
export const blocksOf = (view, scene, look, t) =>
    view.blocks(scene, look, t).flatMap(block => (block ? [block] : []));

/** @param {Block[]} blocks @param {Props} props */
const htmlOf = (blocks, props) =>
    blocks.map(
        (block, i) =>
            block.kind.Html &&
            h(block.kind.Html, {
                key: block.id ?? i,
                ...props,
                block,
                over: props.over?.[block.id ?? ''],
                all: props.over,
            }),
    );

/** A view's picture on the page. Its blocks are made anew when its scene is another one, and not
 * while the reader points: that is drawn over them.
 * @extends {Component<{view: Drawing, state: any, data: any, on: any}, {local: any, point: any}>} */
export class Picture extends Component {
    memo = createMemo();

    /** @param {any} props */
    constructor(props) {
        super(props);
        this.state = {local: props.view.local, point: null};
    }

    local = (/** @type {any} */ patch) =>
        this.setState(({local}) => ({local: {...local, ...patch}}));

    point = (/** @type {any} */ point) => {
        if (point || this.state.point) this.setState({point});
    };

    /** @param {{view: Drawing, state: any, data: any, on: any}} props
     * @param {{local: any, point: any}} own */
    render({view, state, data, on}, {local, point}) {
        const {width, theme, t, focus, pinned, cursor, peek} = data;
        const {picked, side, token} = state;
        const scene = view.scene(state, data);
        const at = view.at?.(scene, focus);
        const look = this.memo('look', [width, theme, at, local], () => ({
            ...{width, theme, at, local},
            file: false,
        }));
        const blocks = this.memo('blocks', [scene, look, t], () => blocksOf(view, scene, look, t));
        const places = [focus, pinned, cursor].flatMap(spot => [spot?.side, spot?.index]);
        const pointed = {focus, pinned, cursor, picked, side, token, peek, point, local};
        const over = this.memo(
            'over',
            [scene, look, t, picked, side, token, peek, point, ...places],
            () => view.over?.(scene, pointed, look, t),
        );
        const lent = this.memo('on', Object.values(on), () => ({
            ...on,
            local: this.local,
            point: this.point,
        }));
        const props = {view, scene, state, data, look, blocks, on: lent, over: over ?? {}, point};
        return h('div', {class: `${view.id}-view`, ...view.frame?.(props)}, htmlOf(blocks, props));
    }
}

/** What files have of a block: of a group the blocks within it, the first under the group's heading.
 * @param {Block} block @returns {Block[]} */
export function ofFiles(block) {
    if (block.kind !== GROUP) return block.kind.svg ? [block] : [];
    const [first, ...more] = block.blocks.flatMap(ofFiles);
    return first ? [{...first, heading: first.heading ?? block.heading}, ...more] : [];
}

const GROUP = {
    Html: (/** @type {any} */ {block: {wrap, blocks}, all, ...props}) =>
        wrap(htmlOf(blocks, {...props, over: all}), props),
};

/** Blocks that the page puts into an element of their own; in a file they follow one another.
 * @param {(inside: Tree, props: Props) => any} wrap @param {(Block | false | null)[]} blocks
 * @param {string} [heading] of a file whose parts have headings (the studies')
 * @returns {Block} */
export const group = (wrap, blocks, heading) => ({
    kind: GROUP,
    ...{wrap, heading},
    blocks: blocks.flatMap(block => (block ? [block] : [])),
});

const PAGE = {Html: (/** @type {any} */ props) => h(props.block.Html, props)};

/** What is on the page only. @param {import('preact').ComponentType<any>} Html
 * @param {Record<string, any>} [more] @returns {Block} */
export const page = (Html, more) => ({...more, kind: PAGE, Html});

/** A block that files do not have. @param {Block} block @returns {Block} */
export const onPage = block => ({...block, kind: {Html: block.kind.Html}});

const WORDS = {
    Html: (/** @type {any} */ {block}) => h('p', {class: 'soft'}, block.text),
    /** @param {any} block @param {Look} look @returns {Drawn} */
    svg: ({text}, {width}) => ({tree: h('text', {y: 14}, text), width, height: 26}),
};

/** A line of text. @param {string} text @returns {Block} */
export const words = text => ({kind: WORDS, text});
