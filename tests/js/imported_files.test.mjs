/* Imported attention of other forms than safetensors: what this page saves comes back as the same
 * picture; JSON of BertViz and dodrio, arrays of NumPy; and the sentence for each fault. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {readImported} from '../../web/files/imported.js';
import {importedTokens} from '../../web/files/imported_tokens.js';
import {defaults} from '../../web/state/state.js';
import {FORMATS} from '../../web/save/attention.js';
import {csvOf} from '../../web/save/texts.js';
import {headView} from '../../web/views/head/view.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en} from './lib/words.mjs';

const file = (content, name = 'a') => new File([content], name);
const json = value => file(JSON.stringify(value), 'a.json');
const refused = (promise, sentence) =>
    assert.rejects(promise, error => {
        assert.equal(error.category, 'file');
        assert.match(error.message, sentence);
        assert.doesNotMatch(error.message, /\n/, 'one line');
        return true;
    });

/** What the head view draws of a file's layer. */
async function pictureOf(own, layer) {
    const content = own.parts.get('encoder');
    const T = content.queries.length;
    const tokens = importedTokens('encoder', content);
    const model = {layers: content.layers.length, heads: content.heads};
    const attention = {data: await own.weights('encoder', layer), shape: [content.heads, T, T]};
    const data = {model, pass: {tokens}, tensors: new Map([[`attention.${layer}`, attention]])};
    const look = {width: 640, theme: 'light', focus: null};
    return renderToString(headView.svg({...defaults, layer}, {...data, fills: []}, look, en));
}

test('what Save writes comes back as the same picture', {skip}, async () => {
    const golden = await openGolden('bert-tiny-random');
    const patch = {text: 'the cat, "sat" = on the mat.', textB: 'the old dog ran.'};
    const seen = async layer => (await golden(headView, {...patch, layer})).data;
    const {pass, model} = await seen(0);
    const source = {
        ...{
            model: 'bert-tiny-random',
            tokens: pass.tokens,
            layers: model.layers,
            heads: model.heads,
        },
        read: async layer => (await seen(layer)).tensors.get(`attention.${layer}`).data,
    };
    const look = {width: 640, theme: 'light', focus: null};
    const state = {...defaults, layer: 1};
    const drawn = renderToString(headView.svg(state, await seen(1), look, en));
    for (const [format, {make, ending}] of Object.entries(FORMATS)) {
        const own = await readImported(new File(await make(source), `a${ending}`));
        assert.deepEqual([own.odd, own.ignored, own.numbered], [[], [], format === 'npy'], format);
        const read = await own.weights('encoder', 1);
        const wanted = await source.read(1);
        if (format === 'half')
            read.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 2 ** -11, format));
        else assert.deepEqual(read, wanted, `${format}: bit for bit`);
        if (format !== 'half' && format !== 'npy')
            assert.ok((await pictureOf(own, 1)) === drawn, `${format}: the same picture`);
    }
});

const EVEN = [
    [
        [0.5, 0.5],
        [0.5, 0.5],
    ],
]; // [H, T, T]
const TOKENS = ['a', '=b'];

test('CSV: tokens that look like a formula, or like one that was guarded, come back as they were', async () => {
    const tokens = ["'=b", '=b', "''-c", "'", "'d", '@'];
    const user = text => ({text, user: true});
    const rows = tokens.flatMap((query, i) =>
        tokens.map((key, j) => [0, 0, i, user(query), j, user(key), 1 / tokens.length]),
    );
    const columns = ['layer', 'head', 'query', 'query_token', 'key', 'key_token', 'weight'];
    const {parts} = await readImported(new File([csvOf({columns, rows})], 'a.csv'));
    assert.deepEqual(parts.get('encoder').queries, tokens);
});

test('CSV: columns and rows in any order, each weight at its place', async () => {
    const [L, H, T] = [2, 3, 2];
    const all = [];
    const wanted = Array.from({length: L}, () => new Float32Array(H * T * T));
    for (let layer = 0; layer < L; layer++)
        for (let i = 0; i < H * T * T; i++) {
            const [head, query, key] = [Math.floor(i / T / T), Math.floor(i / T) % T, i % T];
            const weight = (1 + layer + 2 * i) / 64;
            wanted[layer][i] = weight;
            all.push([weight, `t${key}`, key, `t${query}`, query, 'more', head, layer].join(','));
        }
    const header = 'weight,key_token,key,query_token,query,mine,head,layer';
    for (const rows of [all, all.toReversed()]) {
        const text = `\ufeff${[header, ...rows].join('\r\n')}`; // as a spreadsheet writes it
        const own = await readImported(file(text, 'a.csv'));
        const {layers, heads, queries, keys} = own.parts.get('encoder');
        assert.deepEqual([layers.length, heads, queries, keys], [L, H, ['t0', 't1'], ['t0', 't1']]);
        for (let layer = 0; layer < L; layer++)
            assert.deepEqual(await own.weights('encoder', layer), wanted[layer]);
    }
});

