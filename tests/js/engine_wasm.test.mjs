/* The engine with the real headlight.wasm on small golden models: from a folder on a server to
 * attention, which passes are held and run again, answers in parts that a newer text overtakes, and
 * what happens after an error. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {mostMoved} from '../../web/compare/most.js';
import {needName} from '../../web/views/needs.js';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {root} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const tiny = `${root}tests/golden/models/`;
const FILES = [
    'config.json',
    'tokenizer_config.json',
    'tokenizer.json',
    'model.safetensors',
    'model.safetensors.index.json',
    'model-00001-of-00002.safetensors',
    'model-00002-of-00002.safetensors',
];

function folderRoutes(name, more = {}) {
    const there = FILES.filter(file => existsSync(`${tiny}${name}/${file}`));
    const routes = Object.fromEntries(
        there.map(file => [`/${name}/${file}`, readFileSync(`${tiny}${name}/${file}`)]),
    );
    const config = {...JSON.parse(routes[`/${name}/config.json`]), ...more};
    return {...routes, [`/${name}/config.json`]: Buffer.from(JSON.stringify(config))};
}

const input = (text, textB = '', more = {}) => ({
    text,
    textB,
    precision: 'fine',
    changes: [],
    words: [],
    ...more,
});
const attention = layer => ({tensor: 'attention', layer});
const maps = model => Array.from({length: model.layers}, (_, layer) => attention(layer));
const all = answers => Promise.all(answers);

/** An engine with a model; `log` has what its worker was told, `counter` how often the wasm has run a
 * forward pass, measured, or read the lens. `config`: members of config.json that differ. */
async function withModel(t, name = 'bert-tiny-random', config = {}) {
    const parts = await withWasm(t, readFileSync(built), folderRoutes(name, config));
    const log = [];
    const counter = {passes: 0, measures: 0, lenses: 0};
    const {instantiate} = WebAssembly;
    t.mock.method(WebAssembly, 'instantiate', async (...args) => {
        const {exports} = await instantiate.apply(WebAssembly, args);
        const counted = (call, what) => ({
            [call]: (...given) => {
                counter[what]++;
                return exports[call](...given);
            },
        });
        return {
            exports: {
                ...exports,
                ...counted('hl_run', 'passes'),
                ...counted('hl_measure', 'measures'),
                ...counted('hl_lens', 'lenses'),
            },
        };
    });
    const {model, info} = await parts.engine.load({url: `${parts.server.url}/${name}/`});
    const [worker] = parts.workers;
    const post = worker.postMessage;
    worker.postMessage = (message, transfer) => {
        log.push(message.op);
        post(message, transfer);
    };
    return {...parts, model, info, log, counter};
}

test(
    'a family that the page’s own files leave out is opened by the one with everything, and predicts the next word',
    {skip},
    async t => {
        const wasm = name => readFileSync(built.replace('headlight.wasm', `${name}.wasm`));
        for (const name of ['mistral-next', 'gpt-neox-next', 'llama-llama3']) {
            const {engine, server, workers} = await withWasm(t, wasm('headlight-page'), {
                ...folderRoutes(name),
                '/headlight-full.wasm': wasm('headlight-full'),
            });
            const {model, info} = await engine.load({url: `${server.url}/${name}/`});
            assert.deepEqual([workers.length, info.predicts], [2, ['next_word']]);
            const want = [...maps(info), {predictions: 'all', top: 3}];
            const answers = await all(
                engine.run({model, input: input('The cat sat'), want}).answers,
            );
            const [first] = answers;
            assert.ok(first.data.every(value => value >= 0 && value <= 1));
            assert.equal(answers.at(-1).at(-1).words.length, 3);
        }
        const {engine, server} = await withWasm(t, wasm('headlight-page'), {
            ...folderRoutes('mistral-next', {model_type: 'mixtral'}),
            '/headlight-full.wasm': wasm('headlight-full'),
        });
        await assert.rejects(engine.load({url: `${server.url}/mistral-next/`}), {
            message:
                /the model_type in config\.json is "mixtral"; the supported families are: bert, .*, mistral, gpt_neox$/,
        });
    },
);

