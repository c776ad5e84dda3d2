/* view - the view of next words: those that a causal model expects after each token, with the draw that
 * temperature and top-k make of it, and the text that it writes on; of a masked model the words that it
 * expects at a token, once that is hidden from it.
 */
import {h} from 'preact';
import {group, page} from '../../draw/blocks.js';
import {bars} from '../../draw/blocks/bars.js';
import {flow} from '../../draw/blocks/flow.js';
import {note, title} from '../../draw/blocks/prose.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {paperOf} from '../../draw/paper.js';
import {percent} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {isTwo, lookBeside, twoFrame} from '../parts/two.js';
import {kindOf} from '../parts/lens.js';
import {lensBlocks, lensNeeds, lensTable} from './lens.js';
import {overMap} from './lens_map.js';
import {Asked, canPress, LOCAL, Masking, More, pressWord, Sliders, Writing} from './page.js';
import {changing, drawn, MOST, MOST_NATS, nextScene} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').Cell} Cell
 * @typedef {import('../../draw/blocks.js').Block} Block
 * @typedef {import('../../draw/blocks.js').Look} Look
 */

const LEFT = 400; // px of the column with the text, as in style.css
const FIRST = 10; // words of the list
const BESTS = 5; // words of a position, in the table
const [WORDS, NUMBER] = [132, 92]; // px of columns

/** @param {string} className @param {string} name @param {(Block | false | null)[]} inside */
const section = (className, name, inside) =>
    group(within => h('section', {class: className, 'aria-label': name}, within), inside);

/** The text, to choose a position from. @param {Scene} scene @param {Look} look @param {Texts} t */
function text({tokens, at, written, kind, names, surprise, isWhole}, look, t) {
    const from = tokens.length - written;
    const shades = kind === 'next' && isWhole;
    return section('next-text', t.next.text, [
        page(Writing), // above the text, which grows: its buttons stay where they are
        flow({
            name: t.next.text,
            words: tokens.map(({piece}, index) => ({
                ...{index, piece, now: names[index]},
                className: index >= from ? 'written' : '',
                tint: shades ? surprise(index) : 0,
            })),
            isPressed: index => index === at,
            onPick: (index, {on}) => {
                on.local({left: 0});
                on.set({token: index === tokens.length - 1 && kind === 'next' ? -1 : index});
            },
        }),
        shades && !look.file && note(t.next.shades(MOST_NATS, MOST)),
        kind === 'next' && tokens.some(({piece}) => piece.startsWith('␣')) && note(t.next.marks),
        page(Masking),
        isTwo(look) && page(Sliders),
    ]);
}

/** The words at one position, by the model's own probability; where settings change it, that is a tick beside how
 * probable a draw is.
 * @param {Scene} scene @param {Look} look @param {Texts} t */
function listed(scene, {theme, local, file}, t) {
    const all = local.all && !file;
    const list = drawn(scene.words, local).slice(0, all ? MOST : FIRST);
    const colour = paperOf(theme).bar;
    const presses = canPress(scene);
    const changed = changing(local);
    return bars({
        ...{id: 'words', side: 'word', long: all, numeric: true},
        rows: list.map(({id, piece, probability, share}) => ({
            ...{index: id, name: piece, colour},
            ...(changed
                ? {share, tick: probability, more: t.next.own(percent(probability))}
                : {share: probability, more: ''}),
            value: percent(changed ? share : probability),
            hint: presses ? t.next.press[scene.kind](piece) : '',
        })),
        onPick: ({index}, props) => {
            const word = scene.words.find(({id}) => id === index);
            if (word && canPress(props.scene)) pressWord(word, props);
        },
    });
}

/** @param {Scene} scene @param {Texts} t */
const askedName = ({kind, at, tokens}, t) => t.next.title[kind](at, tokens[at].piece);

/** @param {Scene} scene @param {Look} look @param {Texts} t */
const words = (scene, look, t) =>
    section('next-words', askedName(scene, t), [
        title(askedName(scene, t)),
        look.file ? note(t.next.hint(false, scene.kind, changing(look.local))) : page(Asked),
        scene.words.length ? listed(scene, look, t) : note(t.next.waits),
        Math.min(scene.words.length, look.local.topK) > FIRST && page(More),
    ]);

