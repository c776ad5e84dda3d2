#!/usr/bin/env node
/* web_map - writes the list of files in docs/web.md, one line a file, from the first sentence of each
 * file's heading: node build/web_map.mjs, after files have come, gone or changed what they do. What
 * stands above the list is written by hand.
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
const [above] = readFileSync(PAGE, 'utf8').split(MARK);
writeFileSync(PAGE, `${above}${MARK}\n\n${lists.join('\n')}`);
