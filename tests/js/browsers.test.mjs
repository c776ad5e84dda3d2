/* The browsers that the page needs: the sentence of docs/web.md against the features in the code. Versions
 * are those of MDN's compatibility data in 2026. A feature that is newer than the sentence must be one that
 * the page can go without, and is listed there as such.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

/** How it is written in the code, and since when: Chrome, Firefox, Safari. */
const NEEDED = [
    ['light-dark(', 123, 120, 17.5],
    ['content: "×" / ""', 77, 128, 17.4],
    ['AbortSignal.any(', 116, 124, 17.4],
    [':has(', 105, 121, 15.4],
    ['subgrid', 117, 71, 16],
    ['color-mix(', 111, 113, 16.2],
    ['dvh', 108, 101, 15.4],
    ['@container', 105, 110, 16],
    ['CompressionStream', 80, 113, 16.4],
    ['showModal(', 37, 98, 15.4],
    ['Object.hasOwn(', 93, 92, 15.4],
    ['adoptedStyleSheets', 73, 101, 16.4],
    ['@starting-style', 117, 129, 17.5],
    ['@scope', 118, 146, 17.4],
    ['anchor-name', 125, 147, 26],
    ['popover:', 114, 125, 17],
    ['Promise.withResolvers(', 119, 121, 17.4],
    ['Promise.try(', 128, 134, 18.2],
    ['Object.groupBy(', 117, 119, 17.4],
    ['Array.fromAsync(', 121, 115, 16.4],
    ['Iterator.from(', 122, 131, 18.4],
];
const SPARED = ['CloseWatcher', 'caretPositionFromPoint', 'field-sizing', 'text-wrap'];

const strip = text => text.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
const files = readdirSync(join(root, 'web'), {recursive: true})
    .filter(name => /\.(js|css)$/.test(name) && !/node_modules|^package\//.test(name))
    .map(name => strip(readFileSync(join(root, 'web', name), 'utf8')));
const docs = readFileSync(join(root, 'docs/web.md'), 'utf8');

test('the page needs the browsers that docs/web.md names, and no newer ones', () => {
    const named = /needs Chrome or Edge (\d+), Firefox (\d+) or Safari ([\d.]+)/.exec(docs);
    assert.ok(named, 'the sentence is there');
    const least = named.slice(1).map(Number);
    const isUsed = name => files.some(text => text.includes(name));
    const needed = NEEDED.filter(([name]) => isUsed(name));
    assert.deepEqual(
        [1, 2, 3].map(at => Math.max(...needed.map(row => row[at]))),
        least,
    );
    const others = docs.slice(docs.indexOf('Of features that some of those lack'));
    for (const name of SPARED) {
        assert.ok(isUsed(name), `${name} is still used`);
        assert.ok(others.slice(0, others.indexOf('A menu is')).includes(name), name);
    }
});
