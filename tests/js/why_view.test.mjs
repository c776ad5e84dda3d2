/* The view "Why?" (views/why): its lists sum to the contrast, which is that of the row's weights, on golden
 * models of other kinds; the link stays within the text and its mask; sentences; the engine of its own.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {defaults} from '../../web/state/state.js';
import {decidedBy, linkOf, timesText} from '../../web/views/why/scene.js';
import {saying} from '../../web/views/why/page.js';
import {partName, whyView} from '../../web/views/why/view.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const TEXT = 'the cat sat on the mat because the dog was in the house.';
const sum = list => list.reduce((all, x) => all + x, 0);
const near = (a, b, limit) => assert.ok(Math.abs(a - b) <= limit, `${a} ${b}`);

const placed = (i, {heads}) => ({layer: Math.floor(i / heads), head: i % heads});

const FAMILIES = ['bert-tiny-random', 'gpt2-next', 'llama-next', 'modernbert-masked'];
for (const name of FAMILIES)
    test(`${name}: both lists sum to ln(weight ÷ geometric mean)`, {skip}, async () => {
        const open = await openGolden(name);
        const {state, data} = await open(whyView, {
            ...{view: 'why', text: TEXT, layer: 9, heads: [1], from: 5, to: 2},
        });
        const scene = whyView.scene(state, data);
        const {layer, head, query, key} = scene;
        assert.deepEqual([layer, head, query, key], [data.model.layers - 1, 1, 5, 2]);
        const T = data.pass.tokens.length;
        const a = data.tensors.get(`attention.${layer}`).data;
        const row = a
            .subarray((head * T + query) * T, (head * T + query + 1) * T)
            .filter(x => x > 0);
        const contrast = Math.log(scene.weight) - sum(row.map(Math.log)) / row.length;
        near(scene.numbers.contrast, contrast, 1e-3);
        for (const {parts} of scene.sides) {
            assert.ok(parts.length <= 7 && parts.at(-1).kind === 'rest');
            const brought = parts.filter(({kind}) => kind === 'brought').length;
            assert.ok(brought >= 1 && brought <= 3, `${brought} of the tokens`);
            near(sum(parts.map(({value}) => value)), scene.numbers.contrast, 1e-5);
            const sizes = parts.slice(0, -1).map(({value}) => Math.abs(value));
            assert.deepEqual(
                sizes,
                sizes.toSorted((x, y) => y - x),
                'the largest first',
            );
        }
        const {rows, columns} = whyView.table(state, data, en);
        assert.equal(columns.length, 5);
        for (const [i, cells] of rows.slice(6).entries()) {
            const cut = scene.cutOf(i < layer ? {layer: i} : placed(i - layer, data.model));
            const weights = cells.slice(3).map(({value}) => value);
            assert.deepEqual(weights, [cut.key, cut.query], `what stands beside ${cells[0]}`);
        }
        for (const side of [1, 2])
            near(sum(rows.map(cells => cells[side].value)), scene.numbers.contrast, 1e-4);
        assert.equal(
            scene.sides[0].parts.some(({kind}) => kind === 'itself'),
            name === 'gpt2-next',
        );
        for (const t of [en, zh]) {
            for (const part of scene.sides[1].parts) assert.ok(partName(part, scene, t).length > 1);
            assert.doesNotMatch(whyView.describe(state, data, t), /undefined|NaN/);
        }
    });

test(
    'the first MLP of GPT-2 belongs to the token itself, above layer 0 and in no other family',
    {skip},
    async () => {
        for (const [name, layer, first] of [
            ['gpt2-next', 0, 'word'],
            ['gpt2-next', 1, 'itself'],
            ['llama-next', 1, 'word'],
            ['bert-tiny-random', 0, 'word'],
            ['bert-tiny-random', 1, 'word'],
        ]) {
            const open = await openGolden(name);
            const link = {layer, heads: [1], from: 5, to: 2};
            const {state, data} = await open(whyView, {view: 'why', text: TEXT, ...link});
            const scene = whyView.scene(state, data);
            const [rows, mlps] = ['why', 'why_mlps'].map(
                measure => data.tensors.get(`measure.${measure}.${layer}.1.5.2`).data,
            );
            const {layers: L} = data.model;
            const {score, alone, rounding} = scene.numbers; // columns as headlight.h lists them
            assert.deepEqual([score, alone], [rows[6], rows[8]]);
            assert.equal(rounding, Math.max(Math.abs(rows[5]), Math.abs(rows[10 + 5])));
            scene.sides.forEach(({parts}, side) => {
                const [word, mlp] = [rows[side * 10], mlps[side * L]];
                const where = `${name}, layer ${layer}, side ${side}`;
                const names = parts.map(({kind, at}) => (kind === 'mlp' ? `mlp ${at}` : kind));
                const value = kind => parts[names.indexOf(kind)]?.value;
                assert.equal(value(first), first === 'itself' ? word + mlp : word, where);
                assert.equal(value(first === 'word' ? 'itself' : 'word'), undefined, where);
                assert.equal(value('mlp 0'), first === 'word' && layer ? mlp : undefined, where);
                assert.equal(mlp !== 0, layer > 0, where);
                const at = rows.subarray(side * 10, side * 10 + 10);
                assert.equal(value('position'), at[1] + at[2] + at[4] || undefined, where);
                const said = partName(parts[names.indexOf(first)], scene, en);
                assert.equal(said, en.why.parts[first], where);
            });
        }
    },
);

test('the heads that add most on either side come first', {skip}, async () => {
    const open = await openGolden('bert-sixteen-heads');
    const link = {layer: 1, heads: [1], from: 3, to: 2};
    const {state, data} = await open(whyView, {view: 'why', text: TEXT, ...link});
    const {heads} = whyView.scene(state, data);
    const {data: all} = data.tensors.get('measure.why_heads.1.1.3.2');
    const {layers: L, heads: H} = data.model;
    const sizes = Array.from({length: L * H}, (_, i) =>
        Math.max(Math.abs(all[i]), Math.abs(all[L * H + i])),
    );
    assert.deepEqual(
        heads.map(({key, query}) => Math.max(Math.abs(key), Math.abs(query))),
        sizes.toSorted((x, y) => y - x).slice(0, 6),
    );
    for (const {layer, head, key, query} of heads)
        assert.deepEqual([key, query], [all[layer * H + head], all[(L + layer) * H + head]]);
});

test('a head that is off: the weight before and now, and its row', {skip}, async () => {
    const open = await openGolden('bert-tiny-random');
    const asked = {view: 'why', text: TEXT, layer: 1, heads: [0], from: 5, to: 2};
    const plain = await open(whyView, asked);
    const changed = await open(whyView, {...asked, off: ['0.1']});
    const [was, is] = [plain, changed].map(({state, data}) => whyView.scene(state, data));
    assert.equal(is.before, was.weight);
    assert.notEqual(is.weight, was.weight);
    assert.equal(was.before, null);
    const {cut, ...row} = is.heads.at(-1);
    assert.deepEqual(row, {layer: 0, head: 1, key: 0, query: 0});
    const same = Number(is.weight.toPrecision(6));
    assert.deepEqual(cut, {key: same, query: same}, 'what is off has written nothing');
});

test(
    'the part without which the weight changes most, on one side, is said; none in the lowest layer',
    {skip},
    async () => {
        const open = await openGolden('bert-sixteen-heads');
        const link = {layer: 1, heads: [1], from: 3, to: 2};
        const {state, data} = await open(whyView, {view: 'why', text: TEXT, ...link});
        const scene = whyView.scene(state, data);
        const [need] = whyView.deep(state, data).filter(one => 'question' in one);
        const {effects} = data.tensors.get(`asked.${JSON.stringify(need.question)}`);
        const most = effects.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))[0];
        assert.equal(scene.deepest, most);
        const part = most.kind === 'mlp' ? `the MLP of layer ${most.layer}` : `L0·H${most.head}`;
        const side =
            most.into === 'k'
                ? `key “${scene.tokens[2].piece}”`
                : `query “${scene.tokens[3].piece}”`;
        assert.match(
            whyView.describe(state, data, en),
            RegExp(
                `Without what ${part} wrote at the ${side}, .* would be ${most.weight.toFixed(2)}`,
            ),
        );
        const same = {...scene, weight: scene.deepest.weight};
        assert.doesNotMatch(saying(same, en).join(' '), /Without what/, 'it would read the same');
        const low = await open(whyView, {view: 'why', text: TEXT, ...link, layer: 0});
        assert.ok(whyView.deep(low.state, low.data).every(one => 'measure' in one));
        assert.doesNotMatch(whyView.describe(low.state, low.data, en), /Without what/);
    },
);

test('what the mask hides is said, and nothing of it is measured', {skip}, async () => {
    const open = await openGolden('gpt2-next');
    const {state, data} = await open(whyView, {view: 'why', text: TEXT, from: 2, to: 4});
    assert.deepEqual(whyView.deep(state, data), []);
    assert.match(whyView.describe(state, data, en), /Token 2 cannot see token 4/);
    assert.equal(whyView.table(state, data, en).rows.length, 0);
});

test('the link stays within model and text; whose doing it is', () => {
    const model = {layers: 2, heads: 4};
    const at = patch => linkOf({...defaults, ...patch}, model, 3);
    assert.deepEqual(at({}), {layer: 0, head: 0, query: 1, key: 0, isSeen: true, isOnly: false});
    assert.deepEqual(at({from: 9, to: 7, layer: 8, heads: [3]}), {
        ...{layer: 1, head: 3, query: 2, key: 2, isSeen: true, isOnly: false},
    });
    const by = (contrast, alone) => decidedBy({contrast, alone, place: 0}).by;
    assert.equal(by(3.57, 3.96), 'key');
    assert.equal(by(4.63, 0.96), 'query');
    assert.equal(by(3.5, 1.09), 'both');
    assert.equal(by(-1, 0.5), 'weak');
    assert.deepEqual(
        [0.25, 0.26, 0.74, 0.75].map(alone => by(1, alone)),
        ['query', 'both', 'both', 'key'],
    );
    assert.deepEqual(
        [-0.1, -0.09, 0, 0.02, 0.09, 0.1].map(contrast => by(contrast, contrast)),
        ['weak', 'typical', 'typical', 'typical', 'typical', 'key'],
        'of next to nothing there is nobody whose doing it is',
    );
    const placed = place => decidedBy({contrast: 2, alone: 0.1, place}).isPlaced;
    assert.deepEqual([0.9, 1, 1.1].map(placed), [false, false, true]);
    assert.deepEqual([1000, 1096.6, 4.8e9].map(timesText), ['1000', '', ''], 'billions of what?');
    assert.deepEqual([34.1, 1.65, 0.368].map(timesText), ['34', '1.6', '0.37']);
    assert.deepEqual([9.94, 10, 0.996].map(timesText), ['9.9', '10', '1.00']);
});

/** Links of a text drawn by chance, each with its numbers and all that is told of it. */
async function* links(name, count) {
    const open = await openGolden(name);
    let seed = 5;
    const draw = n => (seed = (seed * 48271) % 2147483647) % n;
    const model = (await open(whyView, {view: 'why', text: TEXT, from: 1, to: 0})).data;
    const {layers, heads} = model.model;
    for (let i = 0; i < count; i++) {
        const place = {layer: draw(layers), heads: [draw(heads)], from: draw(14), to: draw(14)};
        const {state, data} = await open(whyView, {view: 'why', text: TEXT, ...place});
        const scene = whyView.scene(state, data);
        yield {place, scene, told: [en, zh].map(t => saying(scene, t).join(' '))};
    }
}