/** Every position with its best word. @param {Scene} scene @param {Texts} t */
function everywhere({tokens, bests, kind, at, actual, under, isWhole, names}, t) {
    const {token, best, chance, there} = t.next.columns;
    const actuals = tokens.map((_, index) => actual(index)?.probability ?? -under(index));
    const print = (/** @type {number} */ value) => {
        if (value >= 0) return value ? percent(value) : '';
        return `<${percent(-value).replace('<', '')}`;
    };
    const titles = [token, best, chance, there[kind]];
    const columns = [
        {
            ...{id: 'token', kind: TOKENS, title: titles[0], boxed: at},
            tokens: tokens.map(({piece}, index) => ({piece: names[index] ?? piece})),
        },
        {
            ...{id: 'best', kind: TOKENS, title: titles[1], width: WORDS},
            tokens: bests.map(word => ({piece: word?.piece ?? ''})),
            tint: bests.map(word => word?.probability ?? 0),
        },
        {
            ...{id: 'chance', kind: NUMBERS, title: titles[2], width: NUMBER, text: print},
            values: bests.map(word => word?.probability ?? 0),
        },
        {
            ...{id: 'there', kind: NUMBERS, title: titles[3], width: NUMBER, text: print},
            values: actuals,
        },
    ];
    return section('next-all across scroll', t.next.all, [
        title(t.next.all),
        note(isWhole ? t.next.allHint[kind] : t.next.waits),
        isWhole && rowsBlock(columns, {id: 'all', titles}),
    ]);
}

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function blocks(scene, look, t) {
    if (!scene.kind) return [note(t.next.none)];
    return [
        text(scene, look, t),
        words(scene, lookBeside(look, LEFT), t),
        !isTwo(look) && page(Sliders), // below the list
        (scene.lens || scene.map) &&
            section('next-lens across scroll', t.next.lens.title, lensBlocks(scene, look, t)),
        everywhere(scene, t),
    ];
}

/** A row a position: its most probable words, and the one that is there. @param {Scene} scene @param {Texts} t */
function rows({tokens, fills, kind, actual}, t) {
    const {token, nth, chance, there} = t.next.columns;
    const places = Array.from({length: kind ? BESTS : 0}, (_, i) => i);
    /** @type {(value: number | undefined) => Cell} */
    const cell = value => (value === undefined ? '' : {value, text: percent(value)});
    return {
        caption: t.next.caption,
        columns: [
            ...[t.position, token, ...(kind ? [there[kind]] : [])],
            ...places.flatMap(i => [nth(i + 1), chance]),
        ],
        rows: tokens.map(({piece}, index) => {
            const list = fills.get(index) ?? [];
            return /** @type {Cell[]} */ ([
                ...[index, {text: piece, user: true}],
                ...(kind ? [cell(actual(index)?.probability)] : []),
                ...places.flatMap(i => [
                    {text: list[i]?.piece ?? '', user: true},
                    cell(list[i]?.probability),
                ]),
            ]);
        }),
    };
}

/** @param {Scene} scene @param {Texts} t */
function say(scene, t) {
    const [best] = scene.words;
    if (!scene.kind || !best) return t.next.none;
    return `${askedName(scene, t)}: ${best.piece} ${percent(best.probability)}.`;
}

/** @type {import('../view.js').View['needs']} */
function needs(_, model) {
    const kind = kindOf(model);
    return kind ? [{predictions: kind === 'next' ? 'last' : 'masks', top: MOST}] : [];
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'next',
    controls: [],
    predicts: true,
    needs,
    /** Of a masked model at the last word, which can be masked. */
    begin({token, masked}, {model, tokens, imported}) {
        const last = tokens
            .map(({special, piece}) => !special && /[\p{L}\p{N}]/u.test(piece))
            .lastIndexOf(true);
        if (imported || !model.mlm || token >= 0 || masked.length || last < 0) return null;
        if (tokens.some(({id}) => id === model.special.mask)) return null;
        return {needs: [], patch: () => ({token: last}), lends: ['token']};
    },
    later(state, model) {
        const kind = kindOf(model);
        return kind ? [...lensNeeds(state, kind), {predictions: 'all', top: MOST}] : [];
    },
    scene: nextScene,
    local: LOCAL,
    blocks,
    over: overMap,
    frame: twoFrame('next'),
    sheet: {font: 13, title: (scene, _, t) => (scene.kind ? askedName(scene, t) : t.next.none)},
    rows,
    more(state, data, t) {
        const table = lensTable(nextScene(state, data), t);
        return table ? [{id: 'lens', table}] : [];
    },
    say,
    pictured: t => t.next.pictured,
    howTo: t => t.next.howTo,
};

export const nextView = drawnView(view);