test('a weight may be above 1 by what half precision adds, and stays as it is', async () => {
    const one = await readImported(csv('0,0,0,a,0,a,1.0009765625'));
    assert.deepEqual([...(await one.weights('encoder', 0))], [1.0009765625]);
});

test('BertViz: lists over layers with a batch of one, and what it gives its own page', async () => {
    const lists = await readImported(
        json({attention: [[EVEN[0]], [EVEN[0]]].map(one => [one]), tokens: TOKENS}),
    );
    assert.equal(lists.parts.get('encoder').layers.length, 2);
    assert.deepEqual(lists.parts.get('encoder').queries, TOKENS);
    const one = {attn: [EVEN, EVEN, EVEN], left_text: TOKENS, right_text: TOKENS};
    const page = await readImported(json({attention: [{name: null, ...one}], default_filter: '0'}));
    assert.equal(page.parts.get('encoder').layers.length, 3);
    const cross = {name: 'Cross', attn: [[[[1], [1]]]], left_text: TOKENS, right_text: ['x']};
    const encoder = {name: 'Encoder', attn: [[[[1]]]], left_text: ['x'], right_text: ['x']};
    const decoder = {name: 'Decoder', ...one, attn: [EVEN]};
    const three = await readImported(json({attention: [encoder, decoder, cross]}));
    assert.deepEqual([...three.parts.keys()], ['encoder', 'decoder', 'cross']);
    assert.deepEqual(three.parts.get('cross').queries, TOKENS);
    assert.deepEqual(three.parts.get('cross').keys, ['x']);
});

test('dodrio: bare maps with padding at the end, whose positions stand for tokens', async () => {
    const padded = [
        [0.25, 0.75, 0, 0],
        [0.5, 0.5, 0, 0],
        [0.9, 0.1, 0, 0],
        [0.3, 0.7, 0, 0],
    ];
    const own = await readImported(
        json([
            [padded, padded],
            [padded, padded],
        ]),
    );
    const {queries, heads, layers} = own.parts.get('encoder');
    assert.deepEqual([queries, heads, layers.length, own.numbered], [['0', '1'], 2, 2, true]);
    assert.deepEqual(
        [...(await own.weights('encoder', 1))],
        [0.25, 0.75, 0.5, 0.5, 0.25, 0.75, 0.5, 0.5],
    );
});