test(
    'a SentencePiece file without tokenizer.json is read by the file with everything',
    {skip},
    async t => {
        const wasm = name => readFileSync(built.replace('headlight.wasm', `${name}.wasm`));
        const golden = name => readFileSync(`${root}tests/golden/sentencepiece/${name}`);
        const {texts, rows} = JSON.parse(golden('ids.json').toString());
        const {'/llama-next/tokenizer.json': _, ...routes} = folderRoutes('llama-next', {
            vocab_size: 700,
        });
        const {engine, server, workers} = await withWasm(t, wasm('headlight-page'), {
            ...routes,
            '/llama-next/tokenizer.model': golden('bytes.model'),
            '/llama-next/tokenizer_config.json': Buffer.from(JSON.stringify(rows[5].config)),
            '/headlight-full.wasm': wasm('headlight-full'),
        });
        const url = `${server.url}/llama-next/`;
        const {model} = await engine.load({url}, {random: 'all'});
        assert.equal(workers.length, 2);
        const {tokens} = await engine.run({model, input: input(texts[70]), want: []}).facts;
        assert.deepEqual(
            tokens.map(({id}) => id),
            rows[5].ids[70],
        );
    },
);

test('from a folder on a server to attention: single file and shards alike', {skip}, async t => {
    const {engine, server} = await withWasm(t, readFileSync(built), {
        ...folderRoutes('bert-tiny-random'),
        ...folderRoutes('bert-tiny-sharded'),
    });
    const found = [];
    for (const name of ['bert-tiny-random', 'bert-tiny-sharded']) {
        await fails(engine.load({url: `${server.url}/absent/`}), 'file', /config.json/);
        const {model, info} = await engine.load({url: `${server.url}/${name}/`}, {store: 'f32'});
        assert.equal(info.store, 'f32');
        const {pass, facts, answers} = engine.run({
            model,
            input: input('a 😀 b', 'b'),
            want: [
                {measure: 'patterns'},
                {measure: 'layer_mean'},
                {predictions: [1], top: 3},
                ...maps(info),
            ],
        });
        const {tokens, milliseconds, texts} = await facts;
        assert.deepEqual(
            tokens.map(({sentence, from, to}) => [sentence, from, to]),
            [
                [-1, 0, 0],
                [0, 0, 1],
                [0, 2, 4],
                [0, 5, 6],
                [-1, 0, 0],
                [1, 0, 1],
                [-1, 0, 0],
            ],
        );
        assert.ok(tokens[0].special && !tokens[1].special && milliseconds >= 0);
        const [measured, averaged, fills, ...layers] = await all(answers);
        assert.deepEqual(measured.shape, [info.patterns.length, info.layers, info.heads]);
        assert.equal(measured.data.length, info.patterns.length * info.layers * info.heads);
        assert.deepEqual(averaged.shape, [info.heads, 7, 7]);
        averaged.data.forEach((mean, i) =>
            assert.ok(
                Math.abs(
                    mean - layers.reduce((sum, layer) => sum + layer.data[i], 0) / info.layers,
                ) < 1e-6,
            ),
        );
        const {data, shape} = layers.at(-1);
        assert.deepEqual(shape, [info.heads, 7, 7]);
        for (let row = 0; row < data.length; row += 7) {
            assert.ok(
                Math.abs(data.subarray(row, row + 7).reduce((sum, p) => sum + p, 0) - 1) < 1e-5,
            );
        }
        assert.deepEqual(texts, ['a 😀 b', 'b']);
        const [{index, words}] = fills;
        assert.deepEqual([index, words.length], [1, 3]);
        assert.ok(
            words[0].probability >= words[1].probability &&
                words[1].probability >= words[2].probability,
        );
        await fails(
            engine.read({pass, want: [{tensor: 'nonsense'}]}).answers[0],
            'state',
            /no tensor 'nonsense'/,
        );
        await fails(
            engine.read({pass, want: [{measure: 'nonsense'}]}).answers[0],
            'state',
            /no measure 'nonsense'/,
        );
        await fails(engine.read({pass, want: [attention(99)]}).answers[0], 'state', /layer 99/);
        await fails(engine.read({pass, want: [{}]}).answers[0], 'state', /a want names one of/);
        await fails(
            engine.read({pass: 999, want: [attention(0)]}).answers[0],
            'state',
            /no pass 999/,
        );
        found.push(data);
    }
    assert.deepEqual(found[0], found[1]);
});

