/* Attention out of the reader's own files: what is read, in which types and parts, and the sentence
 * for each fault of a file; then tokens, and cross-attention as a corner of a square. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {readImported} from '../../web/files/imported.js';
import {asCorner, asSquare, columnsOf, importedTokens} from '../../web/files/imported_tokens.js';
import {openImported} from '../../web/session/imported.js';
import {openModel, root} from './lib/model.mjs';
import {tensor, writeSafetensors} from './lib/safetensors.mjs';

const TOKENS = {tokens: '["[CLS]", "straw", "##berries", "[SEP]"]'};
const half = [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5];
const layer = (dtype = 'F32') => tensor([1, 4, 4], half, dtype);
const asFile = (bytes, name = 'a.safetensors') => new File([bytes], name);
const read = (tensors, metadata = TOKENS, header = undefined) =>
    readImported(asFile(writeSafetensors(tensors, metadata, header)));

const refused = (promise, sentence) =>
    assert.rejects(promise, error => {
        assert.equal(error.category, 'file');
        assert.match(error.message, sentence);
        return true;
    });

test('F32, F16 and BF16 are read alike, layer by layer', async () => {
    for (const dtype of ['F32', 'F16', 'BF16']) {
        const own = await read({'attention.0': layer(dtype), 'attention.1': layer(dtype)});
        assert.deepEqual([...own.parts.keys()], ['encoder']);
        assert.equal(own.parts.get('encoder').layers.length, 2);
        assert.deepEqual([...(await own.weights('encoder', 1))], half, dtype);
        assert.deepEqual([own.odd, own.ignored], [[], []]);
        await assert.rejects(own.weights('encoder', 2), /no layer 2/);
        await assert.rejects(own.weights('cross', 0), /no layer 0 of cross/);
    }
});

test('more numbers than are read in one turn keep their places, in each type', async () => {
    const T = 400;
    const values = Float32Array.from({length: T * T}, (_, i) => 2 ** -((i * 7919) % 11));
    const tokens = JSON.stringify(Array.from({length: T}, (_, i) => `t${i}`));
    for (const dtype of ['F32', 'F16', 'BF16']) {
        const own = await read({'attention.0': tensor([1, T, T], values, dtype)}, {tokens});
        assert.deepEqual(await own.weights('encoder', 0), values, dtype);
    }
});

test('what is asked for again is of the same model, so that all that is drawn of it is remembered', async () => {
    const file = asFile(writeSafetensors({'attention.0': layer()}, TOKENS));
    const source = await openImported(file, null);
    const needs = () => [{tensor: 'attention', layer: 0}];
    const first = await source.compute('encoder', needs, null);
    const again = await source.compute('encoder', needs, null);
    assert.equal(again.model, first.model);
    assert.equal(again.pass, first.pass);
    assert.equal(again.tensors.get('attention.0'), first.tensors.get('attention.0'));
});

test('whole 65535ths, as notebooks send them', async () => {
    const bits = Uint16Array.from([65535, 0, 13107, 52428]);
    const own = await read(
        {'attention.0': {dtype: 'U16', shape: [1, 2, 2], bytes: Buffer.from(bits.buffer)}},
        {tokens: '["a","b"]'},
    );
    assert.deepEqual(
        [...(await own.weights('encoder', 0))],
        [1, 0, Math.fround(0.2), Math.fround(0.8)],
    );
});

test('lengths of what is moved: of every layer or none, [H, T], finite; weights are measured with them', async () => {
    const one = (values, shape = [1, 4]) => tensor(shape, values);
    const file = lengths =>
        writeSafetensors({'attention.0': layer(), 'attention.1': layer(), ...lengths}, TOKENS);
    const both = {'lengths.0': one([1, 2, 3, 4]), 'lengths.1': one([1, 1, 0, 1])};
    const own = await readImported(asFile(file(both)));
    assert.deepEqual(
        (await own.lengths('encoder')).map(all => [...all]),
        [
            [1, 2, 3, 4],
            [1, 1, 0, 1],
        ],
    );
    assert.deepEqual(own.ignored, []);
    assert.deepEqual(await (await readImported(asFile(file({})))).lengths('encoder'), []);
    for (const [lengths, sentence] of [
        [
            {'lengths.0': one([1, 2, 3, 4])},
            /lengths of 1 layers and attention of 2; give all or none/,
        ],
        [
            {...both, 'lengths.1': one([1, 2, 3], [1, 3])},
            /lengths\.1 is F32 of shape \[1,3\].*\[1, 4\]/,
        ],
        [{...both, 'lengths.1': one([1, NaN, 3, 4])}, /lengths\.1 holds NaN; lengths are finite/],
        [{...both, 'lengths.0': one([1, -1, 3, 4])}, /lengths\.0 holds -1/],
        [{'lengths.1': one([1, 2, 3, 4])}, /lengths\.0 is missing/],
    ])
        await refused(readImported(asFile(file(lengths))), sentence);
    const given = [];
    const engine = {
        adopt: async input => (given.push(input), {pass: 1}),
        holds: () => true,
        release() {},
        read: () => ({answers: [Promise.resolve({data: new Float32Array(16), shape: [1, 4, 4]})]}),
    };
    const source = await openImported(asFile(file(both)), engine);
    const measures = [
        {
            name: 'moved_shares',
            shape: ['H', 'T', 'T'],
            arguments: ['layer'],
            needs: [],
            compares: false,
        },
    ];
    const found = await source.compute('encoder', () => [{measure: 'moved_shares', args: [1]}], {
        measures,
        patterns: [],
    });
    assert.equal(found.model.moves, true);
    assert.ok(found.tensors.has('measure.moved_shares.1'));
    assert.deepEqual([...given[0].lengths], [1, 2, 3, 4, 1, 1, 0, 1]);
});

test('half precision: normal and subnormal values', async () => {
    const bits = Uint16Array.from([0x3c00, 0x0001, 0x0400, 0x0000]); // 1, 2^-24, 2^-14, 0
    const own = await read(
        {'attention.0': {dtype: 'F16', shape: [1, 2, 2], bytes: Buffer.from(bits.buffer)}},
        {tokens: '["a","b"]'},
    );
    assert.deepEqual([...(await own.weights('encoder', 0))], [1, 2 ** -24, 2 ** -14, 0]);
});

test('an encoder with a decoder has three parts, each with the tokens that look and that are looked at', async () => {
    const own = await read(
        {
            'attention.0': tensor([2, 1, 1], [1, 1]),
            'decoder.0': tensor([2, 2, 2], [1, 0, 0.5, 0.5, 1, 0, 0.5, 0.5]),
            'cross.0': tensor([2, 2, 1], [1, 1, 1, 1]),
            logits: tensor([3], [1, 2, 3]),
        },
        {encoder_tokens: '["source"]', decoder_tokens: '["a", "b"]'},
    );
    assert.deepEqual([...own.parts.keys()], ['encoder', 'decoder', 'cross']);
    assert.deepEqual(own.parts.get('cross').queries, ['a', 'b']);
    assert.deepEqual(own.parts.get('cross').keys, ['source']);
    assert.deepEqual(own.ignored, ['logits']);
});

test('rows that do not sum to 1 are noted: how many, and the first', async () => {
    const values = [...half];
    values[5] = 0.25;
    values[15] = 0;
    const {odd} = await read({'attention.0': layer(), 'attention.1': tensor([1, 4, 4], values)});
    assert.deepEqual(odd, [{name: 'attention.1', count: 2, head: 0, row: 1, sum: 0.75}]);
    const {
        odd: [{count, sum}],
    } = await read({'attention.0': tensor([1, 4, 4], [...half.slice(0, -1), 0.525])});
    assert.deepEqual([count, sum.toFixed(3)], [1, '1.025'], 'more than 0.02 off');
    assert.deepEqual(
        (await read({'attention.0': tensor([1, 4, 4], [...half.slice(0, -1), 0.515])})).odd,
        [],
        'what half precision may do',
    );
});

const FAULTS = [
    ['no tokens', {'attention.0': layer()}, {}, /no 'tokens'.*help/],
    ['no metadata', {'attention.0': layer()}, null, /no 'tokens'/],
    [
        'tokens are no JSON',
        {'attention.0': layer()},
        {tokens: "['a']"},
        /JSON list of texts.*json\.dumps/,
    ],
    ['tokens are numbers', {'attention.0': layer()}, {tokens: '[1,2,3,4]'}, /JSON list of texts/],
    [
        'tokens are none',
        {'attention.0': tensor([1, 0, 0], [])},
        {tokens: '[]'},
        /list of tokens.*empty/,
    ],
    [
        'a token too few',
        {'attention.0': layer()},
        {tokens: '["a","b","c"]'},
        /\[1,4,4\].*expected is \[1, 3, 3\]/,
    ],
    ['a batch', {'attention.0': tensor([1, 1, 4, 4], half)}, TOKENS, /without the batch/],
    ['two axes', {'attention.0': tensor([4, 4], half)}, TOKENS, /has shape \[4,4\]/],
    [
        'other heads in layer 1',
        {'attention.0': layer(), 'attention.1': tensor([2, 4, 4], [...half, ...half])},
        TOKENS,
        /attention\.1 has shape \[2,4,4\], but expected is \[1, 4, 4\]/,
    ],
    ['a gap', {'attention.0': layer(), 'attention.2': layer()}, TOKENS, /attention\.1 is missing/],
    ['nothing of ours', {weight: layer()}, TOKENS, /no tensor attention\.0.*it has weight/],
    [
        'integers',
        {'attention.0': {dtype: 'I8', shape: [1, 4, 4], bytes: Buffer.alloc(16)}},
        TOKENS,
        /is I8; F32, F16 and BF16/,
    ],
    [
        'NaN',
        {'attention.0': tensor([1, 4, 4], [NaN, ...half.slice(1)])},
        TOKENS,
        /not finite numbers.*head 0, row 0/,
    ],
    [
        'infinite',
        {'attention.0': tensor([1, 4, 4], [...half.slice(1), Infinity])},
        TOKENS,
        /not finite.*row 3/,
    ],
    ['cross without decoder tokens', {'cross.0': layer()}, TOKENS, /no 'decoder_tokens'/],
    [
        'wrong sentences',
        {'attention.0': layer()},
        {...TOKENS, sentences: '[0,0,1]'},
        /3 entries for 4 tokens/,
    ],
    [
        'sentences of another kind',
        {'attention.0': layer()},
        {...TOKENS, sentences: '["A"]'},
        /0, 1 and null/,
    ],
];
for (const [name, tensors, metadata, sentence] of FAULTS) {
    test(`refused: ${name}`, () => refused(read(tensors, metadata), sentence));
}

const change = (name, patch) => header => ({...header, [name]: {...header[name], ...patch}});
const HEADERS = [
    [
        'a gap between tensors',
        change('attention.1', {data_offsets: [68, 132]}),
        /does not begin where/,
    ],
    [
        'tensors over each other',
        change('attention.1', {data_offsets: [0, 64]}),
        /does not begin where/,
    ],
    [
        'a reversed range',
        change('attention.1', {data_offsets: [128, 64]}),
        /needs 64 bytes, but the header gives it -64 bytes/,
    ],
    [
        'a size that overflows',
        change('attention.1', {shape: [2 ** 40, 2 ** 40]}),
        /needs over 1,000 TB, but/,
    ],
    [
        'a negative size',
        change('attention.1', {shape: [-1, 4, 4]}),
        /describes tensor 'attention\.1' wrongly/,
    ],
    ['a fraction', change('attention.1', {data_offsets: [64.5, 128]}), /wrongly/],
    ['an unknown type', change('attention.1', {dtype: 'F128'}), /type F128/],
    ['metadata that are no texts', change('__metadata__', {tokens: ['a']}), /names to texts/],
    [
        'a name twice',
        header => JSON.stringify(header).replace('attention.1', 'attention.0'),
        /names 'attention\.0' twice/,
    ],
    [
        'a name twice, written otherwise',
        header => JSON.stringify(header).replace('attention.1', 'attention.\\u0030'),
        /twice/,
    ],
    ['no JSON', () => '{"attention.0": ', /not JSON/],
    ['a list', () => '[1]   ', /not JSON/],
    ['a space before', header => ` ${JSON.stringify(header)}`, /not JSON/],
    ['null', () => 'null', /not JSON/],
    ['a tensor that is null', header => ({...header, 'attention.1': null}), /wrongly/],
];
for (const [name, header, sentence] of HEADERS) {
    test(`refused header: ${name}`, () =>
        refused(read({'attention.0': layer(), 'attention.1': layer()}, TOKENS, header), sentence));
}

test('a file cut at any byte, or with a byte added, is refused with a sentence', async () => {
    const whole = writeSafetensors({'attention.0': layer()}, TOKENS);
    for (let size = 0; size < whole.length; size++) {
        await refused(
            readImported(asFile(whole.subarray(0, size))),
            /shorter|does not begin|not JSON|cut off/,
        );
    }
    await refused(
        readImported(asFile(Buffer.concat([whole, Buffer.from([0])]))),
        /something was added/,
    );
    await refused(
        readImported(asFile('<!doctype html><html>a page</html>')),
        /does not begin as a safetensors file does/,
    );
    await refused(readImported(asFile(Buffer.alloc(64, 255))), /does not begin/);
});

test('__proto__ as the name of a tensor changes nothing', async () => {
    const own = await read({'attention.0': layer(), spare: tensor([1], [1])}, TOKENS, header =>
        JSON.stringify(header).replace('spare', '__proto__'),
    );
    assert.deepEqual(own.ignored, ['__proto__']);
});

test('tokens: specials, sentences, and pieces of words by each convention', () => {
    const of = (queries, sentences = null) =>
        importedTokens('encoder', {queries, keys: queries, sentences, layers: [], heads: 1});
    const bert = of(
        ['[CLS]', 'straw', '##berries', '[SEP]', 'straw', '[SEP]'],
        [null, 0, 0, null, 1, null],
    );
    assert.deepEqual(
        bert.map(({word}) => word),
        [-1, 0, 0, -1, 1, -1],
    );
    assert.deepEqual(
        bert.map(({sentence}) => sentence),
        [-1, 0, 0, -1, 1, -1],
    );
    assert.deepEqual(
        bert.map(({type}) => type),
        [0, 0, 0, 0, 1, 1],
    );
    assert.deepEqual(
        bert.map(({id}) => id),
        [1, 5, 6, 2, 5, 2],
    );
    assert.deepEqual(
        of(['<s>', 'Hel', 'lo', '\u0120world', 'wide', '</s>']).map(({word}) => word),
        [-1, 0, 0, 1, 1, -1],
    );
    assert.deepEqual(
        of(['\u2581The', '\u2581straw', 'berry']).map(({word}) => word),
        [0, 1, 1],
    );
    assert.deepEqual([...columnsOf(bert.slice(0, 2))], [1, 5, 0, 0, -1, 0]);
    const cross = importedTokens('cross', {
        queries: ['<pad>', 'a'],
        keys: ['a', 'b'],
        sentences: null,
        layers: [],
        heads: 1,
    });
    assert.deepEqual(
        cross.map(({sentence, special}) => [sentence, special]),
        [
            [0, true],
            [0, false],
            [1, false],
            [1, false],
        ],
    );
    const marked = of(['[CLS]', 'a', ',', '.', ',', '[SEP]']);
    assert.deepEqual(
        marked.map(({id}) => id),
        [1, 5, 4, 3, 4, 2],
        'punctuation has ids that C knows',
    );
    assert.equal(cross[1].id, cross[2].id, 'the same text on both sides is the same word');
});

test('cross-attention is the corner of a square, or stretched to one', () => {
    const data = Float32Array.from([1, 2, 3, 4, 5, 6]); // [1, 2, 3]
    const square = asCorner(data, [1, 2, 3]);
    assert.deepEqual([...square.subarray(0, 10)], [0, 0, 1, 2, 3, 0, 0, 4, 5, 6]);
    assert.deepEqual([...square.subarray(10)], Array(15).fill(0));
    assert.deepEqual([...asSquare(data, [1, 2, 3])], [1, 2, 3, 1, 2, 3, 4, 5, 6]);
});

test('measures of a model’s own attention, adopted as attention from elsewhere, are the same', async () => {
    const one = await openModel(`${root}models/mini-en`, 'q8'),
        {session, model} = one;
    const count = session.tokenize(
        'I went to the store.',
        'At the store, I bought fresh strawberries.',
    );
    const run = one.run();
    const size = model.heads * count * count;
    const attention = new Float32Array(model.layers * size);
    for (let i = 0; i < model.layers; i++) attention.set(run.tensor('attention', i).data, i * size);
    const {cls, sep} = model.special,
        tokens = session.tokens(),
        marks = ['.', ','];
    const numberOf = id =>
        id === cls
            ? 1
            : id === sep
              ? 2
              : marks.includes(session.tokenText(id))
                ? 3 + marks.indexOf(session.tokenText(id))
                : id + 5;
    const columns = Int32Array.from([
        ...tokens.map(({id}) => numberOf(id)),
        ...tokens.map(({type}) => type),
        ...tokens.map(({word}) => word),
    ]);
    const given = {sizes: [model.layers, model.heads, count], attention, columns};
    const adopted = session.adopt(given);
    for (const {name, arguments: takes, needs, compares} of session.constants().measures) {
        const args = takes.map(one => (one === 'size' ? 16 : 0)),
            before = compares ? run : null;
        if (
            (takes.includes('head') && name !== 'sieve') ||
            takes.includes('word') ||
            needs.length > 1
        )
            assert.throws(
                () => adopted.measure(name, args),
                /imported attention comes without (weights|values)/,
                name,
            );
        else
            assert.deepEqual(
                adopted.measure(name, args, before),
                run.measure(name, args, before),
                name,
            );
    }
    assert.throws(() => adopted.measure('nose'), /no measure nose/);
    assert.throws(() => adopted.tensor('attention', 0), /no tensors and no predictions/);
    const lengths = new Float32Array(model.layers * model.heads * count);
    for (let i = 0; i < lengths.length; i++) {
        const [layer, of] = [Math.floor(i / (model.heads * count)), i % (model.heads * count)];
        const at = Math.floor(of / count) * count * count + (of % count); // of the first query
        lengths[i] = run.measure('moved', [layer])[at] / run.tensor('attention', layer).data[at];
    }
    adopted.release();
    assert.throws(() => adopted.measure('even'), /has been released/);
    const moving = session.adopt({...given, lengths});
    const near = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 1e-5);
    for (const {name, arguments: takes} of session.constants().measures) {
        if (!/^moved(?!_together|_through)/.test(name)) continue;
        const args = takes.map(one => (one === 'size' ? 16 : one === 'layer' ? 1 : 0));
        assert.ok(near(moving.measure(name, args), run.measure(name, args)), name);
    }
    assert.throws(() => moving.measure('moved_together', [0]), /comes without values/);
    assert.throws(
        () => session.adopt({...given, sizes: [model.layers, 0, count]}),
        /cannot be measured/,
    );
});

test('the Python lines of the help have the six lines that are promised', () => {
    const source = readFileSync(`${root}web/model/imported_view.js`, 'utf8');
    const single = /const SINGLE = `([^`]*)`/.exec(source)[1];
    assert.equal(single.split('\n').length, 6);
    for (const name of [
        'attn_implementation="eager"',
        'output_attentions=True',
        '"tokens": json.dumps(inputs.tokens())',
    ]) {
        assert.ok(single.includes(name), name);
    }
});
