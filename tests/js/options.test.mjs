/* The package refuses what there is not: options, stores, precisions, layers, heads, positions and
 * measures are checked, with what is allowed in the sentence, and a refusal leaves the model
 * usable. What is allowed has its effect. On mini-en in Node, where the worker is a thread.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {after, before, test} from 'node:test';
import {openModel} from '../../web/package/api.js';
import {HeadlightError, load} from '../../web/package/node.js';
import {folderOf} from '../../web/package/node_engine.js';
import {sourceOf} from '../../web/package/options.js';
import {root} from './lib/model.mjs';

const FOLDER = join(root, 'models/mini-en');
const wasmBytes = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));
let model;
before(async () => {
    model = await load(FOLDER, {wasmBytes});
});
after(() => model.dispose());

/** @param {() => Promise<any>} call */
const refused = (call, category, pattern) =>
    assert.rejects(call, error => {
        assert.ok(error instanceof HeadlightError, String(error));
        assert.equal(error.category, category, String(error));
        assert.match(error.message, pattern);
        return true;
    });
const words = ({tokens}) => tokens.map(({token}) => token).join(' ');

test('load: sources, stores and options that there are not', async () => {
    for (const source of [null, undefined, 5, {}, true])
        await refused(
            () => load(source, {wasmBytes}),
            'file',
            /load was given .*org\/name of the Hugging Face hub, the address of a model's folder/,
        );
    await refused(
        () => load(FOLDER, {wasmBytes, store: 'q4'}),
        'state',
        /^the store is "q4"; one of q8, f32 was expected$/,
    );
    await refused(
        () => load(FOLDER, {wasmBytes, precison: 'fine'}),
        'state',
        /^load has no option 'precison'; it takes: store, random, signal, onProgress, progress_callback$/,
    );
    await refused(
        () => load(FOLDER, {wasmBytes: wasmBytes.subarray(0, 5000)}),
        'engine',
        /is damaged or came incomplete .*; give the bytes of the file/,
    );
    await refused(() => load(join(FOLDER, 'absent'), {wasmBytes}), 'file', /cannot be opened/);
    await refused(() => load('', {wasmBytes}), 'file', /^load was given ""; org\/name of the/);
    await refused(
        () => load({url: 5}, {wasmBytes}),
        'file',
        /^load was given \{"url":5\}; org\/name/,
    );
    await refused(
        () => load([null], {wasmBytes}),
        'file',
        /^entry 0 of the list .* is null; the files/,
    );
    await refused(
        () => load([], {wasmBytes}),
        'file',
        /^the list that load was given is \[\]; the files/,
    );
});

test('a string is a repository of the hub, an address or, in Node, a folder', async () => {
    assert.deepEqual(sourceOf('org/name'), {hub: 'org/name'});
    assert.deepEqual(sourceOf('org/name@refs/pr/1'), {hub: 'org/name@refs/pr/1'});
    assert.deepEqual(sourceOf('https://huggingface.co/org/name'), {hub: 'org/name'});
    for (const hub of ['gpt2', 'bert-base-uncased@main', 'org/name@v1'])
        assert.deepEqual(sourceOf(hub), {hub});
    for (const url of ['./org/name', 'org/name/', './name', 'https://example.org/org/name'])
        assert.deepEqual(sourceOf(url), {url});
    assert.deepEqual(sourceOf(new URL('https://example.org/a/')), {url: 'https://example.org/a/'});
    assert.deepEqual(await folderOf('org/name'), {hub: 'org/name'});
    const there = relative(process.cwd(), FOLDER);
    assert.ok('files' in (await folderOf(there)), 'a folder of that name comes first');
});

test('progress has the statuses of transformers.js, too', async () => {
    const seen = [];
    const told = [];
    const both = {onProgress: one => seen.push(one), progress_callback: one => told.push(one)};
    await (await load(FOLDER, {wasmBytes, ...both})).dispose();
    const sum = told
        .filter(({status}) => status === 'progress')
        .reduce((all, {file, loaded}) => all.set(file, loaded), new Map());
    const {done, total} = seen.at(-1);
    assert.equal(
        [...sum.values()].reduce((all, one) => all + one),
        done,
    );
    assert.equal(done, total);
    assert.deepEqual(told.at(-1), {status: 'ready', model: FOLDER});
    assert.ok(!told.some(({status}) => status === 'download'), 'it lies on the disk');
    assert.ok(seen.every(one => Object.keys(one).join() === 'file,done,total'));
    await refused(() => load(FOLDER, {wasmBytes, progress_callback: 1}), 'state', /a function/);
});

