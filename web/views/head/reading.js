/* reading - actions on the chosen tokens (pin, add others, mask: for readers without a mouse or
 * keyboard), and what the model reads and predicts at a single one: [UNK] for what its vocabulary
 * lacks, [MASK], the most probable words, a token classifier's label.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {percent} from '../../draw/scale.js';
import {positionsOf} from '../parts/level.js';
import {pick, toggleMask} from '../parts/select.js';
import {wordLabels} from './labels.js';
import {canMask, maskedIn, pinnedRows} from './scene.js';

/**
 * @import {Selection, Chosen} from './scene.js'
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, t:
 *     import('../view.js').Texts,
 *   scene: Selection, chosen: Chosen}} Props
 */

/** @param {Props & {on: import('../view.js').On, link: Partial<import('../view.js').ViewState> | null}} props   link: the
 *     strongest of the token, where it can be explained */
export function Actions({state, data, t, on, scene, chosen: {side, indexes}, link}) {
    const units = indexes.map(index => scene.tokens[index]);
    const positions = units.flatMap(positionsOf);
    const pinned = state.side === side && pinnedRows(scene, state).includes(indexes[0]);
    const masked = positions.every(position => state.masked.includes(position));
    const button = (
        /** @type {string} */ label,
        /** @type {() => void} */ onClick,
        /** @type {boolean} */ pressed = false,
    ) => buttonOf('plain', {'aria-pressed': pressed || undefined, onClick}, label);
    return h(
        'div',
        {class: 'actions'},
        pinned
            ? button(t.head.unpin, () => on.set({picked: [], token: -1}))
            : button(t.head.pin, () => on.set(pick(state, {side, index: units[0].index}, false))),
        buttonOf(
            'plain',
            {'aria-pressed': data.several, onClick: () => on.several(!data.several)},
            t.head.addOthers,
        ),
        canMask(data.model) &&
            !data.frozen &&
            button(masked ? t.head.unmask : t.head.mask, () =>
                on.set({masked: toggleMask(state.masked, positions)}),
            ),
        link && button(t.viewTitles.why, () => on.set({view: 'why', ...link})),
        masked && button(t.viewTitles.change, () => on.set({view: 'change', token: positions[0]})),
    );
}

/** What was typed where the vocabulary has no piece, else ''.
 * @param {import('../view.js').ViewData} data @param {number} position */
function unknownAt({pass: {tokens, texts}, model}, position) {
    const {id, sentence, from, to} = tokens[position];
    return id === model.special?.unk ? (texts?.[sentence]?.slice(from, to) ?? '') : '';
}

/** @param {{fill: import('../view.js').Fill, piece: string, t: import('../view.js').Texts, masked:
 *     boolean}} props */
const Expected = ({fill, piece, t, masked}) =>
    h(
        'div',
        {class: 'expected'},
        h('h3', null, masked ? t.head.expectedMasked : t.head.expected, ' ', h('bdi', null, piece)),
        h(
            'ol',
            null,
            fill.words.map(word =>
                h(
                    'li',
                    {key: word.id},
                    h('bdi', null, word.piece),
                    h('span', {class: 'number'}, percent(word.probability)),
                ),
            ),
        ),
    );

/** Of one token only. @param {Props} props */
export function Reading({state, data, t, scene, chosen}) {
    if (chosen.indexes.length > 1) return null;
    const unit = scene.tokens[chosen.indexes[0]];
    const unknown = positionsOf(unit)
        .filter(position => !state.masked.includes(position))
        .map(position => unknownAt(data, position))
        .filter(Boolean);
    const masked = canMask(data.model) ? maskedIn(unit, state.masked) : 0;
    const fills = [...data.fills, ...wordLabels(data.pass)].filter(
        ({index}) => unit.index <= index && index <= unit.last,
    );
    return [
        masked > 0 && h('p', {class: 'reading'}, t.head.maskedHere),
        unknown.length > 0 &&
            h(
                'p',
                {class: 'reading'},
                t.head.unknown,
                ' ',
                unknown.map((text, i) => [i > 0 && t.comma, h('bdi', {key: i}, text)]),
            ),
        fills.map(fill =>
            h(Expected, {
                key: fill.index,
                fill,
                t,
                piece: unknownAt(data, fill.index) || data.pass.tokens[fill.index].piece,
                masked: state.masked.includes(fill.index),
            }),
        ),
    ];
}
