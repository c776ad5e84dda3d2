/* The view of next words without a browser: the probabilities of a draw, what a golden GPT-2 expects and
 * writes, what a masked model and one without words show.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {inputOf} from '../../web/session/compute.js';
import {percent} from '../../web/draw/scale.js';
import {defaults, formatHash, parseHash, update} from '../../web/state/state.js';
import {canPress, LOCAL, writeOn} from '../../web/views/next/page.js';
import {changing, drawn, pick} from '../../web/views/next/scene.js';
import {settled} from '../../web/views/next/lens.js';
import {inkOfRank} from '../../web/views/next/lens_map.js';
import {nextView} from '../../web/views/next/view.js';
import {kindOf} from '../../web/views/parts/lens.js';
import {stepsView} from '../../web/views/steps/view.js';
import {root} from './lib/model.mjs';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const word = (id, probability) => ({id, piece: `w${id}`, probability});
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test('temperature and top-k: softmax(logits / T) over the k most probable', () => {
    const logits = [2, 1, 0, -3];
    const sum = logits.reduce((all, one) => all + Math.exp(one), 0);
    const words = logits.map((one, id) => word(id, Math.exp(one) / sum));
    for (const [temperature, topK] of [
        [1, 4],
        [0.5, 3],
        [2, 2],
        [0.1, 100],
    ]) {
        const kept = logits.slice(0, topK).map(one => Math.exp(one / temperature));
        const all = kept.reduce((total, one) => total + one, 0);
        drawn(words, {temperature, topK}).forEach(({share}, i) => near(share, kept[i] / all));
    }
    assert.deepEqual(
        drawn(words, {temperature: 2, topK: 1}).map(({share}) => share),
        [1],
        'greedy',
    );
    const tiny = drawn([word(0, 1), word(1, 1e-300), word(2, 0)], {temperature: 0.1, topK: 3});
    assert.deepEqual(
        tiny.map(({share}) => share),
        [1, 0, 0],
        'nothing overflows',
    );
    assert.deepEqual(drawn([], {temperature: 1, topK: 5}), []);
});

test('top-p: the fewest words that reach it, of what temperature and top-k leave', () => {
    const words = [0.5, 0.25, 0.125, 0.0625].map((p, id) => word(id, p));
    const kept = (topP, how = {}) => drawn(words, {temperature: 1, topK: 4, topP, ...how});
    const ids = list => list.map(({id}) => id);
    assert.deepEqual(ids(kept(1)), [0, 1, 2, 3]);
    assert.deepEqual(ids(kept(0.5)), [0], '0.533 of these four');
    assert.deepEqual(ids(kept(0.6)), [0, 1]);
    assert.deepEqual(ids(kept(0.6, {topK: 2})), [0], '0.667 of these two');
    assert.deepEqual(ids(kept(0.5, {temperature: 2})), [0, 1], 'hotter: 0.387 and 0.273');
    assert.deepEqual(ids(kept(0.01)), [0], 'one at least');
    near(kept(0.6)[1].share, 1 / 3);
});

test('a word by chance is drawn as often as its share, and the last where sums fall short of 1', () => {
    const words = drawn([word(7, 0.5), word(8, 0.3), word(9, 0.2)], {temperature: 1, topK: 3});
    assert.deepEqual(
        [0, 0.49, 0.51, 0.79, 0.81, 1].map(chance => pick(words, chance).id),
        [7, 7, 8, 8, 9, 9],
    );
});

test('at first no setting changes what the model says, and each one alone does', () => {
    assert.equal(changing(LOCAL), null);
    for (const one of [{temperature: 1.1}, {topK: LOCAL.topK - 1}, {topP: 0.95}])
        assert.deepEqual(changing({...LOCAL, ...one}), {...LOCAL, ...one});
});

test('what a model predicts', () => {
    assert.equal(kindOf({predicts: ['next_word']}), 'next');
    assert.equal(kindOf({predicts: ['masked_words'], mlm: true}), 'masked');
    assert.equal(kindOf({predicts: ['labels'], mlm: false}), '');
    const of = (kind, isEnd, isMask, isFull) => canPress({kind, isEnd, isMask, isFull});
    assert.ok(of('next', true, false, false) && !of('next', false, false, false));
    assert.ok(!of('next', true, false, true) && of('masked', false, true, false));
});

test(
    'a GPT writes: its word is a token of the text, by its id, in every view and in the link',
    {skip},
    async () => {
        const golden = await openGolden('gpt2-next');
        const typed = {view: 'next', text: 'the cat sat', textB: ''};
        const {state, data} = await golden(nextView, typed);
        const T = data.pass.tokens.length;
        const scene = nextView.scene(state, data);
        assert.deepEqual([scene.at, scene.isEnd, scene.written], [T - 1, true, 0]);
        let written = '';
        for (let i = 0; i < 3; i++) {
            const {data: now} = await golden(nextView, {...typed, written});
            const [best] = nextView.scene(update(defaults, {...typed, written}), now).words;
            written = [...written.split('.').filter(Boolean), best.id].join('.');
        }
        const after = await golden(nextView, {...typed, written});
        assert.deepEqual(
            after.data.pass.tokens.slice(T).map(({id}) => id),
            written.split('.').map(Number),
        );
        assert.deepEqual(
            after.data.pass.tokens.slice(0, T).map(({id}) => id),
            data.pass.tokens.map(({id}) => id),
        );
        assert.equal(after.data.pass.written.count, 3);
        const all = after.data.tensors.get('predictions.all.100');
        assert.equal(all.length, T + 3);
        written.split('.').forEach((id, i) => assert.equal(all[T - 1 + i].words[0].id, Number(id)));
        assert.equal(parseHash(formatHash(after.state)).written, written);
        const changed = await golden(nextView, {...typed, written, off: ['0.1']});
        assert.equal(changed.data.pass.tokens.length, T + 3, 'also with a head off');
    },
);

test(
    'until the predictions of all positions have come no table and no shades are drawn',
    {skip},
    async () => {
        const golden = await openGolden('gpt2-next');
        const {state, data} = await golden(nextView, {
            view: 'next',
            text: 'the cat sat',
            textB: '',
        });
        const tensors = new Map(data.tensors);
        tensors.delete('predictions.all.100');
        for (const [given, is] of [
            [data, true],
            [{...data, tensors}, false],
        ]) {
            const scene = nextView.scene(state, given);
            assert.equal(scene.isWhole, is);
            const svg = renderToString(
                nextView.svg(state, given, {width: 640, theme: 'light', focus: null}, en),
            );
            assert.equal(svg.includes(en.next.waits), !is);
            assert.equal(svg.includes(en.next.columns.there.next), is);
        }
    },
);

/** A page of a model that writes: what the view tells it changes its state, and a pass comes when asked for. */
async function writer(typed, local) {
    const golden = await openGolden('gpt2-next');
    const page = {state: update(defaults, {view: 'next', textB: '', ...typed})};
    page.local = {...LOCAL, ...local};
    const on = {
        set: patch => (page.state = update(page.state, patch)),
        local: patch => Object.assign(page.local, patch),
    };
    page.come = async () => (page.data = (await golden(nextView, page.state)).data);
    page.step = (model, chance = 0) => {
        const data = {...page.data, model: {...page.data.model, ...model}};
        const scene = nextView.scene(page.state, data);
        writeOn({state: page.state, data, scene, on, look: {local: page.local}}, chance);
        return page.state.written;
    };
    await page.come();
    return page;
}

