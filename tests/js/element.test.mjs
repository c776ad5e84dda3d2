/* What goes into other people's pages, without a browser: the precomputed figure and everything
 * that is refused of it, attributes, the texts of the Share dialog with hostile input, the pool of
 * engines, and workers where none can be had. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {test} from 'node:test';
import {transform} from 'esbuild';
import {ATTRIBUTES, attributesFor, readAttribute} from '../../web/state/attributes.js';
import {startAnywhere} from '../../web/engine/anywhere.js';
import {decodeFigure} from '../../web/files/precomputed.js';
import {encodeFigure} from '../../web/files/precomputed_write.js';
import {defaults, defaultsOf, FIELDS, parseHash, update} from '../../web/state/state.js';
import {readEmbed} from '../../web/state/store.js';
import {oddities, VIEWS, WORDS} from '../../web/element/odd.js';
import {loadView, views} from '../../web/views/index.js';
import {isReady} from '../../web/views/needs.js';
import {SNIPPETS} from '../../web/save/snippets.js';
import {createClient} from '../../web/element/pool.js';

const T = 5;
const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(1)</script>',
    '{% endraw %}{{ site.github }}',
    '{{< x >}}{{% y %}}',
    '```\n{=html}',
    '"""',
    '\\',
    '{:/nomarkdown}',
    ']( ) ![',
    '\u2028',
    '-->',
    '&quot;',
];

/** Rows of attention that sum to 1, with small weights among them. */
function attention(n) {
    const data = new Float32Array(n * T * T);
    for (let row = 0; row < n * T; row++) {
        const parts = Array.from({length: T}, (_, i) => 1 / (1 + ((row * 7 + i * 13) % 11) ** 3));
        const sum = parts.reduce((a, b) => a + b);
        parts.forEach((part, i) => {
            data[row * T + i] = part / sum;
        });
    }
    return {data, shape: [n, T, T]};
}

const tokens = pieces =>
    pieces.map((piece, i) => ({
        piece,
        id: i,
        type: 0,
        from: 0,
        to: 0,
        sentence: i ? 0 : -1,
        word: i,
        special: i === 0,
    }));
const encoded = (pieces = ['[CLS]', 'a', 'b', 'c', 'd']) =>
    encodeFigure({
        model: {layers: 6, heads: 3, special: {mask: 4}},
        pass: {tokens: tokens(pieces), texts: ['a b c d']},
        tensors: [
            ['attention.2', attention(3)],
            ['measure.rollout', attention(6)],
        ],
        name: 'mini',
        bytes: 12,
    });

/* A figure holds whole 255ths, which is what its format is (contracts §1): the sum of a row can be 1 only where that takes
 * no other printed digit, since a tag must say what the page says. */
test('a figure comes back with weights off by less than 1/255 that print alike, in rows that sum to 1 where that can be', () => {
    const {model, pass, tensors, name, bytes} = decodeFigure(JSON.stringify(encoded()));
    assert.deepEqual(
        [model.layers, model.heads, model.special.mask, name, bytes],
        [6, 3, 4, 'mini', 12],
    );
    assert.deepEqual(pass.tokens, tokens(['[CLS]', 'a', 'b', 'c', 'd']));
    const {data, shape} = tensors.get('attention.2');
    assert.deepEqual(shape, [3, T, T]);
    const exact = attention(3).data;
    data.forEach((weight, i) => {
        assert.ok(Math.abs(weight - exact[i]) < 1 / 255, `${weight} for ${exact[i]}`);
        assert.equal(weight.toFixed(2), exact[i].toFixed(2), 'a tag says what the page says');
    });
    for (let row = 0; row < 3 * T; row++) {
        const sum = data.subarray(row * T, row * T + T).reduce((a, b) => a + b);
        const step = Math.round(255 * (1 - sum)) / 255;
        for (let i = row * T; step && i < row * T + T; i++) {
            const other = data[i] + Math.sign(step) / 255;
            const fits = Math.abs(other - exact[i]) < 1 / 255;
            assert.ok(!fits || other.toFixed(2) !== exact[i].toFixed(2), `${sum}: ${other}`);
        }
    }
    assert.deepEqual(tensors.get('measure.rollout').shape, [6, T, T]);
});

