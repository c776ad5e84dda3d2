#!/usr/bin/env node
/* web_map - writes the list of files in docs/web.md, one line a file, from the first sentence of each
 * file's heading: node build/web_map.mjs, after files have come, gone or changed what they do; with
 * --check, a part of make check, it writes nothing and says if that was forgotten. What is above the list
 * is written by hand.
 */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

const PAGE = 'docs/web.md';
const MARK = '<!-- files: written by build/web_map.mjs -->';

/** The first sentence of a file's heading, without its name. @param {string} file */
function sentenceOf(file) {
    const text = readFileSync(file, 'utf8').replace(/^#!.*\n/, '');
    const [, heading = ''] = /^\/\*([^]*?)\*\//.exec(text) ?? [];
    const line = heading
        .replace(/^\s*\*/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/^[\w./-]+ - /, '');
    const [first] = /^.*?(?<!et al)\.(?= |$)|^.*$/.exec(line) ?? [line];
    return first.replaceAll('<', '&lt;').replaceAll('*', '\\*');
}

const files = readdirSync('web', {recursive: true})
    .map(name => join('web', name))
    .filter(file => /^web\/(?!node_modules|words\/(?!en\/)\w+\/).*\.js$/.test(file))
    .sort();
const folders = new Map();
for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
const lists = [...folders].map(
    ([folder, names]) =>
        `### ${folder}/\n\n${names.map(file => `- \`${relative(folder, file)}\` ${sentenceOf(file)}`).join('\n')}\n`,
);
const before = readFileSync(PAGE, 'utf8');
const after = `${before.split(MARK)[0]}${MARK}\n\n${lists.join('\n')}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, after);
else if (after !== before) {
    const first = after.split('\n').find(line => !before.includes(line)) ?? 'a file has gone';
    console.error(`web_map: docs/web.md is not up to date (${first}); run node build/web_map.mjs`);
    process.exit(1);
}
