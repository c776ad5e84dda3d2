/* view - "What decides": a prediction, and how much ln p of it changes when each token is masked (or removed), each
 * head and each MLP switched off, exactly, one pass each. As ranked lists, and as a grid of all heads. Reached from the
 * predictions, too.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {labelledSelect} from '../../draw/select.js';
import {group, page} from '../../draw/blocks.js';
import {note, title} from '../../draw/blocks/prose.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {BARS} from '../../draw/blocks/columns/bars.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {signed} from '../../draw/chart.js';
import {headName} from '../../draw/head_name.js';
import {percent} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {wordToMask} from '../change/numbers.js';
import {Entered} from '../parts/entered.js';
import {lookBeside, twoFrame} from '../parts/two.js';
import {Writer} from '../parts/writer.js';
import {gridOf, gridsOf, listOf, Other, ranking, rowsOfPatch, sayPatch} from './patched.js';
import {sayTogether, Together} from './together.js';
import {decidesScene, deep, needs} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Effect} Effect
 * @typedef {import('../view.js').Cell} Cell
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').Drawn} Look
 * @typedef {import('../../draw/blocks.js').Props} Props
 */

const FIRST = 10; // of a list
const LEFT = 400; // px of the column with the lists, as in style.css
const [NUMBER, WORD, BAR, GAP] = [76, 96, 150, 16]; // px of columns, and between

/** @param {Effect} effect @param {Scene} scene @param {Texts} t */
function partName({kind, layer = 0, head = 0, position = 0, token, text}, {count}, t) {
    if (token !== undefined) {
        const name = t.decides.token(position, token);
        return text === undefined ? name : t.decides.ofText(name, text);
    }
    if (kind in t.decides.parts) return t.decides.parts[kind];
    return kind === 'mlp' ? t.why.mlp(count(layer)) : headName(count(layer), count(head));
}

/** What is predicted, in a sentence. @param {Scene} scene @param {Texts} t */
function predicted({target, plain, tokens, similarity, against}, t) {
    if (!target) return t.decides.none;
    if (target.similar)
        return t.decides.similar(similarity, plain === null ? '…' : signed(plain, 4));
    const [best, other] = target.labels;
    if (best && other) return t.decides.label(best.label, percent(best.probability), other.label);
    const {word, position} = target;
    const ln = plain === null ? '…' : signed(plain);
    if (target.ofToken)
        return t.decides.ofToken(target.label ?? '…', tokens[position]?.piece ?? '…', position, ln);
    if (!word) return t.decides.none;
    if (against)
        return t.decides.contrast(word.piece, against, position, tokens[position].piece, ln);
    if (target.starts) return t.decides.start(word.piece, position, percent(word.probability), ln);
    return t.decides.word(
        word.piece,
        position,
        tokens[position].piece,
        percent(word.probability),
        ln,
    );
}

/** @param {Scene} scene @param {Texts} t */
function say(scene, t) {
    if (scene.patch) return sayPatch(scene, t);
    const [first] = scene.ranked;
    if (scene.refused) return `${predicted(scene, t)} ${scene.refused}`;
    if (!scene.target || !first || scene.there < scene.all) return predicted(scene, t);
    const valueOf = (/** @type {Effect} */ {change, probability}) =>
        probability === undefined
            ? signed(change ?? 0)
            : `${percent(scene.probability)} → ${percent(probability)}`;
    const head = scene.ranked.find(({kind}) => kind === 'head');
    return [
        predicted(scene, t),
        t.decides.most(partName(first, scene, t), valueOf(first)),
        head && head !== first && t.decides.mostOfHeads(partName(head, scene, t), valueOf(head)),
    ]
        .filter(Boolean)
        .join(' ');
}

/** The state's `ask` (scene.js). @param {string} id @param {boolean} removes @param {Scene} scene */
const askOf = (id, removes, {asked: {masks, wrote}}) =>
    `${id}${removes && masks ? '.removed' : ''}${wrote ? '.wrote' : ''}`;

/** The press before what wrote the logit. @param {Props} props */
function Wrote({state: {ask}, scene: {asked}, on, data: {t}}) {
    const onClick = () => on.set({ask: asked.wrote ? ask.replace('.wrote', '') : `${ask}.wrote`});
    return buttonOf('plain', {'aria-expanded': asked.wrote, onClick}, t.decides.wrote.press);
}

/** One of two ways. @param {{said: Record<string, string>, ways: string[], value: string, name: string,
 *     choose: (way: string) => void}} props */
const Choice = ({said, ways, value, name, choose}) =>
    labelledSelect(said.label, {
        ...{class: name, value, onChoose: choose},
        options: ways.map(way => ({value: way, name: said[way]})),
    });