test('a figure takes from all that the page has computed what it can show again: attention and its averages', () => {
    const names = [
        'attention.0',
        'measure.rollout',
        'measure.layer_mean',
        'plain.attention.0',
        'measure.patterns',
        'hidden.0',
    ];
    const figure = encodeFigure({
        model: {layers: 6, heads: 3, special: {mask: 4}},
        pass: {tokens: tokens(['[CLS]', 'a', 'b', 'c', 'd']), texts: ['a b c d']},
        tensors: new Map(names.map(name => [name, attention(name.endsWith('rollout') ? 6 : 3)])),
        id: '',
        name: 'mini',
        bytes: 12,
    });
    assert.deepEqual([...decodeFigure(JSON.stringify(figure)).tensors.keys()], names.slice(0, 3));
});

test('a view that is chosen while a figure stands for its model asks it for what it lacks, without an error', async () => {
    const {model, tensors} = decodeFigure(JSON.stringify(encoded()));
    for (const {id} of views) {
        const state = update(defaults, {view: id});
        isReady(await loadView(id), state, {model, tensors});
    }
});

test('NaN and infinite weights do not get through', () => {
    const tensor = attention(3);
    tensor.data.set([NaN, Infinity, -1, 2, 0.5]);
    const figure = encodeFigure({
        model: {layers: 1, heads: 3, special: {mask: -1}},
        pass: {tokens: tokens(['a', 'b', 'c', 'd', 'e']), texts: ['']},
        tensors: [['attention.0', tensor]],
        name: '',
        bytes: 0,
    });
    assert.ok(
        decodeFigure(JSON.stringify(figure))
            .tensors.get('attention.0')
            .data.every(weight => weight >= 0 && weight <= 1),
    );
});

test('what does not fit is refused with a sentence that names it', () => {
    const cases = [
        ['', /JSON/],
        ['null', /version/],
        ['[]', /version/],
        ['{"headlight":2}', /version/],
        ['{"headlight":1}', /layers/],
        [{model: {...encoded().model, layers: 1e9}}, /layers/],
        [{model: {...encoded().model, heads: 0}}, /heads/],
        [{model: {...encoded().model, bytes: -1}}, /bytes/],
        [{model: {...encoded().model, name: {}}}, /name/],
        [{texts: 'x'}, /texts/],
        [{texts: [1]}, /texts/],
        [{tokens: []}, /tokens/],
        [{tokens: [1]}, /tokens/],
        [{tokens: [['a', NaN, 0, 0, 0, 0, 0, 0]]}, /tokens/],
        [{tokens: [['a', 1, 0, 0, 99, 0, 0, 0]]}, /tokens/],
        [{tokens: Array(513).fill(['a', 1, 0, 0, 0, 0, 0, 0])}, /tokens/],
        [{tokens: [['a', 1, 0, 0, 0, 7, 0, 0]]}, /tokens/],
        [{weights: {'attention.0': {n: 3, u8: '!!!!'}}}, /attention\.0/],
        [{weights: {'attention.0': {n: 3, u8: 'AAAA'}}}, /attention\.0/],
        [{weights: {'attention.0': {n: 2, u8: ''}}}, /attention\.0/],
        [{weights: {'attention.0': null}}, /attention\.0/],
        [{weights: {'attention.0': {n: 3}}}, /attention\.0/],
        [{weights: {'<b>': {n: 3, u8: ''}}}, /weights/],
        [`{"headlight":1,"x":"${'a'.repeat(8e6)}"}`, /8 MB/],
    ];
    for (const [change, expected] of cases) {
        const text =
            typeof change === 'string' ? change : JSON.stringify({...encoded(), ...change});
        assert.throws(
            () => decodeFigure(text),
            error =>
                /cannot be read \(.*\); make it anew/.test(error.message) &&
                expected.test(error.message),
            text.slice(0, 80),
        );
    }
    const polluted = decodeFigure(
        JSON.stringify(encoded()).replace('{"headlight"', '{"__proto__":{"x":1},"headlight"'),
    );
    assert.equal(polluted.model.x, undefined);
});