/** A .npy file of format 1 or 2. */
function npy(descr, shape, bytes, {order = 'False', version = 1} = {}) {
    const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${shape.join(', ')}), }\n`;
    const head = Buffer.alloc(version > 1 ? 12 : 10);
    head.write('\x93NUMPY', 'latin1');
    head[6] = version;
    if (version > 1) head.writeUInt32LE(text.length, 8);
    else head.writeUInt16LE(text.length, 8);
    return file(Buffer.concat([head, Buffer.from(text), bytes]), 'a.npy');
}

test('.npy: float16, float32 and float64 of either order of bytes, a batch of one, one layer', async () => {
    const values = [0.25, 0.75, 1, 0.5, 0.5, 1, 0.125, 0.875];
    const F32 = Buffer.from(Float32Array.from(values).buffer);
    const files = [
        npy('<f4', [2, 1, 2, 2], F32),
        npy('<f4', [2, 1, 1, 2, 2], F32, {version: 2}),
        npy('>f4', [2, 1, 2, 2], Buffer.from(F32).swap32()),
        npy('<f8', [2, 1, 2, 2], Buffer.from(Float64Array.from(values).buffer)),
        npy(
            '<f2',
            [2, 1, 2, 2],
            Buffer.from(
                Uint16Array.from([0x3400, 0x3a00, 0x3c00, 0x3800, 0x3800, 0x3c00, 0x3000, 0x3b00])
                    .buffer,
            ),
        ),
    ];
    for (const one of files)
        assert.deepEqual(
            [...(await (await readImported(one)).weights('encoder', 1))],
            values.slice(4),
        );
    const layer = await readImported(npy('<f4', [2, 2, 2], F32));
    assert.deepEqual(
        [layer.parts.get('encoder').layers.length, layer.parts.get('encoder').heads],
        [1, 2],
    );
});

const CSV_HEADER = 'layer,head,query,query_token,key,key_token,weight';
const csv = (...rows) => file([CSV_HEADER, ...rows, ''].join('\n'), 'a.csv');
/** Lists that promise by their first entries far more than there is. */
const promising = [[[Array(4096).fill(0)]]];
for (const list of [promising, promising[0], promising[0][0]]) list.length = 4;
promising[0][0].length = 4096;

/** What ended in an error of the engine's own words, or in a picture of numbers that are no weights. */
const RAW_ONCE = [
    [file('[\n'.repeat(20000) + ']'.repeat(20000), 'a.json'), /shape \[1, 1, 1, 1, 1, 1, 1\]; exp/],
    [json(promising), /the list\[0\]\[0\]\[1\] has no list, but its neighbours have 4096/],
    [json([Array(300).fill([[[1]]])].flat()), /at most 256 layers, 256 heads and 4096 tokens/],
    [
        json({attention: [{attn: EVEN, left_text: ['a']}, null]}),
        /attention\[1\].*is null, but expected/,
    ],
    [json({attention: [null, {attn: EVEN}]}), /attention\[0\].*is null, but expected is BertViz/],
    [json({attention: [{attn: [EVEN]}]}), /left_text of the JSON file is missing, but expected/],
    [json({attention: [EVEN], tokens: [1, 2]}), /tokens\[0\] of the JSON file is 1, but .* a text/],
    [
        json({attention: [EVEN], tokens: TOKENS, sentences: [0, 2]}),
        /sentences\[1\].* is 2, but .* 0, 1 or/,
    ],
    [file('', 'a.json'), /a\.json is empty; expected is \{"tokens": \[...\], "attention"/],
    [file('7', 'a.json'), /no "attention" \(it has nothing\)/],
    ...[6, 9, 10, 11].map(size => [
        file(
            Buffer.concat([Buffer.from('\x93NUMPY', 'latin1'), Buffer.alloc(5, 1)]).subarray(
                0,
                size,
            ),
        ),
        new RegExp(`the \\.npy file has ${size} bytes, and ends .* header`),
    ]),
    [
        json({
            attention: [
                [
                    [
                        [-0.5, 1.5],
                        [0, 1],
                    ],
                ],
            ],
            tokens: TOKENS,
        }),
        /attention\.0 holds -0\.5 in head 0, row 0, column 0; weights lie/,
    ],
    [
        json([
            [
                [
                    [1, 0],
                    [0, 1.25],
                ],
            ],
        ]),
        /holds 1\.25 in head 0, row 1, column 1/,
    ],
    [
        npy('<f4', [1, 1, 2, 2], Buffer.from(Float32Array.of(2, -1, 0, 1).buffer)),
        /holds 2 in head 0, row 0, column 0/,
    ],
    [
        csv('0,0,0,a,0,a,0.5', '0,0,0,a,1,b,0.5', '0,0,1,b,0,a,0.5', '0,0,1,b,0,a,0.5'),
        /row 5 .* 0, 0, 1, 0, as row 4/,
    ],
    [
        csv('0,0,0,a,0,a,0.5', '0,0,0,a,1,b,0.5', '0,0,1,b,0,c,0.5', '0,0,1,b,1,b,0.5'),
        /row 4 .* key_token "c" at key 0, but row 2 says "a"/,
    ],
    [
        csv('0,0,0,a,0,a,0.5', '0,0,0,c,1,b,0.5', '0,0,1,b,0,a,0.5', '0,0,1,b,1,b,0.5'),
        /row 3 .* query_token "c" at query 0, but row 2 says "a"/,
    ],
    // one weight is missing: the last, the first, of a layer, of a head
    [csv('0,0,0,a,0,a,1', '0,0,1,b,0,a,1', '0,0,1,b,1,b,0'), /3 weights; .* 1 × 1 × 2 × 2, make 4/],
    [csv('0,0,0,a,1,b,0', '0,0,1,b,0,a,1', '0,0,1,b,1,b,0'), /3 weights; .* 1 × 1 × 2 × 2, make 4/],
    [csv('0,0,0,a,0,a,1', '1,1,0,a,0,a,1', '1,0,0,a,0,a,1'), /3 weights; .* 2 × 2 × 1 × 1, make 4/],
    [csv('0,1,0,a,0,a,1'), /1 weights; .* 1 × 2 × 1 × 1, make 2/],
    ...['-1,0,0,a,0,a,1', '0,1.5,0,a,0,a,1', '0,0,12345,a,0,a,1', '0,0,0,a,,a,1'].map(row => [
        csv(row),
        new RegExp(`row 2 of the CSV file is ${row}; expected are numbers from 0`),
    ]),
    ...['1e999', '-0.25', '1.002'].map(weight => [
        csv(`0,0,0,a,0,a,${weight}`),
        weight === '1e999' ? /row 2 of the CSV file is/ : /holds .* weights lie between 0 and 1/,
    ]),
    [csv('0,0,0,a,0,a'), /row 2 of the CSV file is 0,0,0,a,0,a; expected/],
    [csv('0,0,0,a,0,a, '), /row 2 of the CSV file is/],
    [csv('0,0,0,a"b,0,a"b,1'), /row 2 of the CSV file has a quote within a cell/],
];

test('an array of 5,000 tokens is refused before its numbers are read', async () => {
    const large = npy('<f4', [1, 1, 5000, 5000], Buffer.alloc(1e6));
    const read = [];
    large.arrayBuffer = () => read.push('whole');
    const slice = large.slice.bind(large);
    large.slice = (begin, end = large.size) => read.push(end - begin) && slice(begin, end);
    await refused(
        readImported(large),
        /shape \[1, 1, 5000, 5000\]; at most .* 4096 tokens are read/,
    );
    assert.ok(read.length > 0 && read.every(bytes => bytes <= 65536), read.join());
});

test('a long file is read in slices, and others get their turn between them', async () => {
    const size = 1500;
    const numbers = new Float32Array(size * size).fill(1 / size);
    let turns = 0;
    const timer = setInterval(() => turns++);
    await readImported(npy('<f4', [1, 1, size, size], Buffer.from(numbers.buffer)));
    clearInterval(timer);
    assert.ok(turns >= 1, `${turns} turns`);
});

test('JSON is parsed row by row; what strings hold is no row', async t => {
    const size = 400;
    const row = Array.from({length: size}, (_, i) => (i === 7 ? 0.25 : 0.75 / (size - 1)));
    const tokens = row.map((_, i) => `"[${i}, 1, 2]\\`);
    tokens[3] = `[${row.slice(0, 20)}]`;
    const value = {tokens, attention: [[row.map(() => row)]]};
    const bytes = Buffer.from(JSON.stringify(value).replace('{', '{"__proto__": [[1]], '));
    const parse = t.mock.method(JSON, 'parse');
    const read = await readImported(file(bytes, 'a.json'));
    const longest = Math.max(...parse.mock.calls.map(({arguments: [text]}) => text.length));
    assert.ok(longest < bytes.length / 10, `${longest} of ${bytes.length} characters at once`);
    assert.deepEqual(read.parts.get('encoder').keys, tokens);
    assert.deepEqual(await read.weights('encoder', 0), Float32Array.from(row.flatMap(() => row)));
});