test(
    'keep is not want: what was not kept is computed again when it is asked for, and kept from then on',
    {skip},
    async t => {
        const {engine, model, counter} = await withModel(t);
        const {pass, facts} = engine.run({model, input: input(''), keep: ['attention']});
        assert.equal((await facts).tokens.length, 2);
        assert.equal((await facts).nextSentence, null);
        assert.deepEqual(
            (await engine.read({pass, want: [attention(0)]}).answers[0]).shape.slice(1),
            [2, 2],
        );
        assert.equal(counter.passes, 1);
        for (let i = 0; i < 2; i++)
            await engine.read({pass, want: [{tensor: 'scores', layer: 0}, attention(0)]}).done;
        assert.equal(counter.passes, 2);
        await fails(
            engine.run({model, input: input('a'), keep: ['nonsense']}).facts,
            'state',
            /no tensor 'nonsense'/,
        );
    },
);

test(
    'maps of one layer, or of one head: those that all have; another layer takes their place; measures are of them',
    {skip},
    async t => {
        const {engine, model, info, counter} = await withModel(t);
        const text = input('a b a');
        const patterns = {measure: 'patterns', args: []};
        const all = engine.run({model, input: text, keep: ['attention'], want: [patterns]});
        const [every] = await Promise.all(all.answers);
        const maps = await Promise.all(
            engine.read({
                pass: all.pass,
                want: Array.from({length: info.layers}, (_, layer) => attention(layer)),
            }).answers,
        );
        engine.release({pass: all.pass});
        const [heads, tokens] = maps[0].shape;
        const square = tokens * tokens;
        for (const head of ['', '.1']) {
            const {pass, facts} = engine.run({
                model,
                input: text,
                keep: [`attention.0${head}`, 'hidden'],
            });
            await facts;
            for (const layer of [0, 1, 0]) {
                const before = counter.passes;
                const [map, found] = await Promise.all(
                    engine.read({pass, want: [attention(layer), patterns]}).answers,
                );
                assert.ok(counter.passes - before <= 1);
                const [from, count] = head ? [1, 1] : [0, heads];
                assert.deepEqual(map.shape, [count, tokens, tokens]);
                assert.deepEqual(
                    map.data,
                    maps[layer].data.subarray(from * square, (from + count) * square),
                );
                assert.deepEqual(found.shape, [every.shape[0], 1, count]);
                for (let n = 0; n < every.shape[0]; n++)
                    for (let i = 0; i < count; i++)
                        assert.equal(
                            found.data[n * count + i],
                            every.data[(n * info.layers + layer) * heads + from + i],
                        );
            }
            await fails(
                engine.read({pass, want: [{measure: 'rollout', args: []}]}).answers[0],
                'state',
                /attention was not kept of all layers/,
            );
            engine.release({pass});
        }
    },
);

test('the precision must be said; fine and fast are two inputs', {skip}, async t => {
    const {engine, model} = await withModel(t);
    for (const precision of [undefined, 'best']) {
        await fails(
            engine.run({model, input: input('a b', '', {precision})}).facts,
            'state',
            /precision .* must be said: one of usual, fine, fast/,
        );
    }
    const [fine, fast] = await all(
        ['fine', 'fast'].map(
            precision =>
                engine.run({model, input: input('a b', '', {precision}), want: [attention(0)]})
                    .answers[0],
        ),
    );
    assert.notDeepEqual(fine.data, fast.data);
});