test('attributes: every field there and back, and rubbish is the default', () => {
    const state = update(defaults, {
        text: HOSTILE[0],
        textB: HOSTILE[1],
        layer: 3,
        heads: [0, 2],
        specials: false,
        first: false,
        replaced: ['1:a,b'],
        theme: 'dark',
        oneBased: true,
    });
    const pairs = attributesFor(state);
    assert.ok(pairs.some(([name]) => name === 'text-b'));
    assert.deepEqual(pairs.shift(), ['v', '5']);
    const back = Object.fromEntries(
        pairs.map(([name, value]) => [
            ATTRIBUTES.get(name).name,
            readAttribute(ATTRIBUTES.get(name), value),
        ]),
    );
    assert.deepEqual(update(defaultsOf('5'), back), state);
    assert.equal(readAttribute(ATTRIBUTES.get('one-based'), ''), true);
    for (const bad of ['NaN', '-1', '99999', '1.5', '__proto__', '<b>'])
        assert.equal(readAttribute(ATTRIBUTES.get('layer'), bad), 0);
    assert.deepEqual(
        [ATTRIBUTES.has('lang'), ATTRIBUTES.has('part'), ATTRIBUTES.has('tour')],
        [false, false, false],
    );
});

test('the address of an embed: state, theme and figure; a megabyte is not read', () => {
    const old = defaultsOf(null); // no version is named
    const read = hash => readEmbed({location: {hash}});
    assert.deepEqual(read('#layer=2&figure=abc&theme=dark'), {
        figure: 'abc',
        state: update(old, {layer: 2, theme: 'dark'}),
    });
    assert.deepEqual(read(`#figure=${'A'.repeat(2e5)}&layer=2`).state.layer, 2);
    assert.deepEqual(read(`#layer=2&text=${'a'.repeat(1e6)}`), {figure: '', state: old});
    assert.deepEqual(read(`#figure=${'A'.repeat(5e6)}`), {figure: '', state: old});
    assert.deepEqual(read('#theme=<b>&layer=NaN&__proto__=1&%'), {figure: '', state: old});
});

const parts = (text, extra = {}) => ({
    base: 'https://x.org/a/',
    state: update(defaults, {text, textB: text, layer: 2}),
    title: text,
    file: 'a.svg',
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 158" width="520" height="158"><text>${text.replace(/[<>&"]/g, c => `&#${c.charCodeAt(0)};`)}</text></svg>`,
    rows: T,
    figure: encoded(['[CLS]', text, 'b', 'c', 'd']),
    ...extra,
});

test('as MDX the tag keeps hostile texts too: what JSX reads is what the page shows', async () => {
    for (const text of HOSTILE) {
        const [{code}] = SNIPPETS.mdx(parts(text));
        const {code: run} = await transform(`<>${code}</>`, {
            ...{loader: 'jsx', jsxFactory: 'made', jsxFragment: 'null'},
        });
        const made = (name, props, ...children) => ({name, props, children});
        const {children} = new Function('made', `return ${run}`)(made);
        const [script, tag] = children.filter(({name}) => name);
        assert.deepEqual([script.name, script.props.src], ['script', 'https://x.org/a/element.js']);
        const {text: first, 'text-b': second, layer} = tag.props;
        assert.deepEqual([tag.name, first, second, layer], ['head-light', text, text, 2]);
        const [link] = tag.children;
        assert.deepEqual(link.children, [text]);
        assert.equal(parseHash(new URL(link.props.href).hash).text, text);
    }
});

test('hostile texts stay text in every form that is handed out', () => {
    for (const text of HOSTILE) {
        for (const kind of Object.keys(SNIPPETS)) {
            const codes = SNIPPETS[kind](parts(text))
                .filter(({label}) => label === 'code')
                .map(({code}) => code);
            for (const code of codes) {
                assert.doesNotMatch(code, /(?<!\\)<img|<script>alert/, kind);
                assert.equal((code.match(/\{%/g) ?? []).length, kind === 'jekyll' ? 2 : 0, kind);
                assert.equal(
                    (code.match(/\{\{/g) ?? []).length,
                    kind === 'hugo' ? 2 : 0,
                    `${kind}: ${text}`,
                );
                assert.equal((code.match(/```/g) ?? []).length, kind === 'quarto' ? 2 : 0, kind);
                assert.equal(
                    (code.match(/\{:\/nomarkdown\}/g) ?? []).length,
                    kind === 'jekyll' ? 1 : 0,
                    kind,
                );
                if (kind !== 'link' && kind !== 'markdown')
                    assert.doesNotMatch(
                        code.slice(0, -1),
                        /\n\n/,
                        'no empty line that ends HTML in Markdown',
                    );
            }
        }
        const [{code}] = SNIPPETS.element(parts(text));
        const json = /<script type="application\/json">(.*?)<\/script>/s.exec(code)[1];
        assert.equal(decodeFigure(json).pass.tokens[1].piece, text);
        const address = /src="([^"]*)"/
            .exec(SNIPPETS.iframe(parts(text))[0].code)[1]
            .replace(/&#(\d+);/g, (_, n) => String.fromCharCode(n));
        const {figure, state} = readEmbed({location: {hash: new URL(address).hash}});
        assert.equal(state.text, text);
        assert.equal(
            decodeFigure(Buffer.from(figure, 'base64url').toString()).pass.tokens[1].piece,
            text,
        );
    }
});

