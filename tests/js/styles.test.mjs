/* styles - study.css comes with the studies and stays when the reader goes back to a text: a class that
 * begins a rule there is no class of that page. (Such a one moved the second of two figures by 14 px, but
 * only after a visit to the studies.)
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {signedColour} from '../../web/draw/marks/signed.js';
import {paperOf} from '../../web/draw/paper.js';
import {STYLE} from '../../web/element/style.js';
import {root} from './lib/model.mjs';

const read = name => readFileSync(join(root, 'web', name), 'utf8');

/** The classes with which rules of a sheet begin. */
const begun = css =>
    new Set(
        [...css.replace(/\/\*.*?\*\/|\([^()]*\)/gs, '').matchAll(/([^{}]+)\{/g)]
            .flatMap(([, selectors]) => selectors.split(','))
            .flatMap(selector => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []),
    );

/** The words that stand in class names of the sources of a text's page. */
function classesOf(folder) {
    const words = new Set();
    for (const name of readdirSync(join(root, 'web', folder), {recursive: true})) {
        if (!/\.js$/.test(name) || /(^|[/\\])(study|studies)[/\\]/.test(`${folder}/${name}`))
            continue;
        for (const [, , value] of read(`${folder}/${name}`).matchAll(
            /\bclass(Name)?: [^\n]*?(['`][^'`\n]*['`][^\n}]*)/g,
        ))
            for (const [word] of value.matchAll(/[\w-]+/g)) words.add(word);
    }
    return words;
}

test('no rule of study.css begins with a class of a text’s page', () => {
    const rooms = readdirSync(join(root, 'web'), {withFileTypes: true}).flatMap(entry =>
        entry.isDirectory() && !['node_modules', 'words'].includes(entry.name) ? entry.name : [],
    );
    const used = new Set(rooms.flatMap(folder => [...classesOf(folder)]));
    assert.ok(used.has('figure-caption') && used.has('second-bar') && used.has('compared'));
    const studies = begun(read('studies/study.css'));
    assert.ok(studies.has('role-main') && studies.has('hm-cell'));
    assert.deepEqual(
        [...studies].filter(name => used.has(name)),
        [],
    );
});

test('the colours that a canvas, a file and the element have written out are those of tokens.css', () => {
    const own = new Map(
        [...read('shell/tokens.css').matchAll(/--(\w+): light-dark\((\S+), (\S+)\);/g)].map(
            ([, name, light, dark]) => [name, [light, dark]],
        ),
    );
    assert.equal(own.size, 11);
    const [light, dark] = ['light', 'dark'].map(paperOf);
    for (const name of Object.keys(light))
        assert.deepEqual([light[name], dark[name]], own.get(name === 'bar' ? 'positive' : name));
    for (const [at, theme] of ['light', 'dark'].entries())
        for (const [sign, name] of [
            [1, 'positive'],
            [-1, 'negative'],
        ])
            assert.equal(signedColour(sign, theme), own.get(name)[at]);
    const long = hex => hex.replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3');
    const element = [
        ...STYLE.matchAll(/--(\w+):var\(--headlight-\w+,light-dark\((\S+?),(\S+?)\)/g),
    ];
    assert.equal(element.length, 8);
    for (const [, name, ...pair] of element) assert.deepEqual(pair.map(long), own.get(name), name);
});