test(
    'two texts read in turn cost two passes, whatever is read of them; a third is run again, with the same bits',
    {skip},
    async t => {
        const {engine, model, info, counter} = await withModel(t);
        const texts = ['a b', 'b a', 'a a b'];
        const runs = texts.map(
            text => engine.run({model, input: input(text), keep: ['attention']}).pass,
        );
        const read = async i =>
            (await all(engine.read({pass: runs[i], want: maps(info)}).answers)).map(({data}) => [
                ...data,
            ]);
        const [first, second] = [await read(0), await read(1)];
        counter.passes = 0;
        for (let turn = 0; turn < 5; turn++) {
            assert.deepEqual(await read(0), first);
            assert.deepEqual(await read(1), second);
        }
        assert.equal(counter.passes, 0, 'both are held');
        const third = await read(2);
        assert.deepEqual([await read(0), await read(1)], [first, second]);
        assert.deepEqual(await read(2), third);
        const fresh = engine.run({model, input: input('b a'), want: maps(info)});
        assert.deepEqual(
            (await all(fresh.answers)).map(({data}) => [...data]),
            second,
        );
    },
);

test(
    'an input that is run again costs nothing while its tensors are there; a released one is gone',
    {skip},
    async t => {
        const {engine, model, counter} = await withModel(t);
        const run = () => engine.run({model, input: input('a b'), want: [attention(0)]});
        const [first, second] = [run(), run()];
        await all([first.done, second.done]);
        assert.equal(counter.passes, 1);
        engine.release({pass: first.pass});
        await engine.read({pass: second.pass, want: [attention(0)]}).done;
        assert.equal(counter.passes, 1, 'another pass has the same input');
        await fails(
            engine.read({pass: first.pass, want: [attention(0)]}).answers[0],
            'state',
            /released/,
        );
        engine.release({pass: second.pass});
        await run().done;
        assert.equal(counter.passes, 2);
        engine.release({model});
        await fails(run().facts, 'state', /no model is loaded/);
    },
);

test(
    'a changed text against the text as typed: one message, two passes, and then one for each further change',
    {skip},
    async t => {
        const {engine, model, info, log, counter} = await withModel(t);
        const off = head => input('a b a', '', {changes: [['head', 0, head]]});
        const want = [
            {measure: 'shift', against: 'plain'},
            attention(0),
            {tensor: 'attention', layer: 0, plain: true},
            {tensor: 'hidden', layer: 0},
        ];
        const first = engine.run({model, input: off(0), want});
        const [shift, now, plain] = await all(first.answers);
        assert.deepEqual([log, counter.passes], [['run'], 2]);
        assert.deepEqual(shift.shape, [info.layers, info.heads]);
        assert.ok(
            shift.data.some(value => value > 0),
            'something has moved',
        );
        const deeper = {tensor: 'attention', layer: 1};
        const two = engine.read({pass: first.pass, want: [{...deeper, plain: true}, deeper]});
        const maps = await all(two.answers);
        const sessions = maps.map(map => ({
            collect: async ([need]) => new Map([[needName(need), map]]),
        }));
        const {signal} = new AbortController();
        const most = await mostMoved(sessions, info, now.shape[1], signal);
        const moved = most.filter(one => one.layer === 1);
        assert.deepEqual(
            moved.map(one => Math.fround(one.moved)),
            [...shift.data.subarray(info.heads, 2 * info.heads)].sort((a, b) => b - a),
            'two models are compared as two passes of one are',
        );
        assert.deepEqual(now.data, plain.data, 'in layer 0 only the output is gone');
        await engine.run({model, input: off(1), want, over: first.pass}).done;
        assert.equal(counter.passes, 3, 'the text as typed is held');
        const [none] = await all(
            engine.run({model, input: input('a b a'), want: want.slice(0, 1)}).answers,
        );
        assert.ok(
            none.data.every(value => value === 0),
            'without a change nothing moves',
        );
    },
);