test('each fault has its sentence', async () => {
    const four = Buffer.alloc(16);
    for (const [bad, sentence] of [
        [file('PK\x03\x04rest', 'a.npz'), /zip archive.*numpy\.save/],
        [json({model: 1, scores: []}), /no "attention" \(it has model, scores\)/],
        [json([[[1, 2]]]), /shape \[1, 1, 2\]|has shape|tokens/],
        [json([]), /has shape \[0\]; expected is \[layers, heads, tokens, tokens\]/],
        [json([1, 2]), /has shape \[2\]; expected is/],
        [
            json(
                [
                    [EVEN[0], EVEN[0]],
                    [EVEN[0], EVEN[0]],
                ].map(one => [one, one]),
            ),
            /holds 2 texts: take one, \[:, 0\]/,
        ],
        [
            json([[[[0.5, 0.5], [1]]]]),
            /the list\[0\]\[0\]\[1\] has 1 entries, but its neighbours have 2/,
        ],
        [json([[[[0.5, 0.5], 3]]]), /has no list/],
        [
            json([
                [
                    [
                        [0.5, '1'],
                        [1, 0],
                    ],
                ],
            ]),
            /\[0\]\[0\]\[0\]\[1\] is "1", not a number/,
        ],
        [
            json({attention: [EVEN], tokens: ['a', 'b', 'c']}),
            /attention\.0 has shape \[1,2,2\], but expected is \[1, 3, 3\]/,
        ],
        [
            json({attention: [EVEN], tokens: 'a b'}),
            /tokens of the JSON file is "a b", but expected is a list with a text for each token/,
        ],
        [file('[[[[NaN]]]]', 'a.json'), /no JSON.*NaN/],
        [npy('<i8', [1, 1, 1, 1], four), /holds <i8; float16, float32 and float64 are read/],
        [npy('<f4', [1, 1, 2, 2], four, {order: 'True'}), /Fortran order/],
        [
            npy('<f4', [1, 1, 3, 3], four),
            /16 bytes of numbers, but its shape \[1, 1, 3, 3\] takes 36 bytes/,
        ],
        [npy('<f4', [4], four), /shape \[4\]/],
        [file('a,b\n1,2\n', 'a.csv'), /first row of the CSV file is a,b; expected is layer,head/],
        [
            file('layer,head,query,query_token,key,key_token,weight\n0,0,0,a,0,a,x\n'),
            /row 2 of the CSV file is 0,0,0,a,0,a,x/,
        ],
        [
            file('layer,head,query,query_token,key,key_token,weight\n0,0,1,a,1,a,1\n'),
            /1 weights; .* 1 × 1 × 2 × 2, make 4/,
        ],
        [file('hello, world, and more', 'a.txt'), /safetensors/],
        ...RAW_ONCE,
    ])
        await refused(readImported(bad), sentence);
});