test('several texts a call; a tensor’s dims and tolist()', async () => {
    const texts = ['The cat sat.', 'A dog.'];
    const both = await model.tokenize(texts);
    const each = [await model.tokenize(texts[0]), await model.tokenize(texts[1])];
    assert.deepEqual(both, each);
    const results = await model.run(texts);
    assert.deepEqual(
        results.map(({tokens}) => tokens.length),
        each.map(({length}) => length),
    );
    const map = await results[1].attention(2);
    assert.deepEqual(map.dims, map.shape);
    const list = map.tolist();
    const [heads, rows, columns] = map.shape;
    assert.deepEqual([list.length, list[0].length, list[0][0].length], [heads, rows, columns]);
    assert.deepEqual(list.flat(2), [...map.data]);
    assert.equal(list[1][2][3], map.data[(rows + 2) * columns + 3]);
    assert.deepEqual(Object.keys(map).sort(), ['data', 'shape'], 'as it is saved');
    await refused(() => model.tokenize(['a', 5]), 'text', /tokenize was given 5/);
    await refused(() => model.tokenize(texts, {pair: ['b']}), 'state', /a list of 2 texts/);
});

test('random: the layers are drawn, the embeddings are the model’s own', async () => {
    const drawn = await load(FOLDER, {wasmBytes, random: 'layers'});
    const of = async one => {
        const result = await one.run('The cat sat.', {keep: ['embeddings']});
        const read = [result.tensor('embeddings'), result.attention(0)];
        return (await Promise.all(read)).map(({data}) => data);
    };
    const [own, random, again] = [await of(model), await of(drawn), await of(drawn)];
    assert.deepEqual(random[0], own[0]);
    assert.notDeepEqual(random[1], own[1]);
    assert.deepEqual(again[1], random[1]);
    await drawn.dispose();
    const asked = [];
    const lost = {
        load: async (_, {store, random: kind}) => {
            asked.push([store, kind]);
            return {model: asked.length, info: model.info};
        },
        holds: () => false,
        tokenize: async () => [],
    };
    const options = {store: 'f32', random: 'layers'};
    await (await openModel(lost, {}, options, {name: 'm'})).tokenize('a');
    assert.deepEqual(
        asked,
        [...Array(2)].map(() => ['f32', 'layers']),
        'loaded again, it is drawn as before',
    );
    await refused(() => load(FOLDER, {wasmBytes, random: 'some'}), 'state', /one of layers, all/);
});

test('a model whose worker has ended is loaded again: each time, once for all that wait, and after a failure', async () => {
    const [asked, given] = [[], []];
    let fails = false;
    const lost = {
        async load() {
            asked.push(fails);
            if (fails) throw new HeadlightError('network', 'gone');
            return {model: asked.length, info: model.info};
        },
        holds: () => false,
        async tokenize({model: handle}) {
            given.push(handle);
            return [];
        },
    };
    const one = await openModel(lost, {}, {}, {name: 'm'});
    await Promise.all([one.tokenize('a'), one.tokenize('b')]);
    await one.tokenize('c');
    fails = true;
    await refused(() => one.tokenize('d'), 'network', /^gone$/);
    fails = false;
    await one.tokenize('e');
    assert.deepEqual(given, [2, 2, 3, 5]);
    assert.deepEqual(asked, [false, false, false, true, false]);
});

test('a list of texts gives a list of results', async () => {
    const results = await model.run(['The cat sat.', 'A dog.'], {pair: ['It slept.', '']});
    const alone = await model.run('The cat sat.', {pair: 'It slept.'});
    assert.deepEqual(results.map(words), [alone, await model.run('A dog.')].map(words));
    const [many, one] = await Promise.all([results[0].attention(2), alone.attention(2)]);
    assert.deepEqual(many, one);
    assert.deepEqual(await model.run([]), []);
    await refused(() => model.run(['a', 5]), 'text', /run was given 5; a text/);
    await refused(() => model.run(['a', 'b'], {pair: 'c'}), 'state', /a list of 2 texts/);
});