test('predictions at masks and changed tokens, by name', {skip}, async t => {
    const {engine, model, info} = await withModel(t);
    const {mask} = info.special;
    const fills = async (given, want) =>
        (await engine.run({model, input: given, want: [want]}).answers[0]).map(({index, words}) => [
            index,
            words.length,
        ]);
    assert.ok(mask >= 0);
    const masks = {predictions: 'masks', top: 2};
    assert.deepEqual(await fills(input('a [MASK] b'), masks), [[2, 2]]);
    assert.deepEqual(await fills(input('a b'), masks), []);
    assert.deepEqual(
        await fills(
            input('a b', '', {changes: [['token', 1, mask]], words: [{position: 2, word: 'a'}]}),
            masks,
        ),
        [
            [1, 2],
            [2, 2],
        ],
    );
    assert.deepEqual(
        await fills(
            input('a b', '', {
                changes: [
                    ['token', 1, mask],
                    ['token', 99, mask],
                ],
            }),
            {...masks, plain: true},
        ),
        [[1, 2]],
        'of the text as typed at the same positions; one that a shorter text does not have is left out',
    );
    assert.deepEqual(await fills(input('a b'), {predictions: 'all', top: 1}), [
        [0, 1],
        [1, 1],
        [2, 1],
        [3, 1],
    ]);
    const many = await fills(input('[MASK] '.repeat(12)), masks);
    assert.equal(many.length, 8, 'no more than can be shown');
});

test(
    'answers come one by one; a cancelled run stops between two, and the newer text has the next one',
    {skip},
    async t => {
        const {engine, workers, model} = await withModel(t);
        const said = [];
        const [worker] = workers;
        const hear = worker.onmessage;
        worker.onmessage = event => {
            said.push(event.data);
            hear.call(worker, event);
        };
        const controller = new AbortController();
        const dear = engine.run(
            {model, input: input('a b'), want: Array(9).fill({measure: 'distances'})},
            {signal: controller.signal},
        );
        await dear.answers[1];
        controller.abort();
        const newer = engine.run({model, input: input('b'), want: [attention(0)]});
        await newer.done;
        const parts = said.filter(({part}) => part !== undefined);
        assert.ok(parts.length <= 4, `${parts.length - 1} of the nine measures were computed`);
        assert.ok(
            said.some(
                ({id, error}) => id === parts[0].id && error === 'state: this has been cancelled',
            ),
        );
        await assert.rejects(dear.answers[8], {name: 'AbortError'});
        assert.equal((await newer.facts).tokens.length, 3);
    },
);

test(
    'value zeroing and the lens at all positions stop when they are cancelled, and can be asked for again',
    {skip},
    async t => {
        const {engine, model, counter} = await withModel(t);
        const text = input('a b a b a b a b a b');
        const first = engine.run({model, input: text, want: [attention(0)]});
        const T = (await first.facts).tokens.length;
        const zeroing = {measure: 'zeroing', args: [1]};
        for (const [want, counted] of [
            [zeroing, 'measures'],
            [{lens: 'all', top: 1}, 'lenses'],
        ]) {
            const controller = new AbortController();
            const given = engine.read(
                {pass: first.pass, want: [attention(0), want]},
                {signal: controller.signal},
            );
            await given.answers[0];
            while (counter[counted] < 3) await new Promise(setImmediate);
            controller.abort();
            await assert.rejects(given.answers[1], {name: 'AbortError'});
            await engine.run({model, input: input('b'), want: [attention(0)]}).done;
            assert.ok(counter[counted] < T, `${counted}: ${counter[counted]} of ${T}`);
        }
        // what was begun is gone on with, and is what a new pass gives
        const again = engine.read({pass: first.pass, want: [zeroing, {lens: 'all', top: 1}]});
        const [{data}, lens] = await all(again.answers);
        const other = await withModel(t);
        const whole = other.engine.run({model: other.model, input: text, want: [zeroing]});
        assert.deepEqual(data, (await whole.answers[0]).data);
        assert.equal(lens.length, T);
    },
);