test(
    'what it writes on is what generate of transformers writes, a word a pass',
    {skip},
    async () => {
        const greedy = JSON.parse(readFileSync(`${root}tests/golden/greedy.json`, 'utf8'));
        const [{ids, written}] = greedy['gpt2-next'];
        const page = await writer({text: 'T', written: ids.slice(1).join('.')}, {left: 6});
        assert.deepEqual(
            page.data.pass.tokens.map(({id}) => id),
            ids,
        );
        for (let count = 1; count <= 6; count++) {
            const wanted = [...ids.slice(1), ...written.slice(0, count)].join('.');
            assert.equal(page.step(), wanted);
            assert.equal(page.step(), wanted, 'it waits for the pass of what it wrote');
            assert.equal(page.local.left, 6 - count);
            await page.come();
        }
        assert.equal(page.step(), page.state.written, 'as many as were asked for');
        assert.equal(page.local.ended, false);
    },
);

test(
    'writing on stops at the end of a text, at a full model and while another token is chosen',
    {skip},
    async () => {
        const page = await writer({text: 'the cat sat'}, {left: 3});
        const [best, second] = nextView.scene(page.state, page.data).words;
        const T = page.data.pass.tokens.length;
        assert.equal(page.step({positions: T}), '');
        assert.deepEqual([page.local.left, page.local.ended], [0, false], 'full');
        page.local.left = 3;
        assert.equal(page.step({ends: [second.id, best.id]}), '');
        assert.deepEqual([page.local.left, page.local.ended], [0, true], 'the end');
        page.local.left = 3;
        page.state = update(page.state, {token: 1});
        assert.equal(page.step(), '');
        assert.deepEqual([page.local.left, page.local.ended], [3, true], 'another token');
        page.state = update(page.state, {token: -1});
        assert.equal(page.step({positions: T + 1}), String(best.id), 'room for one more');
        assert.deepEqual([page.local.left, page.local.ended], [2, false]);
        const drawn = await writer({text: 'the cat sat'}, {left: 1, how: 'random', topK: 2});
        assert.equal(drawn.step({}, 0.999), String(second.id), 'the less probable of two');
    },
);