for (const name of ['bert-tiny-random', 'gpt2-next'])
    test(`${name}: what is said of links claims no more than their numbers`, {skip}, async () => {
        const kinds = new Set();
        for await (const {place, scene, told} of links(name, 60)) {
            const [english] = told;
            const {numbers, tokens, query, key} = scene;
            const at = JSON.stringify(place);
            for (const one of told) assert.doesNotMatch(one, /undefined|NaN|Infinity/, at);
            if (!scene.isSeen) continue;
            const times = /: ([\d.]+) times a typical/.exec(english)?.[1];
            if (times) assert.ok(Number(times) <= 1000, `${at}: ${english}`);
            const only = name === 'gpt2-next' && query === 0;
            assert.equal(english.includes('is the only key'), only, at);
            if (only) continue;
            // what would be so for another word at this place is not said of the word
            const [, {rows}] = scene.sides;
            const place0 = rows[1] + rows[2] + rows[4];
            const named = english.includes(`this query, “${tokens[query].piece}”`);
            const placed = english.includes(en.why.placed);
            if (named) assert.ok(place0 <= numbers.contrast / 2, `${at}: ${english}`);
            if (placed) assert.ok(place0 > numbers.contrast / 2, `${at}: ${english}`);
            if (english.includes('less than a typical key')) assert.ok(numbers.contrast <= -0.1);
            if (english.includes('about as much as')) assert.ok(Math.abs(numbers.contrast) < 0.1);
            if (/whatever the query/.test(english)) {
                assert.ok(numbers.alone >= 0.75 * numbers.contrast && numbers.contrast >= 0.1);
                assert.ok(english.includes(`“${tokens[key].piece}” draws`));
            }
            kinds.add(named ? 'named' : placed ? 'placed' : 'other');
        }
        assert.ok(kinds.has('named') || kinds.has('placed'), [...kinds].join());
    });
