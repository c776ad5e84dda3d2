/* Saved files: names, CSV, JSON, the page of its own, as text; and that nothing a token may hold
 * becomes a formula, markup, script or broken XML in any of them. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
    codeForScript,
    csvOf,
    fileName,
    inert,
    jsonForScript,
    jsonOf,
    packed,
    savedPage,
    withFirst,
} from '../../web/save/texts.js';

export const HOSTILE = [
    '<script>window.pwn=1</script>',
    '</script><img src=x onerror=window.pwn=1>',
    ']]><svg onload=pwn=1>',
    '<!--<script>',
    '\0\x01\x1b[31m\x7f\x9b',
    '\ufffe\uffff',
    '\ud800',
    "=cmd|'/c calc'!A1",
    '+1+1',
    '-1+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '"quoted", and more',
    'a\nb',
    '\u2028',
    '&lt;b&gt;',
    '${1}',
    '`',
    '\\',
    "'",
    '＝1',
];
const user = text => ({text, user: true});
const table = {
    caption: 'Caption',
    columns: ['No.', 'Query', 'Weight'],
    rows: HOSTILE.map((text, i) => [i, user(text), {value: 1 / 3, text: '0.33'}]),
};

test('a saved page has of a tensor its own numbers, also where they lie in a longer buffer', () => {
    const data = new Float32Array([9, 1, 2, 9]).subarray(1, 3);
    const [{shape, numbers}] = packed([['a', {data, shape: [2]}]]);
    assert.deepEqual(shape, [2]);
    assert.deepEqual(
        [...new Float32Array(new Uint8Array(Buffer.from(numbers, 'base64')).buffer)],
        [1, 2],
    );
});

test('file names tell view, layer and heads', () => {
    const view = {id: 'head', controls: ['layer', 'heads', 'filter']};
    assert.equal(fileName(view, {layer: 2, heads: [0]}, 6), 'headlight-head-layer-2-head-0');
    assert.equal(fileName(view, {layer: 99, heads: [0, 3]}, 6), 'headlight-head-layer-5-heads-0-3');
    assert.equal(fileName(view, {layer: 0, heads: []}, 6), 'headlight-head-layer-0-all-heads');
    assert.equal(
        fileName({id: 'model', controls: []}, {layer: 2, heads: [0]}, 6),
        'headlight-model',
    );
    assert.equal(fileName({id: '../x', controls: []}, {layer: 0, heads: []}, 6), 'headlight-.._x');
});

/** A reader of RFC 4180, to see what a spreadsheet would see. */
function parseCsv(text) {
    const rows = [[]];
    for (const [, quoted, plain, end] of text.matchAll(
        /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g,
    )) {
        rows[rows.length - 1].push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
        if (end === '\r\n') rows.push([]);
        if (end === '') break;
    }
    return rows.slice(0, -1);
}

