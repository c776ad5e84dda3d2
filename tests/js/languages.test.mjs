/* languages - every language says what English says: the same keys in each part, lists as long,
 * functions of as many arguments, nothing empty that is not empty there. What one lacks is said by
 * name. Whether it says it well, a reader must judge.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import ts from 'typescript';
import {elementWords} from '../../web/words/element.js';
import {allWords, codeFor, LANGUAGES, words} from '../../web/words/languages.js';
import {overlay} from '../../web/words/overlay.js';

const FOLDER = new URL('../../web/words/', import.meta.url);
const PARTS = [
    'cards',
    'dialogs',
    'element',
    'first',
    'head',
    'lessons',
    'page',
    'relations',
    'studies',
    'touch',
    'views',
];

/** What a leaf is, as far as two languages must agree in it. */
function kindOf(value) {
    if (typeof value === 'function') return `a function of ${value.length}`;
    if (Array.isArray(value)) return `a list of ${value.length}`;
    return value === '' ? 'empty' : typeof value;
}

const isBranch = value => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where `theirs` differs from English, as sentences. */
function differences(english, theirs, path) {
    const keys = new Set([...Object.keys(english), ...Object.keys(theirs)]);
    return [...keys].flatMap(key => {
        const name = `${path}.${key}`;
        const [a, b] = [english[key], theirs[key]];
        if (!Object.hasOwn(theirs, key)) return [`${name} is missing`];
        if (!Object.hasOwn(english, key)) return [`${name} is not in English`];
        if (isBranch(a) && isBranch(b)) return differences(a, b, name);
        const [is, should] = [kindOf(b), kindOf(a)];
        return is === should ? [] : [`${name} is ${is}, in English ${should}`];
    });
}

const partOf = async (code, part) => (await import(new URL(`${code}/${part}.js`, FOLDER)))[part];

test('every folder is a language that can be chosen, and has all parts', () => {
    const folders = readdirSync(FOLDER, {withFileTypes: true}).filter(entry => entry.isDirectory());
    assert.deepEqual(folders.map(({name}) => name).sort(), LANGUAGES.map(({code}) => code).sort());
    for (const {name} of folders)
        assert.deepEqual(
            readdirSync(new URL(`${name}/`, FOLDER)).sort(),
            PARTS.map(part => `${part}.js`),
            name,
        );
});

for (const {code, name} of LANGUAGES)
    for (const part of PARTS)
        test(`${name}, ${part}: nothing is missing, nothing is too much`, async () => {
            const found = await partOf(code, part);
            assert.deepEqual(differences(await partOf('en', part), found, `${code}/${part}`), []);
            if ('code' in found) assert.equal(found.code, code);
        });

test('what is missing is found, at any depth and of any kind', () => {
    const english = {a: 'x', deep: {b: 'y', c: ['1', '2'], d: (one, two) => one + two}, none: ''};
    const found = differences(
        english,
        {deep: {c: ['1'], d: one => one, more: 'z'}, none: ''},
        'xx/page',
    );
    assert.deepEqual(found, [
        'xx/page.a is missing',
        'xx/page.deep.b is missing',
        'xx/page.deep.c is a list of 1, in English a list of 2',
        'xx/page.deep.d is a function of 1, in English a function of 2',
        'xx/page.deep.more is not in English',
    ]);
    assert.deepEqual(differences({a: 'x'}, {a: ''}, 'p'), ['p.a is empty, in English string']);
});

test('words gives each part of a language, and English for one that there is not', async () => {
    for (const {code} of LANGUAGES)
        for (const part of ['page', 'views', 'dialogs', 'lessons', 'studies', 'cards'])
            assert.equal(await words(code, part), await partOf(code, part));
    assert.equal(await words('xx', 'page'), await partOf('en', 'page'));
    assert.equal(codeFor(['', 'xx-YY', 'zh-TW', 'en']), 'zh');
    assert.equal(codeFor(['xx']), 'en');
});

test('a figure in another page speaks the first wish that it knows', () => {
    for (const {code} of LANGUAGES) assert.equal(elementWords([`${code}-XX`]).code, code);
    assert.equal(elementWords(['xx', 'zh']).code, 'zh');
    assert.equal(elementWords([]).code, 'en');
});

test('touch: each word takes the place of one that is there, in every language, and no other changes', async () => {
    for (const {code} of LANGUAGES) {
        const page = await allWords(code);
        const {said: touch, over} = await words(code, 'touch');
        const laid = over(page);
        const check = (base, other, now) => {
            for (const key of Object.keys(base))
                if (!(key in other)) assert.equal(now[key], base[key], key);
            for (const key of Object.keys(other)) {
                assert.ok(key in base, `${code}: ${key}`);
                if (typeof other[key] === 'object') check(base[key], other[key], now[key]);
                else assert.equal(now[key], other[key]);
                if (typeof other[key] === 'string') assert.notEqual(other[key], base[key]);
            }
        };
        check(page, touch, laid);
        assert.doesNotMatch(JSON.stringify(touch), /mouse|click|point at|指向|鼠标/i);
    }
    assert.deepEqual(overlay({}, {head: {a: 'x'}}), {head: undefined});
});

/** Scripts that put a Latin comma between what they list, and what for. */
const LATIN = {
    'model/from.js': 'names of files',
    'views/head/over/long.js': 'tokens of the text',
    'views/head/rows.js': 'tokens of the text, in a cell of a table',
};

/** How often a script has a text that is a comma and a space alone. */
function commasIn(text) {
    let count = 0;
    const look = node => {
        if (ts.isStringLiteral(node) && node.text === ', ') count++;
        ts.forEachChild(node, look);
    };
    look(ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true));
    return count;
}

test('what a page lists stands between the commas of its language', () => {
    assert.equal(commasIn("h('p', null, 'a', ', ', x); y.join(', '); // ', '"), 2);
    const found = ['app', 'model', 'views'].flatMap(room =>
        readdirSync(new URL(`../${room}/`, FOLDER), {recursive: true})
            .map(path => `${room}/${String(path).replaceAll('\\', '/')}`)
            .filter(path => path.endsWith('.js'))
            .filter(path => commasIn(readFileSync(new URL(`../${path}`, FOLDER), 'utf8')) > 0),
    );
    assert.deepEqual(found.sort(), Object.keys(LATIN));
});

test('colours are explained without the words “negative” and “positive”, which a classifier may have as labels', async () => {
    const texts = value =>
        typeof value === 'function'
            ? texts(value('negative', 'positive'))
            : typeof value === 'string'
              ? [value]
              : Object.values(value).flatMap(texts);
    for (const [code, orange] of [
        ['en', /orange/i],
        ['zh', /橙/],
    ]) {
        const {howTo, similarHint, contrastHint, hint} = (await allWords(code)).decides;
        const said = texts({howTo, similarHint, contrastHint, hint}).filter(one =>
            orange.test(one),
        );
        assert.equal(said.length, 4);
        for (const one of said)
            assert.doesNotMatch(one.replace(/“\w+”|\(\w+\)/g, ''), /negative|positive|负|正/i);
    }
});