test('load: what it is to run with', async () => {
    for (const options of [5, null, 'f32', []])
        await refused(
            () => load(FOLDER, options),
            'state',
            /^what load was given as options is .*; an object such as \{store: "f32"\} was expected$/,
        );
    for (const [options, pattern] of [
        [{makeWorker: 3}, /^makeWorker is 3; a function that makes a worker was expected$/],
        [{wasmBytes: 'x'}, /^wasmBytes is "x"; an ArrayBuffer or a Uint8Array/],
        [{wasmUrl: 5}, /^wasmUrl is 5; an address, as a string or a URL, was expected$/],
        [
            {wasmUrl: 'https://example.org/headlight.wasm'},
            /^wasmUrl is https:.*; in Node a file: address/,
        ],
        [{wasmBytes, onProgress: 1}, /^onProgress is 1; a function was expected$/],
        [{wasmBytes, signal: 3}, /^the signal is 3; an AbortSignal was expected$/],
        [{wasmBytes, signal: {}}, /^the signal is \{\}; an AbortSignal was expected$/],
    ])
        await refused(() => load(FOLDER, options), 'state', pattern);
    await refused(
        () => load(FOLDER, {wasmUrl: 'file:///nowhere/headlight.wasm'}),
        'engine',
        /^headlight\.wasm cannot be read at file:.* \(ENOENT\)/,
    );
});

test('a signal that is none is refused by every call that takes one', async () => {
    const result = await model.run('a');
    const calls = signal => [
        () => load(FOLDER, {wasmBytes, signal}),
        () => model.run('a', {signal}),
        () => model.tokenize('a', {signal}),
        () => result.tensors([{name: 'attention', layer: 0}], {signal}),
        () => result.measures([{name: 'even'}], {signal}),
        () => result.predict('masks', {signal}),
    ];
    for (const signal of [3, {}])
        for (const call of calls(signal))
            await refused(call, 'state', /^the signal is (3|\{\}); an AbortSignal was expected$/);
    for (const signal of [undefined, null, new AbortController().signal])
        for (const call of calls(signal)) await (await call()).dispose?.();
    await result.dispose();
});

