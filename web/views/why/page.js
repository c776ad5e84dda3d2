/* page - controls and sentences of the view "Why?": the link, its account, and the heads to switch off.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {signed} from '../../draw/chart.js';
import {headName} from '../../draw/head_name.js';
import {decimal} from '../../draw/scale.js';
import {select} from '../../draw/select.js';
import {table} from '../../draw/table.js';
import {headMark, termsIn} from '../parts/mark.js';
import {decidedBy, timesText} from './scene.js';

/**
 * @import {Props} from '../../draw/blocks.js'
 * @import {Scene} from './scene.js'
 */

/** One end of the link. @param {{name: 'from' | 'to', at: number, props: Props}} all */
function End({name, at, props: {data, on, scene}}) {
    const {query: from, key: to, tokens} = /** @type {Scene} */ (scene);
    return h(
        'label',
        {class: name === 'from' ? 'query' : 'key'},
        `${data.t.why[name]} `,
        select({
            value: at,
            options: tokens.map(({piece}, value) => ({value, name: `${value} ${piece}`})),
            onChoose: value => on.set({from, to, [name]: Number(value)}),
        }),
    );
}

/** The link, to choose another. @param {Props} props */
export function Link(props) {
    const {data, on, scene} = props;
    const {layer, head, query} = scene;
    return h(
        'p',
        {class: 'why-link in-line'},
        h(End, {name: 'from', at: query, props}),
        h(End, {name: 'to', at: scene.key, props}),
        buttonOf(
            'plain',
            {
                onClick: () =>
                    on.set({
                        ...{view: 'head', layer, heads: [head], mix: 'heads', filter: 'all'},
                        ...{picked: [query], side: 'query', token: query},
                    }),
            },
            data.t.why.back,
        ),
    );
}

/** The one part without which the weight changes most, on one side. @param {import('../asked.js').Effect} one @param {Scene} scene
 * @param {import('../view.js').Texts} t */
function cutPart({layer = 0, head, into, weight = 0}, scene, t) {
    const part =
        head === undefined ? t.why.mlp(scene.count(layer)) : scene.of({layer, head}, headName);
    const side = /** @type {'key' | 'query'} */ (into === 'k' ? 'key' : 'query');
    return {part, side, piece: scene.tokens[scene[side]].piece, weight: decimal(weight)};
}

/** The weight without what a part wrote at the key, at the query; '': not known yet. @param {Scene['heads'][number]} one */
export const cutText = ({cut}) =>
    cut ? [cut.key, cut.query].map(one => (isNaN(one) ? '…' : decimal(one))).join(' · ') : '';

/** What the link is, in sentences. @param {Scene} scene @param {import('../view.js').Texts} t
 * @returns {string[]} */
export function saying(scene, t) {
    const {numbers, weight, before, tokens, query, key} = scene;
    if (!scene.isSeen) return [t.why.hidden(query, key)];
    if (!numbers) return [t.why.waits];
    const name = scene.of(scene, headName);
    const [from, to] = [tokens[query].piece, tokens[key].piece];
    if (scene.isOnly) return [t.why.only(name, from, to)];
    const {by, isPlaced} = decidedBy(numbers);
    const deepest = scene.deepest && cutPart(scene.deepest, scene, t);
    const all = [
        before !== null && t.why.changed(decimal(before), decimal(weight)),
        t.why.link({
            ...{name, from, to},
            weight: decimal(weight),
            times: timesText(numbers.times) || t.why.most,
        }),
        t.why.decided[by]({
            ...{to, contrast: signed(numbers.contrast), alone: signed(numbers.alone)},
            query: isPlaced ? t.why.placed : t.why.query(from),
        }),
        deepest && deepest.weight !== decimal(weight) && t.why.cut(deepest),
        numbers.rounding > 0.1 * Math.abs(numbers.contrast) &&
            t.why.rounded(signed(numbers.rounding)),
    ];
    return all.flatMap(one => one || []);
}

/** @param {Props} props */
export const Said = ({data: {t}, scene}) =>
    h(
        'div',
        {class: 'why-said', role: 'status'},
        saying(scene, t).map((/** @type {string} */ one) => h('p', {key: one}, termsIn(t, one))),
    );

/** A head with what it adds on both sides, and a press that switches it off: the page then has the exact
 * change. @param {{one: import('./scene.js').Written, props: Props}} all */
function HeadRow({one, props: {data, state, on, scene}}) {
    const {t} = data;
    const place = `${one.layer}.${one.head}`;
    const isOff = state.off.includes(place);
    const others = state.off.filter((/** @type {string} */ other) => other !== place);
    const name = scene.of(one, headName);
    return h(
        'tr',
        null,
        h('th', {scope: 'row'}, headMark(t, one, name)),
        h('td', {class: 'number'}, isOff ? '' : signed(one.key)),
        h('td', {class: 'number'}, isOff ? '' : signed(one.query)),
        h('td', {class: 'number'}, isOff ? '' : cutText(one)),
        h(
            'td',
            null,
            buttonOf(
                'plain',
                {
                    'aria-pressed': isOff,
                    'aria-label': `${name}: ${t.why.off}`,
                    onClick: () => on.set({off: isOff ? others : [...others, place]}),
                },
                isOff ? t.why.on : t.why.off,
            ),
        ),
    );
}

/** @param {Props} props */
export const Heads = props =>
    table(
        {class: 'why-heads', columns: props.data.t.why.headColumns},
        props.scene.heads.map((/** @type {import('./scene.js').Written} */ one) =>
            h(HeadRow, {key: `${one.layer}.${one.head}`, one, props}),
        ),
    );