test('a lesson is handed out as a tag with a link inside, and as a frame; a figure of it names no lesson', () => {
    const state = update(defaults, {lesson: 'vig1', tour: 3, theme: 'dark'});
    assert.deepEqual(SNIPPETS.lesson(parts('x')), []);
    const lesson = {id: 'vig1', at: 3, title: '<b> & "c"'};
    const [tag, frame, sizer] = SNIPPETS.lesson({...parts('x'), state, lesson, lang: 'zh'});
    assert.match(tag.code, /src="https:\/\/x\.org\/a\/element\.js"/);
    assert.match(tag.code, /<head-light v="5" lesson="vig1" step="3" theme="dark">/);
    assert.match(tag.code, />&#60;b&#62; &#38; &#34;c&#34;<\/a>/);
    const [inTag, inFrame] = [tag, frame].map(
        ({code}) =>
            new URL(/(?:href|<iframe src)="([^"]*)"/.exec(code)[1].replaceAll('&#38;', '&')),
    );
    assert.deepEqual([inTag.pathname, inFrame.pathname], ['/a/', '/a/lesson.html']);
    const asked = update(defaults, {lesson: 'vig1', tour: 3, lang: 'zh'});
    assert.deepEqual(parseHash(inTag.hash), asked);
    assert.deepEqual(
        readEmbed({location: {hash: inFrame.hash}}).state,
        update(asked, {theme: 'dark'}),
    );
    assert.equal(sizer.label, 'sizer');
});

test('the notebook cell is Python, and its text is the frame', () => {
    const literals = HOSTILE.map(
        text => /HTML\((.*)\)$/s.exec(SNIPPETS.jupyter(parts(text))[0].code)[1],
    );
    const program =
        'import ast,sys;sys.stdout.buffer.write("\\0".join(ast.literal_eval("["+sys.stdin.buffer.read().decode()+"]")).encode())';
    const read = execFileSync('python3', ['-c', program], {input: literals.join(',')});
    assert.deepEqual(
        read.toString().split('\0'),
        HOSTILE.map(text => SNIPPETS.iframe(parts(text))[0].code),
    );
});

test('the link opens the same state; long weights are left out of addresses and kept in the page', () => {
    const [{code: link}] = SNIPPETS.link(parts('a & b'));
    assert.deepEqual(parseHash(new URL(link).hash), parts('a & b').state);
    const long = parts('x', {figure: {...encoded(), pad: 'a'.repeat(1e5)}});
    assert.doesNotMatch(SNIPPETS.iframe(long)[0].code, /figure=/);
    assert.match(SNIPPETS.element(long)[0].code, /application\/json/);
    assert.match(
        SNIPPETS.element(parts('x'))[0].code,
        /viewBox="0 0 520 346" width="100%" height="346" display="block" data-reserved=""/,
    );
});

/** An engine that counts; `die` makes it forget all its handles. */
function fakeEngine() {
    const log = [];
    let [handles, lost] = [0, 0];
    const ask = answers => ({answers, done: Promise.all(answers)});
    return {
        log,
        die: () => {
            lost = handles;
        },
        engine: {
            load: async source => {
                log.push(`load ${source.url}`);
                await null;
                return {model: ++handles, info: {name: source.url}};
            },
            run({model, input}) {
                const pass = ++handles;
                log.push(`run ${input.text} on ${model} as ${pass}`);
                return {pass, facts: Promise.resolve({pass}), ...ask([])};
            },
            read: ({pass, want}) => ask(want.map(async one => `${pass} ${JSON.stringify(one)}`)),
            release: ({pass, model}) => {
                log.push(`release ${pass ?? `model ${model}`}`);
            },
            holds: handle => handle > lost,
            close: () => log.push('close'),
        },
    };
}

