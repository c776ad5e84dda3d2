/* axe - for browser tests: axe finds nothing on a page, or in a part of it, by all of its rules and then, in the
 * other theme, by the one about colours: a page of theme "auto" follows the system's, so it is opened once.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');

/** What has been drawn anew is on the page two frames later. */
const frames = page =>
    page.evaluate(
        () =>
            new Promise(done => {
                requestAnimationFrame(() => requestAnimationFrame(done));
            }),
    );

const found = (page, place, options) =>
    page.evaluate(
        async ([where, how]) => {
            const {violations} = await window.axe.run(where ?? document, {
                resultTypes: ['violations'],
                ...how,
            });
            return violations.map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 200))]);
        },
        [place, options],
    );

/** place: a part, as axe takes it; rules: only these; colours: false where they were looked at before. */
export async function nothingForAxe(page, {place = null, rules = null, colours = true} = {}) {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    if (!colours) {
        const options = {rules: {'color-contrast': {enabled: false}}};
        assert.deepEqual(await found(page, place, options), []);
        return;
    }
    assert.deepEqual(await found(page, place, rules && {runOnly: rules}), []);
    const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
    const other = isDark ? 'light' : 'dark';
    await page.emulateMedia({colorScheme: other});
    await frames(page);
    assert.deepEqual(await found(page, place, {runOnly: ['color-contrast']}), [], other);
    await page.emulateMedia({colorScheme: null});
    await frames(page);
}

/** In the language that the page has, and then in Chinese: the same page and colours, with other words.
 * @param {import('playwright-core').Page} page */
export async function nothingInTwoLanguages(page) {
    await nothingForAxe(page);
    await inChinese(page);
    await nothingForAxe(page, {colours: false});
}

/** Gives the page the Chinese words, as a link would. */
export async function inChinese(page) {
    await page.evaluate(() => {
        window.location.hash += `${window.location.hash ? '&' : '#'}lang=zh`;
    });
    await page.locator('html[lang^=zh]').waitFor();
}
