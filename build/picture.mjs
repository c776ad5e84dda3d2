/* picture - docs/heads-light.svg and heads-dark.svg, the picture in the README, by the page's own
 * SVG export: node build/picture.mjs (after make wasm). Layer 1 of mini-en: head 0 looks at the
 * token before, 4 ahead, 5 back.
 */
import {mkdir, writeFile} from 'node:fs/promises';
import {page as en} from '../web/text/en/page.js';
import {WASM} from './bundle.mjs';
import {figureOf, openModel} from './figure.mjs';

const opened = await openModel('models/mini-en', WASM);
await mkdir('docs', {recursive: true});
for (const theme of ['light', 'dark']) {
    const {svg} = await figureOf(
        opened,
        {layer: 1, heads: [0, 4, 5], theme},
        {t: en, base: './', name: 'mini-en', bytes: 0},
    );
    await writeFile(`docs/heads-${theme}.svg`, `${svg}\n`);
}
