/* picture - the pictures in the README, by the page's own SVG export: node build/picture.mjs (after
 * make wasm). docs/heads-*: layer 1 of mini-en, where head 0 looks at the token before, 4 ahead, 5
 * back. docs/model-*: all its heads as heat maps, framed by entropy.
 */
import {mkdir, writeFile} from 'node:fs/promises';
import {allWords} from '../web/text/languages.js';
import {WASM} from './bundle.mjs';
import {figureOf, openModel} from './figure.mjs';

const en = await allWords('en');

const PICTURES = {
    heads: {layer: 1, heads: [0, 4, 5]},
    model: {view: 'model', picture: 'heatmaps', measure: 'entropy'},
};

const opened = await openModel('models/mini-en', WASM);
await mkdir('docs', {recursive: true});
for (const [name, patch] of Object.entries(PICTURES)) {
    for (const theme of ['light', 'dark']) {
        const {svg} = await figureOf(
            opened,
            {...patch, theme},
            {t: en, base: './', name: 'mini-en', bytes: 0},
        );
        await writeFile(`docs/${name}-${theme}.svg`, `${svg}\n`);
    }
}
