/* Models in several weight files: order, names, totals, what is missing; over HTTP from a local
 * server (rows 48-54 of the list of bad inputs as far as they are JavaScript's; the C side checks
 * the rest).
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fails} from './lib/fails.mjs';
import {GOOD, WEIGHTS, load, status, withServer} from './lib/folder.mjs';

const INDEX = {
    '/m/model.safetensors': status(404),
    '/m/model.safetensors.index.json': '{"metadata": {"total_size": 3000}}',
};
const shards = (...names) => ({loadText: ({kind}) => (kind === 'index' ? names : [])});

test('shards arrive in the order of the C side, with the total of the index', async t => {
    const {source} = await withServer(t, {
        ...GOOD,
        ...INDEX,
        '/m/b.safetensors': WEIGHTS.subarray(0, 1000),
        '/m/a.safetensors': WEIGHTS.subarray(1000),
    });
    const {sent, weights, progress} = await load(source, {
        answer: shards('b.safetensors', 'a.safetensors'),
    });
    assert.deepEqual(weights, WEIGHTS);
    assert.deepEqual(
        sent.filter(({op}) => op === 'loadFile').map(({file}) => file),
        [0, 1],
    );
    const last = progress.at(-2);
    assert.equal(last.done, last.total);
});

for (const size of [-5, 0, 1, 1e300, '"x"', 'null', '{}']) {
    test(`a total_size of ${size} spoils only the bar`, async t => {
        const {source} = await withServer(t, {
            ...GOOD,
            ...INDEX,
            '/m/model.safetensors.index.json': `{"metadata": {"total_size": ${size}}}`,
            '/m/a.safetensors': WEIGHTS,
        });
        const {weights, progress} = await load(source, {answer: shards('a.safetensors')});
        assert.deepEqual(weights, WEIGHTS);
        assert.ok(
            progress.every(
                ({done, total}) => Number.isSafeInteger(total) && (total === 0 || done <= total),
            ),
        );
    });
}

test('an absent shard is named', async t => {
    const {source} = await withServer(t, {...GOOD, ...INDEX, '/m/a.safetensors': WEIGHTS});
    await fails(
        load(source, {answer: shards('a.safetensors', 'gone.safetensors')}),
        'file',
        /gone.safetensors is named in .*index.json/,
    );
});

for (const name of [
    '../x.safetensors',
    '/x.safetensors',
    '//evil/x.safetensors',
    'https://evil/x',
    'javascript:x',
    '',
    '.',
    'a/../../b',
    'a\\..\\b',
    'x?y',
    'x#y',
    ' x',
    'x\n',
]) {
    test(`a shard named ${JSON.stringify(name)} is not fetched even if the C side let it through`, async t => {
        const {server, source} = await withServer(t, {...GOOD, ...INDEX});
        await fails(load(source, {answer: shards(name)}), 'file', /not a plain file name/);
        const known = [
            'tokenizer.json',
            'special_tokens_map.json',
            'added_tokens.json',
            'modules.json',
        ];
        const paths = [...Object.keys({...GOOD, ...INDEX}), ...known.map(file => `/m/${file}`)];
        assert.ok(server.requests.every(url => paths.includes(url)));
    });
}