test('figures share an engine and its model, which is loaded once; passes are their own', async () => {
    const {engine, log} = fakeEngine();
    const clients = [0, 1, 2].map(() => createClient(() => engine));
    const loaded = await Promise.all(clients.map(client => client.load({url: 'm'})));
    assert.deepEqual(
        loaded.map(({model}) => model),
        [1, 1, 1],
    );
    const passes = clients.map((client, i) => client.run({model: 1, input: {text: `t${i}`}}).pass);
    assert.equal(new Set(passes).size, 3);
    assert.equal(await clients[1].read({pass: passes[1], want: [1]}).answers[0], `${passes[1]} 1`);
    clients[0].release({model: 1});
    clients[0].release({pass: passes[0]});
    assert.deepEqual(
        log.filter(line => !line.startsWith('run')),
        ['load m', `release ${passes[0]}`],
        'the model stays for the others',
    );
    for (const client of clients) client.close();
    assert.throws(() => clients[0].run({model: 1, input: {}}), /no model is loaded/);
    assert.equal(clients[0].holds(1), false);
});

test('a load that fails is tried anew by the next who asks; one whose worker is gone is loaded once for all', async () => {
    const {engine, log, die} = fakeEngine();
    let failures = 1;
    const flaky = {
        ...engine,
        load: async source => {
            if (failures-- > 0) throw new Error('no connection');
            return engine.load(source);
        },
    };
    const clients = [0, 1].map(() => createClient(() => flaky));
    await assert.rejects(clients[0].load({url: 'flaky'}), /no connection/);
    await clients[0].load({url: 'flaky'});
    await clients[1].load({url: 'flaky'});
    die();
    assert.equal(clients[1].holds(1), false);
    const again = await Promise.all(clients.map(client => client.load({url: 'flaky'})));
    assert.deepEqual(
        again.map(({model}) => model),
        [2, 2],
    );
    assert.deepEqual(log, ['load flaky', 'load flaky']);
    const waiting = clients[0].load({url: 'flaky'}, {signal: AbortSignal.abort()});
    await assert.rejects(waiting, {name: 'AbortError'});
});

test('a worker is tried in each way; the first message is said again; what fails later is told', async () => {
    const made = [];
    const worker = way => () => {
        const one = {
            way,
            posted: [],
            postMessage(m) {
                this.posted.push(m);
            },
            terminate() {
                this.ended = true;
            },
        };
        made.push(one);
        return one;
    };
    const refused = () => {
        throw new Error('refused');
    };
    const heard = [];
    const any = startAnywhere('https://x.org/w.js', [refused, worker('blob'), worker('page')]);
    any.onmessage = event => heard.push(event.data);
    any.onerror = event => heard.push(event.message);
    any.postMessage({op: 'start'});
    await new Promise(done => {
        setTimeout(done, 5);
    });
    made[0].onerror({message: 'policy'});
    await new Promise(done => {
        setTimeout(done, 5);
    });
    assert.deepEqual(
        made.map(({way, posted, ended}) => [way, posted.length, Boolean(ended)]),
        [
            ['blob', 1, true],
            ['page', 1, false],
        ],
    );
    made[1].onmessage({data: 'started'});
    made[1].onerror({message: 'died'});
    assert.deepEqual(heard, ['started', 'died']);
    const none = startAnywhere('https://x.org/w.js', [refused]);
    await new Promise(done => {
        none.onerror = event => {
            assert.equal(event.message, 'refused');
            done();
        };
    });
});

test('without text and text-b a tag means the texts that it meant when it was written', () => {
    const [one, two] = ['I went to the store.', 'At the store, I bought fresh strawberries.'];
    assert.deepEqual(
        [null, '1', '2', '3', '4', '5', 'x'].map(v => defaultsOf(v).textB),
        [two, two, two, '', '', '', two],
    );
    assert.deepEqual(
        [null, '1', '2', '3', '4', '5', 'x'].map(v => defaultsOf(v).text),
        [one, one, one, one, defaults.text, defaults.text, one],
    );
    assert.deepEqual(
        ['2', '3', '4', '5'].map(v => defaultsOf(v).model),
        ['mini2-en', 'mini2-en', 'mini2-en', ''],
    );
    assert.deepEqual(attributesFor(defaults), [['v', '5']]);
    assert.deepEqual(attributesFor(update(defaults, {text: one, textB: two})), [
        ['v', '5'],
        ['text', one],
        ['text-b', two],
    ]);
    const near = 'https://blog.example/a/';
    const model = (value, v) => readAttribute(ATTRIBUTES.get('model'), value, defaultsOf(v), near);
    assert.deepEqual(
        [model('org/name', '3'), model('./m/', '3'), model('m/x/', null)],
        ['org/name', `${near}m/`, `${near}m/x/`],
    );
});

