/* picture - the pictures in the README, by the page's own SVG export: node build/picture.mjs (after
 * make wasm). docs/heads-*: layer 1 of mini4-en, where head 8 looks at the next token, 9 at the one
 * before, 1 at the same word. docs/model-*: all its heads as heat maps, framed by entropy.
 */
import {mkdir, writeFile} from 'node:fs/promises';
import {allWords} from '../web/words/languages.js';
import {WASM} from './bundle.mjs';
import {figureOf, openModel} from './figure.mjs';

const en = await allWords('en');

const PICTURES = {
    heads: {layer: 1, heads: [1, 8, 9]},
    model: {view: 'model', picture: 'heatmaps', measure: 'entropy'},
};

const opened = await openModel('models/mini4-en', WASM);
await mkdir('docs', {recursive: true});
for (const [name, patch] of Object.entries(PICTURES)) {
    for (const theme of ['light', 'dark']) {
        const {svg} = await figureOf(
            opened,
            {...patch, theme},
            {t: en, base: './', name: 'mini4-en', bytes: 0},
        );
        await writeFile(`docs/${name}-${theme}.svg`, `${svg}\n`);
    }
}