test('8,000 tokens: the lens is at each of them, and no map is kept for it', {skip}, async t => {
    const {engine, model} = await withModel(t, 'llama-next', {max_position_embeddings: 8192});
    const text = input('a b '.repeat(4000), '', {precision: 'usual'});
    const {facts, answers} = engine.run({model, input: text, want: [{lens: 'all', top: 1}]});
    const T = (await facts).tokens.length;
    assert.ok(T > 8000, `${T}`);
    const lens = await answers[0];
    assert.equal(lens.length, T);
    assert.ok(lens.every(({ranks, at}, i) => ranks[2] === 1 && at === i));
});

test('a run that waits is never begun once it is cancelled', {skip}, async t => {
    const {engine, model, counter} = await withModel(t);
    const controller = new AbortController();
    const first = engine.run({model, input: input('a'), want: [attention(0)]});
    const second = engine.run({model, input: input('b')}, {signal: controller.signal});
    const third = engine.run({model, input: input('a b')});
    controller.abort();
    await all([first.done, third.done]);
    await assert.rejects(second.facts, {name: 'AbortError'});
    assert.equal(counter.passes, 2);
});

test('of two texts that are too long the engine says what each has lost', {skip}, async t => {
    const {engine, model, info} = await withModel(t);
    const P = info.positions;
    for (const counts of [
        [P, 3],
        [3, P],
        [P, 2 * P],
        [2 * P, P],
        [P, 0],
        [3, 3],
    ]) {
        const [a, b] = counts.map(count => 'the '.repeat(count).trim());
        const {facts} = engine.run({model, input: input(a, b), want: [attention(0)]});
        const {tokens, dropped} = await facts;
        const there = [0, 1].map(
            text => tokens.filter(one => one.sentence === text && one.piece === 'the').length,
        );
        assert.ok(tokens.length <= P);
        assert.deepEqual(
            there.map((count, text) => count + dropped[text]),
            counts,
            `${counts}`,
        );
    }
});

test('two models in one worker: each answers for its own passes', {skip}, async t => {
    const {engine, server, model, info} = await withModel(t);
    const random = await engine.load({url: `${server.url}/bert-tiny-random/`}, {random: 'all'});
    const [ours, theirs] = [model, random.model].map(of =>
        engine.run({model: of, input: input('a b'), want: [attention(0)]}),
    );
    const [one, two] = [(await ours.answers[0]).data, (await theirs.answers[0]).data];
    assert.notDeepEqual(one, two);
    engine.release({model: random.model});
    assert.deepEqual(
        (await engine.read({pass: ours.pass, want: [attention(0)]}).answers[0]).data,
        one,
    );
    await fails(
        engine.read({pass: theirs.pass, want: [attention(0)]}).answers[0],
        'state',
        /no pass/,
    );
    assert.equal(info.layers, random.info.layers);
});

test(
    'attention from elsewhere is a pass as well: its measures are those of the model that made it',
    {skip},
    async t => {
        const {engine, model, info} = await withModel(t);
        const {pass, facts, answers} = engine.run({
            model,
            input: input('a b a', 'b'),
            keep: ['attention'],
            want: [{measure: 'distances'}, {measure: 'rollout'}, ...maps(info)],
        });
        const [distances, rollout, ...layers] = await all(answers);
        const {tokens} = await facts;
        const given = new Float32Array(layers.flatMap(({data}) => [...data]));
        const columns = Int32Array.from([
            ...tokens.map(({id}) => id),
            ...tokens.map(({type}) => type),
            ...tokens.map(({word}) => word),
        ]);
        const adopted = await engine.adopt({
            layers: info.layers,
            heads: info.heads,
            tokens: tokens.length,
            attention: given,
            columns,
        });
        const again = await all(
            engine.read({pass: adopted.pass, want: [{measure: 'distances'}, {measure: 'rollout'}]})
                .answers,
        );
        assert.deepEqual(again, [distances, rollout]);
        await fails(
            engine.read({pass: adopted.pass, want: [attention(0)]}).answers[0],
            'state',
            /measures only/,
        );
        engine.release(adopted);
        await fails(
            engine.read({pass: adopted.pass, want: [{measure: 'rollout'}]}).answers[0],
            'state',
            /released/,
        );
        await engine.read({pass, want: [attention(0)]}).done;
    },
);