/** Are tokens masked or removed? Two questions, where the model has [MASK]. And what stands in the place of what is off.
 * @param {Props} props */
function Ways({scene, on, data: {t}}) {
    const {asked, patch, by} = scene;
    if (patch) return null;
    return [
        asked.masks &&
            h(Choice, {
                ...{key: 'ways', said: t.decides.ways, ways: ['masked', 'removed']},
                ...{name: 'decides-ways', value: asked.removes ? 'removed' : 'masked'},
                choose: (/** @type {string} */ way) =>
                    on.set({ask: askOf(asked.id, way === 'removed', scene)}),
            }),
        h(Choice, {
            ...{key: 'by', said: t.decides.by, ways: ['zero', 'mean'], value: by},
            ...{name: 'decides-by', choose: (/** @type {string} */ by) => on.set({by})},
        }),
    ];
}

/** The word that the other one is set against. @param {Props} props */
function Against({state, scene, on, data: {t}}) {
    const {word, words} = /** @type {import('./scene.js').Target} */ (scene.target);
    const others = words.filter(one => one.id !== word?.id);
    return h(
        'label',
        null,
        `${t.decides.less} `,
        h(Entered, {
            ...{type: 'search', value: state.against, placeholder: t.decides.lessNone},
            ...{list: 'decides-words', maxLength: 40, class: 'decides-against'},
            onEnter: against => on.set({against}),
        }),
        h(
            'datalist',
            {id: 'decides-words'},
            others.map(({id, piece}) => h('option', {key: id, value: piece})),
        ),
    );
}

/** Where nothing is predicted: the pinned word or the longest is masked, or a model that writes is taken.
 * @param {Props} props */
function NoTarget(props) {
    const {on, state, data} = props;
    const {t, model, pass} = data;
    const index =
        state.picked.find((/** @type {number} */ i) => pass.tokens[i]?.special === false) ??
        wordToMask(pass.tokens);
    const onClick = () => on.set({masked: [index]});
    const hide = model.mlm && index >= 0 && t.decides.hide(pass.tokens[index].piece);
    return [
        hide && h('p', null, h('button', {type: 'button', class: 'plain', onClick}, hide)),
        h(Writer, {...props, says: t.decides.writes}),
    ];
}

/** The word, to choose another, and how far it is. @param {Props} props */
function Asked(props) {
    const {on, scene} = props;
    const {t} = props.data;
    const {target} = /** @type {Scene} */ (scene);
    const {there, all} = scene.patch ?? scene;
    return h(
        'div',
        {class: 'decides-asked'},
        h('p', {role: 'status'}, say(scene, t)),
        !target && h(NoTarget, props),
        target &&
            target.words.length > 0 &&
            labelledSelect(
                t.decides[
                    target.starts ? 'chooseStart' : target.ofToken ? 'chooseToken' : 'choose'
                ],
                {
                    value: target.word?.id,
                    onChoose: id => on.set({ask: askOf(id, scene.asked.removes, scene)}),
                    options: target.words.map(({id, piece, probability}) => ({
                        ...{value: id, name: `${piece} ${percent(probability)}`},
                    })),
                },
            ),
        target?.word && !target.starts && !target.ofToken && !scene.patch && h(Against, props),
        target && h(Ways, props),
        target && !target.similar && !target.starts && !target.ofToken && h(Other, props),
        there < all && h('progress', {value: there, max: all, 'aria-label': t.decides.coming}),
    );
}

/** One kind of change, or what wrote the logit, the largest first. @param {string} kind @param {Scene} scene @param {Texts} t */
function listed(kind, scene, t) {
    const ofKind = scene.ranked.filter(one => one.kind === kind).slice(0, FIRST);
    const rows = (kind === 'wrote' ? scene.wrote : ofKind).map(({off, probability, ...effect}) => ({
        ...{name: partName(effect, scene, t), value: effect.change ?? 0},
        whole: effect.kind === 'sum',
        before: off ?? (probability === undefined ? null : percent(probability)),
    }));
    if (!rows.length) return null;
    const largest = Math.max(...rows.map(({value, whole}) => (whole ? 0 : Math.abs(value))));
    const most = kind === 'wrote' ? largest : scene.most;
    return ranking(kind, t.decides.lists[kind], most, rows);
}

