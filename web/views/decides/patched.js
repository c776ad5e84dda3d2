/* patched - the answer to patch.js, drawn and told: a ranked list, layers × tokens, layers × heads.
 */
import {h} from 'preact';
import {labelledSelect} from '../../draw/select.js';
import {group} from '../../draw/blocks.js';
import {note, title} from '../../draw/blocks/prose.js';
import {rows as rowsBlock} from '../../draw/blocks/rows.js';
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {terms} from '../../draw/blocks/terms.js';
import {signed} from '../../draw/chart.js';
import {headName} from '../../draw/head_name.js';
import {percent} from '../../draw/scale.js';
import {Entered} from '../parts/entered.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../asked.js').Effect} Effect
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').Cell} Cell
 * @typedef {import('../../draw/blocks.js').Props} Props
 * @typedef {NonNullable<Scene['patch']>} Patch
 */

const FIRST = 10; // of the list
const [LABEL, LAYER] = [96, 48]; // px of columns

/** isWhole: of a token both are named, the one that comes in and the one that it replaces; else the former, since a list
 * has little room. @param {Effect} effect @param {Scene} scene @param {Texts} t */
function partName(
    {kind, layer = 0, head = 0, position = 0},
    {tokens, count, patch},
    t,
    isWhole = true,
) {
    if (kind !== 'patch_token') return headName(count(layer), count(head));
    const {piece} = tokens[position];
    const other = patch?.others?.[patch.pair?.from ?? position].piece ?? piece;
    const own = t.decides.token(position, isWhole ? piece : other);
    return t.decides.patch.row(
        count(layer),
        other === piece || !isWhole ? own : t.decides.patch.swap(other, own),
    );
}

/** @param {Scene} scene @param {Texts} t */
export function sayPatch(scene, t) {
    const patch = /** @type {Patch} */ (scene.patch);
    const {problem, words, onto, of, row, isHalf, head, away} = patch;
    const said = t.decides.patch;
    if (problem === 'waits') return said.waits;
    if (problem === 'none') return said.none;
    if (problem === 'refused') return patch.refused;
    const [a, b] = words;
    const values = said.values(b ? said.contrast(a, b) : said.one(a), signed(onto), signed(of));
    if (problem) return `${values} ${said.same}`;
    if (patch.there < patch.all) return values;
    /** @param {Effect | undefined} one @param {(name: string, share: string) => string} say */
    const tell = (one, say) =>
        one ? [say(partName(one, scene, t), percent(one.recovered ?? 0))] : [];
    return [
        values,
        ...tell(row, isHalf ? said.kept : said.most),
        ...tell(head, said.byHead),
        ...tell(away, said.away),
        ...(patch.unchanged ? [said.unchanged(patch.unchanged, patch.there)] : []),
    ].join(' ');
}

/** One token of a text. @param {{label: string, tokens: readonly {piece: string}[], value: number, choose: (i: number) => void}} props */
const Choice = ({label, tokens, value, choose}) =>
    labelledSelect(label, {
        ...{value, onChoose: i => choose(Number(i))},
        options: tokens.map(({piece}, i) => ({value: i, name: `${i} ${piece}`})),
    });

/** The other text, and which tokens are set against each other where it has not as many. @param {Props} props */
export function Other({state, data: {t}, on, scene}) {
    const {patch, tokens, target} = scene;
    const said = t.decides.patch;
    const placeholder = target?.labels.length ? '' : said.example; // has a gap
    return h(
        'div',
        {class: 'decides-patch'},
        h(
            'label',
            null,
            `${said.ask} `,
            h(Entered, {
                ...{type: 'search', value: state.patch, placeholder, maxLength: 400},
                onEnter: text => on.set({patch: text, from: -1, to: -1}),
            }),
        ),
        patch?.pair && [
            h('p', {class: 'hint'}, said.other(tokens.length, patch.others.length)),
            h(Choice, {
                ...{label: said.to, tokens, value: patch.pair.to},
                choose: to => on.set({...patch.pair, to}),
            }),
            h(Choice, {
                ...{label: said.from, tokens: patch.others, value: patch.pair.from},
                choose: from => on.set({...patch.pair, from}),
            }),
        ],
    );
}

