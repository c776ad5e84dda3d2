#!/usr/bin/env node
/* icons - draws the PNG icons from web/icons/headlight.svg with Chromium. Run by hand after a
 * change of the drawing; the files are committed, because a build of the site should need no
 * browser. Maskable: without the round corners.
 */
import {readFile} from 'node:fs/promises';
import {chromium} from 'playwright-core';

const ICONS = [
    {file: 'icon-192.png', size: 192},
    {file: 'icon-512.png', size: 512},
    {file: 'maskable-512.png', size: 512, square: true},
    {file: 'apple-180.png', size: 180, square: true},
];
const svg = await readFile('web/icons/headlight.svg', 'utf8');
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
for (const {file, size, square} of ICONS) {
    const page = await browser.newPage({viewport: {width: size, height: size}});
    await page.setContent(
        `<style>body{margin:0}svg{display:block;width:${size}px}</style>${square ? svg.replace(' rx="96"', '') : svg}`,
    );
    await page.screenshot({path: `web/icons/${file}`, omitBackground: true});
    await page.close();
}
await browser.close();