test('CSV: every cell comes back, numbers unrounded, and none is a formula', () => {
    const text = csvOf(table);
    assert.ok(text.startsWith('\ufeffNo.,Query,Weight\r\n'));
    const rows = parseCsv(text.slice(1));
    assert.equal(rows.length, HOSTILE.length + 1);
    rows.slice(1).forEach(([number, piece, weight], i) => {
        assert.equal(Number(number), i);
        assert.equal(Number(weight), 1 / 3, 'not 0.33');
        assert.doesNotMatch(piece, /^[=+\-@\t\r＝＋－＠]/u, JSON.stringify(piece));
        assert.equal(piece.replace(/^'(?=[=+\-@\t\r＝])/u, ''), inert(HOSTILE[i]));
    });
});

test('CSV: each row says of what it is, by what there is to say', () => {
    const one = {caption: '', columns: ['No.'], rows: [[0], [1]], word: '=x'};
    const about = {
        ...{model: 'mini', view: 'head', layer: 2, heads: [0, 3], text: 'a, "b"', textB: ''},
        ...{layers: 6, tokens: ['a'], masked: [1]},
    };
    assert.deepEqual(parseCsv(csvOf(one, about).slice(1)), [
        ['model', 'text', 'layer', 'heads', 'word', 'No.'],
        ['mini', 'a, "b"', '2', '0 3', "'=x", '0'],
        ['mini', 'a, "b"', '2', '0 3', "'=x", '1'],
    ]);
    const file = {file: 'a.json', part: 'cross', layer: null, heads: 'all', text: '=a', textB: 'b'};
    assert.deepEqual(parseCsv(csvOf({...one, word: undefined}, file).slice(1))[1], [
        ...['a.json', 'cross', "'=a", 'b', '0'],
    ]);
});

test('CSV: printed numbers stay numbers, also negative ones; what is not finite is left empty', () => {
    const cells = [
        '-0.25',
        '+3',
        '-1e5',
        '12.5 %',
        '<0.01',
        '-',
        '--',
        -0.5,
        NaN,
        user('-0.25'),
        user('-x'),
    ];
    const [, row] = parseCsv(
        csvOf({caption: '', columns: cells.map(String), rows: [cells]}).slice(1),
    );
    assert.deepEqual(row, [
        '-0.25',
        '+3',
        "'-1e5",
        '12.5 %',
        '<0.01',
        "'-",
        "'--",
        '-0.5',
        '',
        '-0.25',
        "'-x",
    ]);
});

test('CSV of a study: the rows of the measure on screen come first, the others as they were', () => {
    const csv = 'measure,layer\nnext,0\nnext,1\nnext_b,0\nsep,0\nsep,1\n';
    const first = withFirst(csv, 'sep');
    assert.equal(first, 'measure,layer\nsep,0\nsep,1\nnext,0\nnext,1\nnext_b,0\n');
    assert.equal(withFirst(csv, 'next'), csv);
    assert.equal(withFirst(csv, 'absent'), csv);
});

test('JSON: the table with unrounded numbers, and what the figure shows', () => {
    const read = JSON.parse(jsonOf(table, {view: 'head', layer: 2}));
    assert.deepEqual(
        [read.view, read.layer, read.caption, read.columns],
        ['head', 2, 'Caption', table.columns],
    );
    assert.equal(read.rows[0][2], 1 / 3);
    assert.deepEqual(
        read.rows.map(([, piece]) => piece),
        HOSTILE.map(inert),
    );
});

test('no character that XML forbids is left, and ordinary text stays as it is', () => {
    for (const text of HOSTILE)
        assert.doesNotMatch(inert(text), /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u);
    assert.equal(inert('\0'), '\u2400');
    for (const text of ['straw ##berries', '草莓 🍓', '\u0120the', 'a\tb\nc'])
        assert.equal(inert(text), text);
});

test('script elements: data hold no <, code no end of script', () => {
    const json = jsonForScript({pieces: HOSTILE});
    assert.doesNotMatch(json, /<|\u2028|\u2029/);
    assert.deepEqual(
        JSON.parse(json).pieces,
        HOSTILE.map(text => text),
    );
    const code = codeForScript('const a = "</script>", b = "</SCRIPT >", c = "<!--", d = "</b>";');
    assert.doesNotMatch(code, /<\/script|<!--/i);
    assert.deepEqual(new Function(`${code} return [a, b, c, d];`)(), [
        '</script>',
        '</SCRIPT >',
        '<!--',
        '</b>',
    ]);
});

test('a saved page allows its own script only, and no address', () => {
    const page = savedPage({
        lang: 'en',
        title: '</title><script>pwn=1</script>',
        svg: '<svg></svg>',
        style: 'a{}</style><script>',
        data: {pieces: HOSTILE},
        code: 'run()',
        hash: 'abc=',
    });
    assert.match(
        page,
        /default-src 'none'; script-src 'sha256-abc='; style-src 'unsafe-inline'; img-src data:;/,
    );
    assert.equal(
        page.match(/<script/g).length,
        3,
        'data, code, and one within the style, where it is text',
    );
    assert.equal(page.match(/<\/script/g).length, 2);
    assert.equal(page.match(/<\/style/g).length, 1);
    assert.match(
        savedPage({lang: 'en', title: '', svg: '', style: '', data: 1, code: '', hash: ''}),
        /script-src 'unsafe-inline'/,
    );
});