/** A list with bars. @param {string} id @param {string} heading @param {number} most @param {import('../../draw/blocks/terms.js').Term[]} rows */
export const ranking = (id, heading, most, rows) =>
    group(
        inside => h('section', {class: `decides-${id}`}, inside),
        [title(heading), terms({id, most, rows})],
    );

/** @param {Scene} scene @param {Texts} t */
export function listOf(scene, t) {
    const {told} = /** @type {Patch} */ (scene.patch);
    const rows = told
        .slice(0, FIRST)
        .map(one => ({...{name: partName(one, scene, t, false), value: one.recovered ?? 0}}));
    if (!rows.length) return null;
    return ranking('parts', t.decides.patch.list, Math.max(1, Math.abs(rows[0].value)), rows);
}

/** A row each of `names`, a column each of `cols`. @param {string} id
 * @param {{piece: string}[]} names @param {number} cols @param {Float32Array} data @param {string[]} titles
 * @param {number} [limit] in full colour @param {any[]} [more] columns */
export const gridOf = (id, names, cols, data, [rowTitle, ...titles], limit = 1, more = []) =>
    rowsBlock(
        [
            {
                ...{id: `${id}-names`, kind: TOKENS, title: rowTitle},
                ...{width: id === 'heads' ? LAYER : LABEL, tokens: names},
            },
            {
                ...{id, kind: CELLS, title: titles[0], scale: {limit}},
                grid: {data, rows: names.length, cols, start: 0, rowStep: cols, colStep: 1},
            },
            ...more,
        ],
        {id: `patch-${id}`, titles: [rowTitle, ...titles]},
    );

/** Rows of the stream, and heads. @param {Scene} scene @param {Texts} t */
export function gridsOf(scene, t) {
    const {tokens, layers, heads, count} = scene;
    const {ranked, places = []} = /** @type {Patch} */ (scene.patch);
    if (!ranked.length) return null;
    const [ofTokens, ofHeads] = [places.length, heads].map(n => new Float32Array(n * layers));
    for (const {kind, layer = 0, head = 0, position = 0, recovered} of ranked) {
        if (kind === 'patch_head') ofHeads[layer * heads + head] = recovered ?? 0;
        else ofTokens[places.indexOf(position) * layers + layer] = recovered ?? 0;
    }
    const said = t.decides.patch;
    const names = Array.from({length: layers}, (_, l) => ({piece: String(count(l))}));
    return group(
        inside => h('section', {class: 'decides-grid'}, inside),
        [
            title(said.rows),
            note(said.rowsHint(count(0), count(layers - 1))),
            gridOf(
                'tokens',
                places.map(i => tokens[i]),
                layers,
                ofTokens,
                said.rowTitles,
            ),
            title(said.heads),
            note(said.headsHint),
            gridOf('heads', names, heads, ofHeads, [t.layer, said.heads]),
        ],
    );
}

/** Every patch, the largest first. @param {Scene} scene @param {Texts} t */
export function rowsOfPatch(scene, t) {
    const {ranked} = /** @type {Patch} */ (scene.patch);
    return {
        word: scene.target?.word?.piece,
        caption: sayPatch(scene, t),
        columns: t.decides.patch.columns,
        rows: ranked.map(effect => {
            const {kind, change, recovered} = effect;
            return /** @type {Cell[]} */ ([
                t.decides.kinds[kind],
                {text: partName(effect, scene, t), user: kind === 'patch_token'},
                {value: recovered ?? 0, text: signed(recovered ?? 0, 4)},
                {value: change ?? 0, text: signed(change ?? 0, 4)},
            ]);
        }),
    };
}