/** All heads, the largest in full colour, and MLPs. @param {Scene} scene @param {Texts} t */
function grid({ranked, there, layers, heads, count}, t) {
    if (!there) return null;
    const cells = new Float32Array(layers * heads);
    const mlps = new Float32Array(layers);
    for (const {kind, layer = 0, head = 0, change} of ranked) {
        if (kind === 'head') cells[layer * heads + head] = change ?? 0;
        if (kind === 'mlp') mlps[layer] = change ?? 0;
    }
    const most = Math.max(1e-9, ...cells.map(Math.abs));
    const names = Array.from(mlps, (_, l) => ({piece: String(count(l))}));
    const titles = [t.layer, t.decides.grid, 'MLP'];
    const more = [{...{id: 'mlp', kind: NUMBERS, title: titles[2], width: NUMBER}, values: mlps}];
    return group(
        inside => h('section', {class: 'decides-grid'}, inside),
        [
            title(t.decides.grid),
            note(t.decides.gridHint(signed(most), [0, heads - 1].map(count))),
            gridOf('heads', names, heads, cells, titles, most, more),
        ],
    );
}

/** Shares of the largest. @param {number[]} values */
const ofLargest = values => values.map(value => value / Math.max(1e-9, ...values));

/** Readings of attention beside what masking changes. @param {Scene} scene @param {Look} look @param {Texts} t */
function besides({readings: found, tokens}, look, t) {
    if (!found) return null;
    const said = found.readings.map(({id, agrees}) =>
        t.decides.agrees(id, agrees === null ? '–' : signed(agrees)),
    );
    const columns = [
        ...found.readings.filter(({id}) => id in t.decides.readings),
        {id: 'decided', values: found.decided},
    ];
    const width = Math.min(BAR, (look.width - WORD) / columns.length - GAP);
    return group(
        inside => h('section', {class: 'decides-readings'}, inside),
        [
            title(t.decides.beside),
            note(t.decides.besideHint(found.tokens.length, said)),
            rowsBlock(
                [
                    {
                        ...{id: 'token', kind: TOKENS, title: t.decides.masked, width: WORD},
                        tokens: found.tokens.map(i => tokens[i]),
                    },
                    ...columns.map(({id, values}) => ({
                        ...{id, kind: BARS, title: t.decides.readings[id], width},
                        values: ofLargest(values),
                    })),
                ],
                {
                    id: 'readings',
                    titles: [t.decides.masked, ...columns.map(({id}) => t.decides.readings[id])],
                },
            ),
        ],
    );
}

/** How the lists are read, where there are any. @param {Scene} scene @param {Texts} t */
function hintOf({target, against, probability}, {decides}) {
    if (!target) return null;
    if (target.similar) return note(decides.similarHint);
    if (against) return note(decides.contrastHint(target.word?.piece ?? '', against));
    return note(probability ? `${decides.hint} ${decides.then}` : decides.hint);
}

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function blocks(scene, look, t) {
    const asked = look.file ? note(say(scene, t)) : page(Asked);
    if (scene.patch)
        return [
            group(
                inside => h('section', {class: 'decides-lists'}, inside),
                [asked, note(t.decides.patch.hint), listOf(scene, t)],
            ),
            gridsOf(scene, t),
        ];
    return [
        group(
            inside => h('section', {class: 'decides-lists'}, inside),
            [
                asked,
                hintOf(scene, t),
                scene.plain !== null && !scene.target?.similar && !look.file ? page(Wrote) : null,
                scene.asked.wrote
                    ? note(t.decides.wrote[scene.wrote.length ? 'hint' : 'none'])
                    : null,
                ...['wrote', 'token', 'removed', 'head'].map(kind => listed(kind, scene, t)),
                scene.there === scene.all && scene.all && !look.file ? page(Together) : null,
                look.file && scene.atOnce ? note(sayTogether(scene, t)) : null,
                listed('mlp', scene, t),
            ],
        ),
        grid(scene, t),
        besides(scene, look, t),
    ];
}

/** Every change, the largest first. @param {Scene} scene @param {Texts} t */
function rows(scene, t) {
    if (scene.patch) return rowsOfPatch(scene, t);
    const {word, label, labels} = scene.target ?? {labels: []};
    return {
        word: label ?? word?.piece ?? labels[0]?.label,
        caption: predicted(scene, t),
        columns: scene.target?.similar ? t.decides.similarColumns : t.decides.columns,
        rows: scene.ranked.map(effect => {
            const {kind, change, token} = effect;
            return /** @type {Cell[]} */ ([
                t.decides.kinds[kind],
                {text: partName(effect, scene, t), user: token !== undefined},
                {value: change ?? 0, text: signed(change ?? 0, 4)},
            ]);
        }),
    };
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'decides',
    controls: [],
    predicts: true,
    needs,
    deep,
    scene: decidesScene,
    blocks: (scene, look, t) => blocks(scene, lookBeside(look, LEFT), t),
    frame: twoFrame('decides'),
    sheet: {font: 13},
    rows,
    say,
    pictured: t => t.decides.pictured,
    howTo: t => t.decides.howTo,
};

export const decidesView = drawnView(view);