test(
    'weights that are cut are a weights error; the same engine then loads the whole ones',
    {skip},
    async t => {
        const routes = folderRoutes('bert-tiny-random');
        const whole = routes['/bert-tiny-random/model.safetensors'];
        routes['/bert-tiny-random/model.safetensors'] = (_, response) => {
            response.write(whole.subarray(0, whole.length - 1));
            response.end();
        };
        const {engine, server, workers} = await withWasm(t, readFileSync(built), {
            ...routes,
            ...folderRoutes('bert-tiny-sharded'),
        });
        await fails(engine.load({url: `${server.url}/bert-tiny-random/`}), 'weights', /./);
        await fails(
            engine.run({model: engine.open(), input: input('a')}).facts,
            'state',
            /no model is loaded/,
        );
        const {model} = await engine.load({url: `${server.url}/bert-tiny-sharded/`});
        await engine.run({model, input: input('a')}).done;
        assert.equal(workers.length, 1);
    },
);

/** Texts and what the page shows of them, for tokenizers of bytes. */
async function shownTokens(t, name, text, textB = '') {
    const {engine, model, info} = await withModel(t, name);
    const {facts, answers} = engine.run({
        model,
        input: input(text, textB),
        want: [{predictions: 'masks', top: 3}, {measure: 'patterns'}, attention(0)],
    });
    const {tokens} = await facts;
    return {info, tokens, answers: await all(answers)};
}

test('GPT-2: no special tokens, no mask; pieces as they read', {skip}, async t => {
    const {info, tokens, answers} = await shownTokens(t, 'gpt2-next', 'The cat  é\n<|endoftext|>');
    const {unk, cls, sep, pad, mask, bos, eos} = info.special;
    assert.deepEqual([unk, cls, sep, pad, mask], [-1, -1, -1, pad, -1]);
    assert.ok(bos >= 0 && bos === eos);
    assert.deepEqual(
        tokens.map(({piece, from, to, special}) => [piece, from, to, special]),
        [
            ['T', 0, 1, false],
            ['he', 1, 3, false],
            ['␣cat', 3, 7, false],
            ['␣', 7, 8, false],
            ['␣', 8, 9, false],
            ['<0xC3>', 9, 10, false],
            ['<0xA9>', 9, 10, false],
            ['⏎', 10, 11, false],
            ['<|endoftext|>', 11, 24, true],
        ],
    );
    const [fills, measured, {shape}] = answers;
    assert.deepEqual(fills, []);
    assert.equal(measured.data.length, info.patterns.length * info.layers * info.heads);
    assert.deepEqual(shape, [info.heads, 9, 9]);
});

test('RoBERTa: <s> A </s></s> B </s>; its mask takes the space before it', {skip}, async t => {
    const {info, tokens, answers} = await shownTokens(
        t,
        'roberta-masked',
        'The cat sat on the <mask>.',
        'The cat',
    );
    assert.deepEqual(
        tokens.map(({piece}) => piece).join(' '),
        '<s> T he ␣cat ␣sat ␣o n ␣the <mask> . </s> </s> T he ␣cat </s>',
    );
    assert.deepEqual(
        tokens.map(({sentence}) => sentence),
        [-1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 1, 1, -1],
    );
    assert.deepEqual(
        tokens.flatMap(({special}, i) => (special ? [i] : [])),
        [0, 8, 10, 11, 15],
    );
    const [{from, to, id}] = tokens.filter(({piece}) => piece === '<mask>');
    assert.deepEqual([from, to, id], [19, 25, info.special.mask]);
    assert.deepEqual([info.special.cls, info.special.sep], [tokens[0].id, tokens[10].id]);
    const [[{index, words}]] = answers;
    assert.deepEqual([index, words.length], [8, 3]);
    assert.ok(words.every(({piece}) => piece && !piece.includes('Ġ')));
});
