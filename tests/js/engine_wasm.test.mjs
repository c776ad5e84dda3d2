/* The engine with the real headlight.wasm on small golden models: from a folder on a server to attention, and what happens to a
 * session after an error. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {root} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built) ? false : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const tiny = `${root}tests/golden/models/`;
const folderRoutes = name => Object.fromEntries(
    ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors', 'model.safetensors.index.json',
        'model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors']
        .filter(file => existsSync(`${tiny}${name}/${file}`))
        .map(file => [`/${name}/${file}`, readFileSync(`${tiny}${name}/${file}`)]));

test('from a folder on a server to attention: single file and shards alike', {skip}, async t => {
    const {engine, server} = await withWasm(t, readFileSync(built), {...folderRoutes('bert-tiny-random'), ...folderRoutes('bert-tiny-sharded')});
    const found = [];
    for (const name of ['bert-tiny-random', 'bert-tiny-sharded']) {
        await fails(engine.load({url: `${server.url}/absent/`}), 'file', /config.json/);
        const model = await engine.load({url: `${server.url}/${name}/`}, {store: 'f32'});
        assert.equal(model.store, 'f32');
        await fails(engine.tensor('attention', 0), 'state', /no text/);
        const pass = await engine.run({text: 'a 😀 b', textB: 'b'});
        assert.deepEqual(pass.tokens.map(({sentence, from, to}) => [sentence, from, to]),
            [[-1, 0, 0], [0, 0, 1], [0, 2, 4], [0, 5, 6], [-1, 0, 0], [1, 0, 1], [-1, 0, 0]]);
        assert.ok(pass.tokens[0].special && !pass.tokens[1].special && pass.milliseconds >= 0);
        const {data, shape} = await engine.tensor('attention', model.layers - 1);
        assert.deepEqual(shape, [model.heads, 7, 7]);
        for (let row = 0; row < data.length; row += 7) {
            assert.ok(Math.abs(data.subarray(row, row + 7).reduce((sum, p) => sum + p, 0) - 1) < 1e-5);
        }
        const {data: measured, shape: measuresShape} = await engine.study('measures');
        assert.deepEqual(measuresShape, [model.measures.length, model.layers, model.heads]);
        assert.equal(measured.length, model.measures.length * model.layers * model.heads);
        const layers = await Promise.all(Array.from({length: model.layers}, (_, layer) => engine.tensor('attention', layer)));
        const averaged = await engine.study('layer_mean');
        assert.deepEqual(averaged.shape, [model.heads, 7, 7]);
        averaged.data.forEach((mean, i) => assert.ok(Math.abs(mean -
            layers.reduce((sum, layer) => sum + layer.data[i], 0) / model.layers) < 1e-6));
        assert.deepEqual(pass.texts, ['a 😀 b', 'b']);
        if (model.mlm) {
            const words = await engine.fill(1, 3);
            assert.equal(words.length, 3);
            assert.ok(words[0].probability >= words[1].probability && words[1].probability >= words[2].probability);
        }
        await fails(engine.tensor('nonsense', 0), 'state', /no tensor 'nonsense'/);
        await fails(engine.tensor('attention', 99), 'state', /layer 99/);
        found.push(data);
    }
    assert.deepEqual(found[0], found[1]);
});

test('a tensor that was dropped is an error and the session goes on', {skip}, async t => {
    const {engine, server} = await withWasm(t, readFileSync(built), folderRoutes('bert-tiny-random'));
    await engine.load({url: `${server.url}/bert-tiny-random/`});
    const single = await engine.run({text: '', drop: ['scores']});
    assert.equal(single.tokens.length, 2);
    assert.equal(single.nextSentence, null);
    await fails(engine.tensor('scores', 0), 'state', /not kept/);
    assert.deepEqual((await engine.tensor('attention', 0)).shape.slice(1), [2, 2]);
});

test('weights that are cut are a weights error; the same engine then loads the whole ones', {skip}, async t => {
    const routes = folderRoutes('bert-tiny-random');
    const whole = routes['/bert-tiny-random/model.safetensors'];
    routes['/bert-tiny-random/model.safetensors'] = (_, response) => {
        response.write(whole.subarray(0, whole.length - 1));
        response.end();
    };
    const {engine, server, workers} = await withWasm(t, readFileSync(built), {...routes, ...folderRoutes('bert-tiny-sharded')});
    await fails(engine.load({url: `${server.url}/bert-tiny-random/`}), 'weights', /./);
    await fails(engine.run({text: 'a'}), 'state', /no model is loaded/);
    await engine.load({url: `${server.url}/bert-tiny-sharded/`});
    await engine.run({text: 'a'});
    assert.equal(workers.length, 1);
});