/** As much of a tag as is read of it. */
const tagOf = (attributes, state = {}) => ({
    attributes: Object.entries(attributes).map(([name, value]) => ({name, value})),
    getAttribute: name => attributes[name] ?? null,
    hasAttribute: name => name in attributes,
    state: {layer: 0, heads: [], ...state},
});

test('what is odd in a tag is said with what is accepted; what is of others is left alone', () => {
    const fine = {
        ...{v: '3', model: 'mini-en', text: 'a', 'text-b': '', layer: '2', heads: '0,4,5'},
        ...{
            specials: '0',
            'one-based': '',
            off: '0.6',
            replaced: '1:a%2Cb',
            compact: '',
            lang: 'zh',
        },
        ...{class: 'x', 'data-n': '1', 'aria-label': 'y', src: 'a.json', onclick: ''},
    };
    assert.deepEqual(oddities(tagOf(fine), null), []);
    for (const foreign of ['x-on:click', '_ngcontent-abc', 'v-if', 'name', 'width', 'is', 'key'])
        assert.deepEqual(oddities(tagOf({[foreign]: '1'}), null), [], foreign);
    for (const [name, value, expected] of [
        ['textb', 'x', /no attribute textb; text-b was/],
        ['head', '1', /no attribute head; heads was/],
        ['layers', '1', /layer was/],
        ['layer', '-1', /layer="-1" is not read; a whole number from 0 to 9999/],
        ['top', '0', /from 1 to 9999/],
        ['heads', '5, 0', /joined by commas, like "0,4,5"/],
        ['mix', 'median', /heads, mean, layers, rollout/],
        ['specials', 'no', /1 or 0/],
        ['off', '6', /like "0\.6"/],
        ['model', 'a/b/c', /org\/name/],
        ['view', 'neurons', /head, heatmap, model, neuron/],
        [
            'lesson',
            'vig9',
            /attention, patterns, .*, vig1, vig2, chapter, vector, heads is accepted/,
        ],
    ]) {
        const [said, ...more] = oddities(tagOf({[name]: value}), null);
        assert.match(said, expected);
        assert.deepEqual(more, []);
    }
    assert.match(oddities(tagOf({v: 'two'}), null)[0], /v="two"/);
    for (const [name, words] of Object.entries(WORDS))
        for (const word of words)
            assert.ok(FIELDS.find(row => row.name === name).type.check(word), `${name} ${word}`);
    for (const {name, type} of FIELDS.filter(one => [...ATTRIBUTES.values()].includes(one)))
        if (
            typeof defaults[name] === 'string' &&
            !type.check('?') &&
            !['model', 'otherModel', 'measure', 'opened', 'study', 'corpus', 'role'].includes(name)
        )
            assert.ok(WORDS[name], `the words of ${name}`);
    assert.match(oddities(tagOf({}, {beside: 'layer=1'}), null)[0], /the first of two figures/);
    const figure = {model: {layers: 6, heads: 12}};
    assert.deepEqual(oddities(tagOf({}, {layer: 6, heads: [1, 12]}), figure), [
        'layer is 6; 0 to 5 are there',
        'heads is 1,12; 0 to 11 are there',
    ]);
    assert.deepEqual(
        VIEWS,
        views.map(({id}) => id),
    );
});

test('the forms for blogs are compact where the figure needs no model, and reserve less room', () => {
    for (const kind of ['jekyll', 'hugo', 'quarto']) {
        assert.match(SNIPPETS[kind](parts('x'))[0].code, / compact>\n<svg[^>]* height="278"/);
        assert.doesNotMatch(SNIPPETS[kind](parts('x', {figure: null}))[0].code, / compact/);
    }
    assert.doesNotMatch(SNIPPETS.element(parts('x'))[0].code, / compact/);
});
