/* view - "Why?": the score of one link, from a query to a key, split over the parts of the stream: words,
 * positions, the layers before and the tokens that their heads brought, each norm's σ held fixed. A sum over
 * terms, not a cause: switching a head off, here too, gives its exact effect. Reached from the numbers of a
 * pinned token.
 */
import {h} from 'preact';
import {group, page} from '../../draw/blocks.js';
import {note, title} from '../../draw/blocks/prose.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {terms} from '../../draw/blocks/terms.js';
import {signed} from '../../draw/chart.js';
import {decimal} from '../../draw/scale.js';
import {headName} from '../../draw/head_name.js';
import {drawnView} from '../../draw/view.js';
import {beginLinked} from '../parts/begin_link.js';
import {twoFrame} from '../parts/two.js';
import {cutText, Heads, Link, Said, saying} from './page.js';
import {deep, needs, whyScene} from './scene.js';

/**
 * @import {Scene, Part} from './scene.js'
 * @import {Cell, Texts, Drawn} from '../view.js'
 */

const [NAME, NUMBER] = [110, 110]; // px of columns

/** @param {Part} part @param {Scene} scene @param {Texts} t */
export function partName({kind, at}, {tokens, count}, t) {
    if (kind === 'mlp') return t.why.mlp(count(at));
    if (kind === 'brought') return t.why.brought(at, tokens[at].piece);
    return t.why.parts[kind];
}

/** @param {'key' | 'query'} id @param {Scene} scene @param {Texts} t */
function listed(id, scene, t) {
    const {sides, most, tokens, numbers} = scene;
    if (!sides || !numbers) return null;
    const {parts} = sides[id === 'key' ? 0 : 1];
    const piece = tokens[scene[id]].piece;
    const sum = {name: t.why.sum, value: numbers.contrast, whole: true};
    return group(
        inside => h('section', {class: `why-${id}`, 'aria-label': t.why.sides[id](piece)}, inside),
        [
            title(t.why.sides[id](piece)),
            terms({
                ...{id, most},
                rows: [
                    ...parts.map(part => ({name: partName(part, scene, t), value: part.value})),
                    sum,
                ],
            }),
        ],
    );
}

/** The heads, as a file has them. @param {Scene} scene @param {Texts} t */
function headRows({heads, of}, t) {
    const [name, ofKey, ofQuery, cut] = t.why.headColumns;
    const number = {kind: NUMBERS, width: NUMBER, text: signed};
    return rowsBlock(
        [
            {
                ...{id: 'head', kind: TOKENS, title: name, width: NAME},
                tokens: heads.map(one => ({piece: of(one, headName)})),
            },
            {...number, id: 'key', title: ofKey, values: heads.map(({key}) => key)},
            {...number, id: 'query', title: ofQuery, values: heads.map(({query}) => query)},
            {
                ...{id: 'cut', kind: TOKENS, title: cut, width: 2 * NUMBER},
                tokens: heads.map(one => ({piece: cutText(one)})),
            },
        ],
        {id: 'heads', titles: [name, ofKey, ofQuery, cut]},
    );
}

/** @param {Scene} scene @param {Drawn} look @param {Texts} t */
function headsOf(scene, look, t) {
    if (!scene.heads.length) return null;
    return group(
        inside => h('section', {class: 'why-written across', 'aria-label': t.why.heads}, inside),
        [title(t.why.heads), note(t.why.headsHint), look.file ? headRows(scene, t) : page(Heads)],
    );
}

/** @param {Scene} scene @param {Drawn} look @param {Texts} t */
function blocks(scene, look, t) {
    const head = group(
        inside => h('section', {class: 'why-head across', 'aria-label': t.viewTitles.why}, inside),
        [page(Link), look.file ? note(say(scene, t)) : page(Said)],
    );
    return [head, listed('key', scene, t), listed('query', scene, t), headsOf(scene, look, t)];
}

/** Every part: its name, both numbers, and the weights without it. @param {Scene} scene @param {Texts} t */
function partsOf(scene, t) {
    const {sides, of, count, layer} = scene;
    const [ofKey, ofQuery] = sides ?? [];
    if (!ofKey) return [];
    const H = ofKey.heads.length / scene.layers;
    const mlps = Array.from(ofKey.mlps.subarray(0, layer), (value, l) => ({
        ...{name: t.why.mlp(count(l)), key: value, query: ofQuery.mlps[l]},
        cut: scene.cutOf({layer: l}),
    }));
    const heads = Array.from(ofKey.heads.subarray(0, layer * H), (value, i) => {
        const place = {layer: Math.floor(i / H), head: i % H};
        const names = {name: of(place, headName), key: value, query: ofQuery.heads[i]};
        return {...names, cut: scene.cutOf(place)};
    });
    const rest = t.why.table.rows.map((name, i) => ({
        ...{name, key: ofKey.rows[i], query: ofQuery.rows[i]},
        cut: undefined,
    }));
    return [...rest, ...mlps, ...heads];
}

/** @param {Scene} scene @param {Texts} t */
function rows(scene, t) {
    const {of, tokens} = scene;
    const cell = (/** @type {number} */ value) => ({value, text: signed(value)});
    const without = (/** @type {number | undefined} */ weight) =>
        weight === undefined || isNaN(weight) ? '' : {value: weight, text: decimal(weight)};
    return {
        caption: t.why.table.caption(
            of(scene, headName),
            tokens[scene.query].piece,
            tokens[scene.key].piece,
        ),
        columns: t.why.table.columns,
        rows: partsOf(scene, t).map(
            ({name, key, query, cut}) =>
                /** @type {Cell[]} */ ([
                    ...[name, cell(key), cell(query)],
                    ...[without(cut?.key), without(cut?.query)],
                ]),
        ),
    };
}

/** @param {Scene} scene @param {Texts} t */
const say = (scene, t) => saying(scene, t).join(' ');

/** @type {import('../view.js').Described} */
const view = {
    id: 'why',
    controls: ['layer', 'head'],
    needs,
    deep,
    begin: beginLinked,
    scene: whyScene,
    blocks,
    frame: twoFrame('why'),
    sheet: {font: 13},
    rows,
    say,
    pictured: t => t.why.pictured,
    howTo: t => t.why.howTo,
};

export const whyView = drawnView(view);
