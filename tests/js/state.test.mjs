/* The state and its link: every state comes back from its link, and no hash, however forged, is an
 * error.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
    defaults,
    defaultsOf,
    FIELDS,
    formatHash,
    parseHash,
    readFields,
    update,
} from '../../web/state/state.js';

const OTHER = {
    text: 'a=b&c #100 % + ü 漢字 😀\n"<img src=x>"',
    textB: 'zweiter Satz',
    model: 'mini-en-2.0_x',
    compareWith: 'org/name@main',
    beside: 'layer=1&heads=2&text=a%20b',
    view: 'model',
    layer: 11,
    heads: [0, 3, 15],
    token: 7,
    filter: 'ab',
    specials: false,
    first: false,
    lesson: 'inside',
    without: 'types',
    written: '12.261.12',
    show: 'moved',
    swapped: [2, 5],
    oneBased: true,
    masked: [2, 5],
    off: ['0.1', '5.7'],
    zeroed: ['0.1.31'],
    queries: [2, 4, 8],
    picked: [1, 7],
    side: 'key',
    mix: 'rollout',
    level: 'words',
    top: 70,
    fillings: true,
    picture: 'heatmaps',
    keepLayers: [1],
    keepHeads: [0, 2],
    measure: 'sep',
    order: 'all',
    opened: '3.11',
    gridSpecials: false,
    gridFirst: false,
    log: true,
    heading: 'it → cat & <b>',
    note: 'Two lines:\n100 %',
    marks: ['3.11:look, here: 100%', '4.5:'],
    replaced: ['3:dog', '12:,', '13:100%:😀'],
    from: 4,
    to: 9,
    ask: 'previous',
    patch: 'the other text, 100 % & [MASK]',
    against: 'é.b & 100 %',
    by: 'mean',
    together: ['1.8', '3.11'],
    mapColour: 'pattern',
    effects: true,
    step: 3,
    form: 'matrices',
    lens: true,
    tour: 3,
    part: 'cross',
    lang: 'zh',
    theme: 'dark',
    desk: 'corpus',
    study: 'roles',
    corpus: 'pairs',
    otherModel: 'random',
    settings: ['limit:300', 'measure:sep'],
    asked: 'head layer=1 head=3 query.word=é,&',
    tau: 2.5,
    precision: 'fine',
    alpha: 0.01,
    correction: 'bh',
    sd: 'sample',
    role: 'local',
};

const old = defaultsOf(null); // of links without a version: compat.test.mjs

test('the link of the default state is its version; a link without one is of version 1', () => {
    assert.equal(formatHash(defaults), '#v=5');
    assert.deepEqual(parseHash('#v=5'), defaults);
    assert.deepEqual(parseHash(''), old);
    assert.deepEqual(parseHash('#'), old);
});

test('every field differs in OTHER, so that the round trip below leaves none out', () => {
    for (const {name} of FIELDS) {
        assert.ok(Object.hasOwn(OTHER, name), name);
        assert.notDeepEqual(OTHER[name], defaults[name], name);
    }
});

test('a state comes back from its link, apart from fields that are not in links', () => {
    const state = update(defaults, OTHER);
    assert.deepEqual({...state}, OTHER);
    const link = formatHash(state);
    assert.deepEqual(parseHash(link), {...state, theme: 'auto'});
    assert.equal(parseHash(link, state).theme, 'dark');
    assert.equal(formatHash(parseHash(link)), link);
    assert.doesNotMatch(link, /theme/);
});

test('an empty text is not the default text', () => {
    const state = update(defaults, {text: '', textB: ''});
    assert.deepEqual(parseHash(formatHash(state)), state);
});

test('a link does not end in a sign that Markdown leaves out of it, and says the same', () => {
    for (const sign of '.!*_~\'()?,;:"…。')
        for (const given of [{text: `Is it${sign}`}, {textB: `a${sign}b${sign}`}, {text: sign}]) {
            const state = {...defaults, ...given};
            const hash = formatHash(state);
            assert.match(hash, /[\w%=&#-]*[A-Za-z0-9-]$/, hash);
            assert.deepEqual(parseHash(hash), state);
        }
});

test('each field alone comes back', () => {
    for (const {name, inUrl} of FIELDS) {
        const state = update(defaults, {[name]: OTHER[name]});
        assert.deepEqual(
            parseHash(formatHash(state))[name],
            inUrl ? OTHER[name] : defaults[name],
            name,
        );
    }
});

test('a lesson is linked as lesson=id&step=n, beside which the steps view keeps its own step', () => {
    const {lesson, tour, step} = parseHash('#v=2&lesson=inside&step=3');
    assert.deepEqual([lesson, tour, step], ['inside', 3, 0]);
    assert.equal(parseHash('#v=2&lesson=inside').tour, 0);
    const written = update(defaults, {lesson: 'steps', tour: 2, view: 'steps', step: 5});
    assert.deepEqual(parseHash(formatHash(written)), written);
    assert.equal(parseHash('#v=2&view=steps&step=4').step, 4);
});

test('a malformed value falls back alone', () => {
    const state = parseHash(
        '#layer=x&view=model&heads=1,,2&filter=zz&text=%E0%A4%A&textB=ok&specials=2&model=../x',
    );
    assert.deepEqual(state, {...old, view: 'model', textB: 'ok'});
});

for (const value of ['NaN', '-1', '1e3', '1.5', '99999', ' 1', '0x1', '', 'Infinity', '٣']) {
    test(`layer=${value} is no layer`, () => assert.equal(parseHash(`#layer=${value}`).layer, 0));
}

for (const value of [
    'a',
    '1,',
    ',1',
    '-1',
    '1;2',
    '1,NaN',
    '1'.repeat(5),
    `${'1,'.repeat(300)}1`,
]) {
    test(`heads=${value.slice(0, 12)} is no list of heads`, () =>
        assert.deepEqual(parseHash(`#heads=${value}`).heads, []));
}

for (const value of [
    '3',
    '3:',
    ':dog',
    'x:dog',
    '3:a b',
    '3:%E0%A4%A',
    '3:dog,',
    `3:${'a'.repeat(65)}`,
]) {
    test(`replaced=${value.slice(0, 12)} is no list of words`, () =>
        assert.deepEqual(parseHash(`#replaced=${encodeURIComponent(value)}`).replaced, []));
}

test('heads come sorted and once each', () =>
    assert.deepEqual(parseHash('#heads=3,1,3,0').heads, [0, 1, 3]));
test('a layer that no model has is kept for the page to clamp', () =>
    assert.equal(parseHash('#layer=99').layer, 99));
test('the first of two equal names counts', () =>
    assert.equal(parseHash('#layer=1&layer=2').layer, 1));

test('names that are not fields are ignored', () => {
    const hash =
        '#__proto__=x&constructor=y&toString=z&__proto__.layer=4&=5&&&===&hasOwnProperty=1&theme=dark';
    assert.deepEqual(parseHash(hash), old);
    assert.equal({}.layer, undefined);
    assert.deepEqual(update(defaults, JSON.parse('{"__proto__": {"layer": 3}}')), defaults);
});

test('a hash of 1 MB is not read, quickly', () => {
    const started = performance.now();
    for (const hash of [
        `#text=${'a'.repeat(1e6)}`,
        '#' + '&layer=1'.repeat(125000),
        '#' + '%'.repeat(1e6),
    ]) {
        assert.deepEqual(parseHash(hash), old);
    }
    assert.ok(performance.now() - started < 3000);
});

test('a hash just below the limit, of rubbish, is read in time', () => {
    const started = performance.now();
    parseHash('#' + '&'.repeat(99000));
    parseHash('#heads=' + '1,'.repeat(49000));
    assert.ok(performance.now() - started < 3000);
});

test('a text too long for a link stays in the state and out of the link', () => {
    const state = update(defaults, {text: 'a'.repeat(5000), layer: 2});
    assert.equal(state.text.length, 5000);
    assert.equal(formatHash(state), '#v=5&layer=2');
});

test('the longest link is read back', () => {
    const state = update(defaults, {text: '漢'.repeat(4000), textB: '字'.repeat(4000)});
    assert.deepEqual(parseHash(formatHash(state)), state);
});

test('lone surrogates do not break the link', () => {
    const state = update(defaults, {text: 'a\ud800b'});
    assert.equal(parseHash(formatHash(state)).text, 'a\ufffdb');
});

test('update leaves out what does not fit and keeps the object when nothing changes', () => {
    assert.equal(update(defaults, {layer: 0}), defaults);
    assert.equal(
        update(defaults, {
            layer: -1,
            heads: [2, 1],
            filter: 'x',
            text: 5,
            specials: 'yes',
            nothing: 1,
        }),
        defaults,
    );
    assert.equal(update(defaults, {heads: []}), defaults);
    for (const layer of [NaN, 1.5, Infinity, '3', null, undefined])
        assert.equal(update(defaults, {layer}), defaults);
});

test("states are frozen, lists too, and do not share the caller's list", () => {
    const heads = [1, 2];
    const state = update(defaults, {heads});
    heads.push(3);
    assert.deepEqual(state.heads, [1, 2]);
    assert.throws(() => {
        state.layer = 1;
    }, TypeError);
    assert.throws(() => {
        state.heads.push(1);
    }, TypeError);
});

test('attributes are read like a link', () => {
    assert.deepEqual(
        {
            ...readFields([
                ['layer', '2'],
                ['heads', '1,0'],
                ['onclick', 'x'],
                ['theme', 'dark'],
            ]),
        },
        {layer: 2, heads: [0, 1], theme: 'dark'},
    );
});

test('a plus in a link is a space, as forms write it; one that is meant is %2B', () => {
    const read = parseHash('#v=5&text=The+cat+sat&textB=1%2B1');
    assert.deepEqual([read.text, read.textB], ['The cat sat', '1+1']);
    assert.match(formatHash({...defaults, text: 'a + b'}), /text=a%20%2B%20b/);
});
