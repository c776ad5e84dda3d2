/* The switch between attention weights and what heads move: every view that has it draws C's shares in the
 * place of the weights, files have the lengths themselves, one sentence says where both differ, and
 * attention from a file stays with its weights. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {h} from 'preact';
import {FORMATS} from '../../web/save/attention.js';
import {defaults, parseHash, update} from '../../web/state/state.js';
import {loadView} from '../../web/views/index.js';
import {needName, withoutValues} from '../../web/views/needs.js';
import {notesOf} from '../../web/views/head/caption.js';
import {selection, shownName} from '../../web/views/head/scene.js';
import {differSaid} from '../../web/views/parts/differ.js';
import {Show} from '../../web/views/parts/show.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const PAIR = {text: 'the cat sat.', textB: 'a dog ran', layer: 1, heads: [2]};
const values = rows => rows.flat().flatMap(cell => (cell.value === undefined ? [] : [cell.value]));

test(
    'each view asks for what is moved instead of weights, and shows other numbers',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        for (const id of ['head', 'heatmap', 'model', 'neuron', 'find']) {
            const view = await loadView(id);
            assert.ok(view.controls.includes('show'), id);
            const patch = {...PAIR, view: id, from: 1, to: 2};
            const [weight, moved] = await Promise.all(
                ['weight', 'moved'].map(show => golden(view, {...patch, show})),
            );
            const names = ({state, data}) => view.needs(state, data.model).map(needName);
            assert.ok(
                names(moved).some(name => name.startsWith('measure.moved_')),
                `${id}: ${names(moved)}`,
            );
            assert.ok(!names(weight).some(name => name.includes('moved')), id);
            const tables = [weight, moved].map(({state, data}) => view.table(state, data, en));
            assert.notDeepEqual(tables[0].rows, tables[1].rows, id);
            if (id !== 'heatmap') assert.ok(tables[1].columns.includes(en.moved), id);
            assert.notEqual(
                tables[0].caption + tables[0].columns,
                tables[1].caption + tables[1].columns,
            );
        }
    },
);

test(
    'the heat map has the shares of C, the maps of the whole layer, and value zeroing',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        const view = await loadView('heatmap');
        const of = async show => {
            const {state, data} = await golden(view, {...PAIR, view: 'heatmap', show});
            return {data, table: view.table(state, data, en), said: view.describe(state, data, zh)};
        };
        const moved = await of('moved');
        const T = moved.data.pass.tokens.length;
        const shares = moved.data.tensors
            .get('measure.moved_shares.1')
            .data.subarray(2 * T * T, 3 * T * T);
        assert.deepEqual(values(moved.table.rows), [...shares]);
        for (let i = 0; i < T; i++) {
            const sum = shares.subarray(i * T, (i + 1) * T).reduce((all, one) => all + one, 0);
            assert.ok(Math.abs(sum - 1) < 1e-5);
        }
        const through = await of('through');
        assert.equal(through.table.columns.at(-1), en.heatmap.mixedColumn);
        const mixing = through.data.tensors.get('measure.mixing').data.subarray(T, 2 * T);
        assert.deepEqual(
            through.table.rows.map(row => row.at(-1).value),
            [...mixing],
        );
        for (const [show, name] of [
            ['together', 'measure.moved_together.1'],
            ['zeroing', 'measure.zeroing.1'],
        ]) {
            const {data, table, said} = await of(show);
            assert.deepEqual(values(table.rows), [...data.tensors.get(name).data], show);
            assert.ok(said.includes(zh.heatmap.maps[show]), said);
        }
        assert.deepEqual(
            values((await of('nothing')).table.rows),
            values((await of('weight')).table.rows),
            'a word that is not known means weights',
        );
    },
);

test('where weight and what is moved differ most, in a sentence', () => {
    const map = row => ({data: Float32Array.from([row, row, row].flat()), shape: [1, 3, 3]});
    const data = moved => ({
        model: {layers: 1, heads: 1},
        pass: {tokens: ['[CLS]', 'cat', '.'].map(piece => ({piece}))},
        tensors: new Map([
            ['attention.0', map([0.7, 0.2, 0.1])],
            ['measure.moved_shares.0', map(moved)],
        ]),
    });
    const state = {layer: 0, heads: [], mix: 'heads'};
    assert.equal(
        differSaid(state, data([0.04, 0.5, 0.46]), en.differ),
        en.differ.differ('[CLS]', '70.0 %', '4.0 %'),
    );
    const alike = data([0.68, 0.21, 0.11]);
    assert.equal(differSaid(state, alike, en.differ), en.differ.alike('5.0 %'));
    assert.equal(
        differSaid({...state, mix: 'rollout'}, alike, en.differ),
        '',
        'of no single layer',
    );
});

for (const name of ['bert-tiny-random', 'gpt2-next'])
    test(
        `${name}: a head that is off has no shares: nothing of it is drawn, said or counted`,
        {skip},
        async () => {
            const golden = await openGolden(name);
            const heads = [0, 1, 2, 3];
            for (const id of ['head', 'heatmap', 'model', 'neuron', 'find'])
                for (const off of [
                    ['1.2'],
                    heads.map(head => `1.${head}`),
                    heads.flatMap(head => [`0.${head}`, `1.${head}`]),
                ])
                    for (const more of [
                        {},
                        {mix: 'mean', heads: []},
                        {measure: 'entropy', order: 'all', ask: 'self'},
                        {heads: []},
                    ]) {
                        const view = await loadView(id);
                        const patch = {
                            ...PAIR,
                            view: id,
                            from: 2,
                            to: 1,
                            show: 'moved',
                            off,
                            ...more,
                        };
                        const {state, data} = await golden(view, patch);
                        const {rows} = view.table(state, data, en);
                        const shown = JSON.stringify([rows, view.describe(state, data, en)]);
                        assert.doesNotMatch(
                            shown,
                            /NaN|Infinity|null|undefined/,
                            `${id} ${JSON.stringify(patch)}`,
                        );
                        const look = {width: 640, theme: 'light', focus: null};
                        const svg = renderToString(view.svg(state, data, look, en));
                        assert.doesNotMatch(
                            svg,
                            /NaN|Infinity|undefined/,
                            `${id} ${JSON.stringify(patch)}`,
                        );
                    }
        },
    );

test('means are over the heads that are on', {skip}, async () => {
    const golden = await openGolden('bert-tiny-random');
    const view = await loadView('head');
    const patch = {...PAIR, view: 'head', show: 'moved', mix: 'mean'};
    const mean = async more => {
        const {state, data} = await golden(view, {...patch, ...more});
        return {state, data, rows: view.table(state, data, en).rows};
    };
    const all = await mean({heads: [], off: ['1.2']});
    const others = await mean({heads: [0, 1, 3], off: ['1.2']});
    const plain = await mean({heads: []});
    assert.notDeepEqual(plain.rows.map(values), others.rows.map(values));
    assert.deepEqual(all.rows.map(values), others.rows.map(values));
    assert.equal(differSaid({...all.state, heads: [2]}, all.data, en.differ), '');
});

test('attention from a file stays with its weights; the switch is grey and says why', () => {
    const asked = update(defaults, {show: 'moved'});
    assert.equal(withoutValues(asked).show, 'weight');
    assert.equal(withoutValues(defaults), defaults);
    const html = (family, t = en) =>
        renderToString(
            h(Show, {
                ...{state: asked, set() {}, t},
                data: {model: {family, layers: 1}, tensors: new Map()},
            }),
        );
    for (const t of [en, zh]) {
        assert.match(html('imported', t), /<fieldset[^>]* disabled/);
        assert.ok(html('imported', t).includes(t.shows.imported));
    }
    assert.doesNotMatch(html('bert'), /disabled/);
    assert.match(html('bert'), /value="moved" checked/);
});

test('old links show weights; a link names what is moved', () => {
    assert.equal(parseHash('#v=2&view=heatmap').show, 'weight');
    assert.equal(parseHash('#layer=3').show, 'weight');
    assert.equal(parseHash('#v=2&show=moved').show, 'moved');
});

test('files of what is moved are called so', async () => {
    const source = {
        ...{model: 'm', tokens: [{piece: 'a', sentence: 0}], layers: 1, heads: 1, of: 'moved'},
        read: async () => Float32Array.of(2.5),
    };
    const text = async format => new Blob(await FORMATS[format].make(source)).text();
    assert.match(await text('csv'), /,key_token,moved\r\n0,0,0,a,0,a,2\.5\r\n/);
    assert.deepEqual(JSON.parse(await text('json')).moved, [[[[2.5]]]]);
    assert.match(await text('safetensors'), /"moved\.0"/);
});

test(
    'the mean of heads of what is moved is the mean of their shares; the caption says it',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        const view = await loadView('head');
        const of = patch => golden(view, {...PAIR, view: 'head', show: 'moved', ...patch});
        const {state, data} = await of({heads: [0, 2], mix: 'mean'});
        const T = data.pass.tokens.length;
        const shares = data.tensors.get('measure.moved_shares.1').data;
        const {attention} = selection(state, data);
        for (let i = 0; i < T * T; i++)
            assert.ok(Math.abs(attention.data[i] - (shares[i] + shares[2 * T * T + i]) / 2) < 1e-6);
        for (const t of [en, zh])
            assert.equal(notesOf(state, data, t)[0], shownName(state, data, t));
        assert.match(notesOf(state, data, en)[0], /mean of .*, what is moved/);
        assert.doesNotMatch(`${en.head.carriedNote(40)} ${zh.head.carriedNote(40)}`, /weight|权重/);
    },
);