test(
    'what stands there, in what is predicted of it: of the next token, or of a token itself',
    {skip},
    async () => {
        for (const [name, ahead] of [
            ['gpt2-next', 1],
            ['bert-tiny-random', 0],
        ]) {
            const golden = await openGolden(name);
            const typed = {view: 'next', text: 'the cat sat on the mat', textB: '', masked: []};
            const {state, data} = await golden(nextView, typed);
            const scene = nextView.scene(state, data);
            const {tokens} = data.pass;
            const lists = data.tensors.get('predictions.all.100');
            let found = 0;
            tokens.forEach((_, index) => {
                const {words} = lists[index];
                const there = tokens[index + ahead];
                const word = there && words.find(({id}) => id === there.id);
                assert.equal(scene.actual(index), word ?? null, `${name} ${index}`);
                assert.equal(scene.under(index), there ? words.at(-1).probability : 0);
                found += Boolean(word);
            });
            assert.ok(
                found > 0 && found < tokens.length,
                `${name}: some are among the words asked for`,
            );
            const of = positions =>
                nextView.scene(state, {...data, model: {...data.model, positions}}).isFull;
            assert.deepEqual(
                [-1, 0, 1].map(more => of(tokens.length + more)),
                [true, true, false],
            );
        }
    },
);

test('text cut anew: said where it has other tokens', {skip}, async () => {
    const golden = await openGolden('gpt2-next');
    const typed = {view: 'next', text: 'the cat sat', textB: ''};
    const {data} = await golden(nextView, typed);
    const own = data.pass.tokens.slice(-1)[0].id;
    const joined = await golden(nextView, {...typed, text: 'the cat', written: String(own)});
    const ids = ({pass}) => pass.tokens.map(({id}) => id);
    assert.deepEqual(ids(joined.data), ids(data));
    assert.equal(joined.data.pass.written.joins, true);
    const letters = [];
    for (const text of ['c', 'a', 't'])
        letters.push(ids((await golden(nextView, {...typed, text})).data).at(-1));
    const apart = await golden(nextView, {...typed, text: 'the', written: letters.join('.')});
    const {joins} = apart.data.pass.written;
    const said = renderToString(
        nextView.render(
            apart.state,
            {...apart.data, t: en, theme: 'light', width: 900, focus: null},
            {set() {}},
        ),
    );
    assert.equal(joins, false, 'c, a, t is cat');
    assert.ok(said.includes(en.next.parts));
});

test('ids are only for a causal model, and never out of the vocabulary', {skip}, async () => {
    const state = update(defaults, {written: '5.6'});
    assert.deepEqual(inputOf(state, {special: {mask: 3}, predicts: ['masked_words']}).appended, []);
    const golden = await openGolden('gpt2-next');
    await assert.rejects(
        golden(nextView, {view: 'next', text: 'the', textB: '', written: '999999'}),
        /999999/,
    );
});

test(
    'a masked model is asked about a token once it is hidden; a model without words says so',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        const {state, data} = await golden(nextView, {
            ...{view: 'next', text: 'the cat sat', textB: '', masked: [2]},
        });
        const scene = nextView.scene(state, data);
        assert.deepEqual([scene.kind, scene.at, scene.isMask], ['masked', 2, true]);
        for (const t of [en, zh]) {
            const {columns, rows} = nextView.table(state, data, t);
            assert.equal(rows.length, 5);
            for (const row of rows) assert.equal(row.length, columns.length);
            assert.match(nextView.describe(state, data, t), /2.*\d %/);
        }
        const bare = await openGolden('bert-tiny-bare');
        const none = await bare(nextView, {view: 'next', text: 'the cat', textB: ''});
        assert.equal(nextView.describe(none.state, none.data, en), en.next.none);
        assert.deepEqual(nextView.needs(none.state, none.data.model), []);
        const page = renderToString(
            nextView.render(
                none.state,
                {...none.data, t: en, theme: 'light', width: 900, focus: null},
                {set() {}},
            ),
        );
        assert.ok(page.includes(en.next.none));
        assert.equal(LOCAL.left, 0);
    },
);

test('the lens in a sentence: from which layer on the last word comes first, and that it did before', () => {
    const said = (ranks, t = en) =>
        settled(
            {last: 'cat', layers: ranks.map((rank, i) => ({name: i, rank, share: (i + 1) / 10}))},
            t,
        );
    assert.match(said([3, 1, 1, 1]), /“cat” .* from layer 1 on: 20.0 % after it, 40.0 % after/);
    assert.match(
        said([1, 1, 1]),
        /from layer 0 on: 10.0 % after it, 30.0 % after the last layer\.$/,
    );
    assert.match(said([9, 2, 1]), /only after the last layer: 30.0 %\.$/);
    assert.match(said([1, 2, 1, 1]), /from layer 2 on: 30.0 %.* It was after layer 0 too/);
    assert.match(
        said([5, 1, 2, 1]),
        /word after the last layer: 40.0 %\. It was after layer 1 too/,
    );
    assert.match(said([1]), /only after the last layer: 10.0 %\.$/);
    assert.match(said([5, 1, 2, 1], zh), /^“cat”在最后一层.*40.0 %。第 1 层之后也曾是/);
});

