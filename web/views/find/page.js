/* page - the controls around the picture of "Find a head": the pair or the pattern asked about, the
 * colours of the map, the length of the list, the chosen head.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {Choice} from '../parts/choice.js';
import {decimal} from '../../draw/scale.js';
import {UNCHANGED} from '../needs.js';
import {askable} from './numbers.js';
import {askCorpus} from '../study/study.js';
import {answer, elsewhere, isNone, patternName, patternQuestion} from './say.js';

/** @import {Props} from '../../draw/blocks.js' */

/** The same question to all texts of a corpus. @param {Props['on']} on @param {{ask: string}} scene */
const overCorpus = (on, {ask}) =>
    askCorpus(on.set, {study: 'patterns', settings: [`measure:${ask}`]});

/** What was asked of the heads. @param {Props} props */
export const Asked = props =>
    h('div', {class: 'find-asked'}, props.scene.ask ? PatternAsked(props) : PairAsked(props));

/** @param {Props} props */
const PatternAsked = ({data: {t}, scene}) => [
    h('p', {key: 'asked', class: 'asked'}, patternQuestion(scene, t)),
    h('p', {key: 'hint', class: 'hint'}, t.find.pick),
];

/** Where no head follows the pattern: the model of the menu that has one, and the way to it. @param {Props} props */
function Elsewhere({state, data: {t, menu = []}, on, scene}) {
    const found = elsewhere(scene, state.model, menu);
    if (!found) return null;
    const {entry, layer, head, share} = found;
    const name = entry.names?.[t.code] ?? entry.name ?? entry.id;
    const patch = {model: entry.id, layer, heads: [head], picked: [], token: -1, ...UNCHANGED};
    return [
        scene.of({layer, head}, (/** @type {number} */ l, /** @type {number} */ n) =>
            t.find.elsewhere(name, l, n, decimal(share)),
        ),
        ' ',
        buttonOf('plain', {onClick: () => on.set(patch)}, t.find.openModel),
        ' ',
    ];
}

/** Whether the strongest head matters for what the model predicts: the way to the model without it. @param {Props} props */
export function Matters({data: {t, model, menu}, on, scene: {ask, ranked, of}}) {
    const [best] = ranked;
    // a figure has no models; of heads that do not follow a pattern it is no question
    if (!menu || (ask && isNone(best))) return null;
    const {layer, head} = best;
    const off = {view: 'change', off: [`${layer}.${head}`]};
    return h(
        'p',
        {class: 'find-matters hint'},
        of({layer, head}, (/** @type {number} */ l, /** @type {number} */ n) =>
            t.find.matters(l, n, model.layers * model.heads),
        ),
        ' ',
        buttonOf('plain', {onClick: () => on.set(off)}, t.find.off),
    );
}

/** Which head follows the pattern, a model that has one, and the way to a corpus. @param {Props} props */
export const Answer = props =>
    h(
        'p',
        {class: 'find-answer'},
        h('span', {role: 'status'}, answer(props.scene, props.data.t)),
        ' ',
        Elsewhere(props),
        buttonOf(
            'plain',
            {onClick: () => overCorpus(props.on, props.scene)},
            props.data.t.find.overCorpus,
        ),
    );

/** @param {Props} props */
function PairAsked({state, data: {t}, on, scene: {tokens, query, key}}) {
    const piece = (/** @type {number | null} */ index) =>
        h('bdi', null, index === null ? '…' : tokens[index].piece);
    return [
        h('p', {key: 'question', class: 'hint'}, t.find.question),
        h(
            'p',
            {key: 'asked', class: 'asked', role: 'status'},
            h('span', {class: 'query'}, piece(query)),
            ` ${t.find.looksAt} `,
            h('span', {class: 'key'}, piece(key)),
            key !== null &&
                buttonOf('plain', {onClick: () => on.set({from: key, to: query})}, t.find.swap),
        ),
        h(
            'p',
            {key: 'hint', class: 'hint'},
            key === null ? t.find.pickKey : state.from < 0 ? t.find.example : t.find.pick,
        ),
    ];
}

/** Patterns to ask about instead of a pair: each a press. @param {Props} props */
export const Patterns = ({data: {t}, on, scene}) =>
    h(
        'div',
        {class: 'find-patterns pills', role: 'group', 'aria-label': t.find.orPattern},
        h('span', {class: 'hint'}, t.find.orPattern),
        askable(scene.tokens, scene.ask).map(pattern =>
            buttonOf(
                undefined,
                {
                    key: pattern,
                    'aria-pressed': scene.ask === pattern,
                    onClick: () => on.set({ask: scene.ask === pattern ? '' : pattern}),
                },
                patternName(pattern, scene, t),
            ),
        ),
    );

/** All heads, or the first ones. @param {Props} props */
export const More = ({data: {t}, on, look: {local}, scene: {ranked}}) =>
    buttonOf(
        'plain',
        {'aria-expanded': local.all, onClick: () => on.local({all: !local.all})},
        local.all ? t.find.fewer : t.find.more(ranked.length),
    );

/** What the colours of the map tell. @param {Props} props */
export const Colours = ({data: {t}, on, scene: {colourBy}}) =>
    h(Choice, {
        name: 'map-colour',
        legend: t.find.colour,
        options: ['layer', 'pattern'].map(value => ({value, label: t.find.colours[value]})),
        value: colourBy,
        onChoose: mapColour => on.set({mapColour}),
    });

/** The chosen head in a sentence, and the way to it. @param {Props & {block: any}} props */
export function Chosen({data: {t}, on, block: {opened}, scene}) {
    const {shown} = scene.points[scene.chosenIndex];
    return h(
        'p',
        {class: 'hint'},
        shown
            ? t.find.chosenIs[shown.verdict](
                  patternName(shown.name, scene, t),
                  decimal(shown.value),
              )
            : t.find.chosenNone,
        ' ',
        buttonOf('plain', {onClick: () => on.set(opened)}, t.find.openIt),
    );
}
