/* No circle between files: none of web/ imports, at once or later, what imports it; no header of src/
 * includes what includes it, and no part of src/ (a .c with its .h) needs one that needs it, but those
 * named here with a reason. Types (`import('…')` in comments) are no imports.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

/** The parts of a circle, in order -> why it is one. A part of a larger one has the header of the larger
 * one's types, and is called by it. */
const CIRCLES = {
    'math/gemm math/gemm_parts': 'one subject in several files: the types are gemm.h',
    'model/config model/families/family model/file/weights':
        'config.json names the family, whose file reads the rest of it and names the weights',
    'study/csv study/study': 'a study answers with a table, which is made from its answer',
    'text/corpus/corpus text/corpus/corpus_parts': 'one subject in several files',
    'text/sentence text/tokenizer text/tokenizer_parts': 'one subject in several files',
    'text/unicode/decompose text/unicode/unicode': 'one subject in several files',
};

/** All sets of more than one file that reach each other (Tarjan 1972), sorted, each as one line.
 * @param {Map<string, string[]>} links */
function circles(links) {
    const found = [],
        stack = [],
        seen = new Map(); // file -> [when it was reached, the first reached from it]
    const visit = file => {
        const own = [seen.size, seen.size];
        seen.set(file, own);
        stack.push(file);
        for (const next of links.get(file) ?? []) {
            if (!seen.has(next)) visit(next);
            if (stack.includes(next)) own[1] = Math.min(own[1], seen.get(next)[1]);
        }
        if (own[0] !== own[1]) return;
        const circle = stack.splice(stack.indexOf(file));
        if (circle.length > 1) found.push(circle.sort().join(' '));
    };
    for (const file of links.keys()) if (!seen.has(file)) visit(file);
    return found.sort();
}

/** What each file below a folder names. @param {string} folder @param {RegExp} ending
 * @param {(text: string, path: string) => string[]} named @returns {Map<string, string[]>} */
const linksBelow = (folder, ending, named) =>
    new Map(
        readdirSync(join(root, folder), {recursive: true})
            .map(name => String(name).replaceAll('\\', '/'))
            .filter(path => ending.test(path) && !path.includes('node_modules'))
            .map(path => [path, named(readFileSync(join(root, folder, path), 'utf8'), path)]),
    );

const firsts = matches => [...matches].map(([, first]) => first);

const imported = (text, path) =>
    firsts(
        text
            .replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
            .matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g),
    ).map(name => join(dirname(path), name));

const included = text => firsts(text.matchAll(/^#include "([^"]+)"/gm));

test('what is reached from itself is found, and nothing else', () => {
    const links = {a: ['b', 'x'], b: ['c', 'none'], c: ['d', 'a'], d: ['e'], e: ['d'], x: ['d']};
    assert.deepEqual(circles(new Map(Object.entries(links))), ['a b c', 'd e']);
});

test('no file of web/ imports, at once or later, what imports it', () => {
    const links = linksBelow('web', /\.js$/, imported);
    assert.ok(links.get('main.js').includes('app/mount.js'));
    assert.ok(links.get('views/index.js').includes('views/heatmap/view.js'), 'one fetched later');
    assert.deepEqual(circles(links), []);
});

test('no header of src/ includes what includes it, and parts that need each other are named', () => {
    const links = linksBelow('src', /\.[ch]$/, included);
    assert.deepEqual(circles(links), []);
    const parts = new Map();
    for (const [path, names] of links) {
        const part = path.replace(/\.[ch]$/, '');
        const needed = names.map(name => name.replace(/\.h$/, '')).filter(name => name !== part);
        parts.set(part, [...(parts.get(part) ?? []), ...needed]);
    }
    assert.deepEqual(circles(parts), Object.keys(CIRCLES));
});