test('the lens at every position: each column is the lens there; files', {skip}, async () => {
    const golden = await openGolden('gpt2-next');
    const typed = {view: 'next', text: 'the cat sat', textB: '', lens: true};
    const {state, data} = await golden(nextView, typed);
    const {map} = nextView.scene(state, data);
    const [L, T] = [data.model.layers, data.pass.tokens.length];
    for (let token = 0; token < T; token++) {
        const one = await golden(nextView, {...typed, lens: false, token});
        const {lens} = nextView.scene(one.state, one.data);
        assert.equal(map.last[token], lens.last);
        lens.layers.forEach(({piece, probability, rank, share}, layer) =>
            assert.deepEqual(map.cell(layer, token), {piece, probability, rank, share}),
        );
        assert.deepEqual(nextView.more(one.state, one.data, en)[0].table.rows.length, L);
    }
    assert.deepEqual([1, 10, 1e4, 3e4].map(inkOfRank), [1, 0.75, 0, 0]);
    for (const t of [en, zh]) {
        const [{id, table}] = nextView.more(state, data, t);
        assert.equal(id, 'lens');
        assert.deepEqual([table.rows.length, table.rows[0].length], [L * T, table.columns.length]);
        const svg = nextView.svg(state, data, {theme: 'light', width: 640, focus: null}, t);
        assert.ok(renderToString(svg).includes(t.next.lens.map));
    }
    assert.equal(parseHash(formatHash(state)).lens, true);
    const bare = await openGolden('bert-tiny-bare');
    const none = await bare(nextView, {...typed, view: 'next'});
    assert.deepEqual(nextView.more(none.state, none.data, en), [], 'no words, no lens');
});

test('the logit lens: a row a layer, the last of which is the prediction', {skip}, async () => {
    for (const [name, patch] of [
        ['gpt2-next', {}],
        ['gpt2-next', {token: 1}],
        ['bert-tiny-random', {masked: [2]}],
        ['bert-tiny-random', {token: 99}],
    ]) {
        const golden = await openGolden(name);
        const typed = {view: 'next', text: 'the cat sat', textB: '', ...patch};
        const {state, data} = await golden(nextView, typed);
        const scene = nextView.scene(state, data);
        const {layers, last} = scene.lens;
        assert.equal(layers.length, data.model.layers);
        const final = layers.at(-1);
        const [best] = scene.words;
        assert.deepEqual([final.piece, final.rank, last], [best.piece, 1, best.piece], name);
        assert.ok(Math.abs(final.probability - best.probability) < 1e-6);
        assert.ok(layers.every(({rank, share}) => rank >= 1 && share > 0 && share <= 1));
        const one = nextView.scene(update(state, {oneBased: true}), data);
        assert.equal(one.lens.layers[0].name, 1);
        const svg = nextView.svg(state, data, {theme: 'light', width: 640, focus: null}, zh);
        assert.ok(renderToString(svg).includes(zh.next.lens.title));
    }
});

test(
    'step by step, the last step: the words after this layer are those of the lens; none without words',
    {skip},
    async () => {
        const golden = await openGolden('gpt2-next');
        const shown = ({state, data}, t) =>
            renderToString(
                stepsView.render(
                    state,
                    {...data, t, theme: 'light', width: 900, focus: null},
                    {set() {}},
                ),
            );
        const typed = {view: 'steps', text: 'the cat sat', textB: '', step: 99, token: 1};
        for (const layer of [0, 1]) {
            const steps = await golden(stepsView, {...typed, layer});
            const next = await golden(nextView, {...typed, view: 'next'});
            const {piece, probability} = nextView.scene(next.state, next.data).lens.layers[layer];
            for (const t of [en, zh]) {
                const page = shown(steps, t);
                const found = renderToString(
                    h('p', null, h('bdi', {class: 'key'}, piece), ` ${percent(probability)}`),
                );
                assert.ok(page.includes(found.slice(3, -4)), found);
                const isLast = layer === steps.data.model.layers - 1;
                assert.ok(page.includes(t.steps.ends(layer, isLast).before), `${layer}`);
            }
        }
        const early = await golden(stepsView, {...typed, step: 2});
        assert.ok(![...early.data.tensors.keys()].some(name => name.includes('lens')));
        const bare = await openGolden('bert-tiny-bare');
        const none = await bare(stepsView, typed);
        assert.ok(shown(none, en).includes(en.steps.noWords));
    },
);