test('run and tokenize: options that there are not, or do not fit', async () => {
    const cases = [
        [{precision: 'best'}, /^the precision is "best"; one of usual, fast, fine was expected$/],
        [
            {headsOff: [[0, 0]]},
            /^run has no option 'headsOff'; it takes: pair, target, write, precision, keep, ablate, ablateMlps, replace, swap, patch, positions, types, appended, signal$/,
        ],
        [
            'a second text',
            /^what run was given as options is "a second text"; an object such as \{pair: /,
        ],
        [null, /^what run was given as options is null; an object/],
        [{pair: 5}, /^the pair is 5; a string/],
        [
            {ablate: [[0, 1]]},
            /^an entry of ablate is \[0,1\]; \{layer, head, neuron\?\} was expected$/,
        ],
        [{ablate: [{layer: 0}]}, /^an entry of ablate is \{"layer":0\}; \{layer, head, neuron\?\}/],
        [{ablate: [{layer: 0, head: 8}]}, /^the head in ablate is 8; a whole number from 0 to 7/],
        [{ablate: [{layer: NaN, head: 0}]}, /^the layer in ablate is NaN/],
        [{ablate: [{layer: 0, head: 0, neuron: 32}]}, /^the neuron in ablate is 32; .*0 to 31/],
        [{ablateMlps: 3}, /^ablateMlps is 3; a list of layers/],
        [{ablateMlps: [6]}, /^a layer of ablateMlps is 6; a whole number from 0 to/],
        [{ablate: 3}, /^ablate is 3; a list of \{layer, head, neuron\?\}/],
        [{ablate: [{layer: 0, head: 0, heads: 1}]}, /^an entry of ablate is/],
        [{replace: ['a']}, /^an entry of replace is "a"; \{position, token\}/],
        [{replace: [{position: 1, token: 5}]}, /^the token in replace is 5; a string/],
        [
            {swap: [{position: -1, with: 2}]},
            /^the position in swap is -1; a whole number from 0 on/,
        ],
        [{positions: 0}, /^the option positions is 0; true or false/],
        [{keep: ['attention.99']}, /^the layer of a map to keep is 99;/],
        [{keep: ['attention.0.99']}, /^the head of a map to keep is 99;/],
        [{keep: ['hidden.0']}, /^a tensor to keep is "hidden.0"; one of embeddings, q, /],
        [{keep: ['attentions']}, /^a tensor to keep is "attentions"; one of embeddings, q, /],
    ];
    for (const [options, sentence] of cases)
        await refused(() => model.run('a b', options), 'state', sentence);
    await refused(() => model.run(5), 'text', /^run was given 5; a text was expected/);
    await refused(() => model.tokenize(), 'text', /^tokenize was given undefined/);
    await refused(
        () => model.tokenize('a', {limit: 3}),
        'state',
        /^tokenize has no option 'limit'; it takes: pair, signal$/,
    );
    const held = await Promise.all([model.run('one'), model.run('two')]);
    await refused(
        () => model.run('a b', {swap: [{position: 1, with: 9}]}),
        'state',
        /^positions 1 and 9 cannot be swapped: the text has 4 tokens/,
    );
    await refused(
        () => model.run('a', {replace: [{position: 1, token: 'unpronounceable'}]}),
        'text',
        /'unpronounceable' cannot take the place of one token: the vocabulary has it as un/,
    );
    await refused(
        () => model.run('a', {replace: [{position: 7, token: 'we'}]}),
        'text',
        /no position 7; the text has 3 tokens/,
    );
    assert.equal((await held[0].attention(0)).shape[1], 3, 'what was refused has cost no pass');
    assert.equal((await model.run('three')).tokens.length, 3);
});

test('results: layers, positions, measures and counts that there are not; the model stays usable', async () => {
    const result = await model.run('the [MASK] sat');
    for (const layer of [NaN, 1.5, -1, 6, '0', undefined])
        await refused(
            () => result.attention(layer),
            'state',
            /^the layer is .*; a whole number from 0 to 5/,
        );
    const cases = [
        [() => result.predict([2], {top: 0}), /^the number of predictions is 0; a whole number/],
        [() => result.predict([9]), /^a position is 9; a whole number from 0 to 4/],
        [
            () => result.predict(2),
            /^what predict was given is 2; 'masks', 'all' or a list of positions/,
        ],
        [() => result.predict('all', {k: 2}), /^predict has no option 'k'; it takes: top, signal/],
        [() => result.tensor('nose'), /^the tensor is "nose"; one of embeddings, q, /],
        [() => result.tensor('embeddings', 1), /^the layer of embeddings is 1; none/],
        [() => result.tensors([{name: 'attention', layer: 0, head: 1}]), /no option 'head'/],
        [() => result.tensors('attention'), /^what tensors was given is "attention"; a list/],
        [() => result.measure('mood'), /^the measure is "mood"; one of patterns, /],
        [() => result.measure('heatmaps'), /^the size is undefined; a whole number from 1 to 512/],
        [
            () => result.measure('rollout', {layer: 1}),
            /^the measure rollout has no option 'layer'; it takes nothing/,
        ],
        [
            () => result.measure('pair', {query: 1, key: 5}),
            /^the key is 5; a whole number from 0 to 4/,
        ],
        [() => result.measure('biases', {layer: 1}), /^the head is undefined; .* 0 to 7/],
        [() => result.measure('lines', {size: 1040}), /^the size is 1040; .* 1 to 512/],
        [() => result.measure('lines', {size: 64, hide: 'first'}), /^hide is "first"; a list of/],
        [
            () => result.measure('links', {size: 3, hide: ['cls']}),
            /^what to hide is "cls"; one of specials, first was expected/,
        ],
        [
            () => result.measure('shifts', {size: 64, hide: []}),
            /has no option 'hide'; it takes size/,
        ],
    ];
    for (const [call, sentence] of cases) await refused(call, 'state', sentence);
    assert.deepEqual((await result.attention(5)).shape, [8, 5, 5]);
    assert.equal((await result.predict())[0].predictions.length, 5);
});

test('names are camelCase, and say what headlight.h does', () => {
    const snake = value =>
        typeof value === 'object' && value !== null
            ? Object.entries(value).flatMap(([key, of]) => [
                  ...(key.includes('_') ? [key] : []),
                  ...snake(of),
              ])
            : [];
    assert.deepEqual(snake(model.info), []);
    assert.deepEqual([model.info.headWidth, model.info.special.mask], [32, 4]);
    assert.equal(model.info.tensors.find(({name}) => name === 'attention').perLayer, true);
});

test('tokenize: what run has; a pair; empty', async () => {
    for (const [text, pair] of [['I went to the store.'], ['strawberries', 'déjà vu 東京'], ['']]) {
        const run = await model.run(text, {pair});
        assert.deepEqual(await model.tokenize(text, {pair}), run.tokens);
    }
});

test('lines, links and heat maps without [CLS] and [SEP], without the first token', async () => {
    const result = await model.run('the cat sat');
    const ends = async hide => {
        const {data} = await result.measure('links', {size: 8, hide});
        const links = Array.from({length: data.length / 3}, (_, i) =>
            data.subarray(3 * i, 3 * i + 3),
        );
        const there = links.filter(([, , weight]) => weight > 0);
        return [...new Set(there.flatMap(([query, key]) => [query, key]))].sort();
    };
    assert.deepEqual(await ends(), [0, 1, 2, 3, 4]);
    assert.deepEqual(await ends(['specials']), [1, 2, 3]);
    assert.deepEqual(await ends(['first', 'first']), [1, 2, 3, 4]);
    for (const name of ['lines', 'heatmaps']) {
        const plain = await result.measure(name, {size: 64});
        const hidden = await result.measure(name, {size: 64, hide: ['specials', 'first']});
        assert.deepEqual(hidden.shape, plain.shape);
        assert.notDeepEqual(hidden.data, plain.data);
    }
});

test('several tensors and measures in one trip are what they are one by one', async () => {
    const result = await model.run('the cat sat', {keep: ['attention', 'q', 'embeddings']});
    const requests = [{name: 'q', layer: 2}, {name: 'embeddings'}, {name: 'attention', layer: 5}];
    const together = await result.tensors(requests);
    for (const [i, {name, layer}] of requests.entries())
        assert.deepEqual(together[i], await result.tensor(name, layer));
    const [pair, links] = await result.measures([
        {name: 'pair', query: 2, key: 1},
        {name: 'links', size: 3},
    ]);
    const attention = await result.attention(3);
    const T = result.tokens.length;
    assert.equal(pair.data[3 * 8 + 4], attention.data[(4 * T + 2) * T + 1]);
    assert.deepEqual(links.shape, [6, 8, 3, 3]);
    assert.deepEqual(
        (await result.measure('head_weights', {layer: 1, head: 3})).shape,
        [4, 32, 256],
    );
    await refused(
        () =>
            result.tensors(requests, {signal: AbortSignal.abort()}).catch(error => {
                assert.equal(error.name, 'AbortError');
                throw new HeadlightError('state', 'aborted');
            }),
        'state',
        /aborted/,
    );
});

test('what is changed has its effect, each alone', async () => {
    const text = 'the cat saw a dog';
    const plain = await model.run(text);
    const shiftOf = async options => (await (await model.run(text, options)).measure('shift')).data;
    assert.ok((await shiftOf({})).every(value => value === 0));
    const head = await shiftOf({ablate: [{layer: 2, head: 1}]});
    assert.ok(
        head.every((value, i) => (i < 24 ? value === 0 : value > 0)),
        'a head that is off is felt in the layers above only',
    );
    const neuron = await shiftOf({ablate: [{layer: 2, head: 1, neuron: 3}]});
    assert.ok(neuron.every((value, i) => (i < 24 && i !== 17 ? value === 0 : true)));
    assert.ok(neuron[17] > 0, 'of that head itself');
    for (const options of [{positions: false}, {types: false}, {swap: [{position: 2, with: 5}]}])
        assert.ok(
            (await shiftOf(options)).some(value => value > 0),
            JSON.stringify(options),
        );
    const swapped = await model.run(text, {swap: [{position: 2, with: 5}]});
    assert.equal(words(swapped), '[CLS] the cat saw a dog [SEP]');
    const typed = await (await model.run('the dog saw a cat')).attention(5);
    const place = index => ({2: 5, 5: 2})[index] ?? index;
    for (const [i, value] of (await swapped.attention(5)).data.entries()) {
        const [head, query, key] = [Math.floor(i / 49), Math.floor(i / 7) % 7, i % 7];
        const there = typed.data[(head * 7 + place(query)) * 7 + place(key)];
        assert.ok(Math.abs(value - there) < 1e-5, 'rows stay with their tokens');
    }
    const masked = await model.run(text, {replace: [{position: 3, token: '[MASK]'}]});
    assert.equal(words(masked), '[CLS] the cat [MASK] a dog [SEP]');
    assert.deepEqual(
        (await masked.predict()).map(({position}) => position),
        [3],
    );
    assert.equal(words(plain), '[CLS] the cat saw a dog [SEP]');
});

test('disposed of: results are run again, a model is not', async () => {
    const other = await load(FOLDER, {wasmBytes});
    const result = await other.run('one', {pair: 'two'});
    const before = await result.attention(0);
    const {follows, random} = result.nextSentence;
    assert.ok(Math.abs(follows + random - 1) < 1e-6);
    await result[Symbol.asyncDispose]();
    assert.deepEqual(await result.attention(0), before);
    await other[Symbol.asyncDispose]();
    await refused(
        () => other.run('x'),
        'state',
        /^this model has been disposed of; load it again$/,
    );
    await refused(() => result.attention(0), 'state', /disposed of/);
    await refused(() => other.tokenize('x'), 'state', /disposed of/);
    await other.dispose();
});
