/* Pictures as they are saved, drawn by Chromium: every word of every view's sheet stands inside of its
 * margins, whatever the tokens are, and no line of the heading or the legend lies on another. */
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {skip} from '../js/lib/pictures.mjs';
import {oneIn} from '../js/lib/sample.mjs';
import {allSheets} from '../js/lib/sheets.mjs';
import {launch} from './page.mjs';

const EDGE = 0; // the margins have 24 px, which a font wider than any that papers use may take

let browser;
before(async () => {
    browser = await launch();
});
after(() => browser.close());

/** What stands where in an SVG that fills the page: its size, and [text, left, top, right, bottom]. */
const boxes = page =>
    page.evaluate(() => {
        const size = document.querySelector('svg').getBoundingClientRect();
        const of = element => {
            const {left, top, right, bottom} = element.getBoundingClientRect();
            return [left - size.left, top - size.top, right - size.left, bottom - size.top];
        };
        return {
            width: size.width,
            height: size.height,
            marks: [...document.querySelectorAll('text, path, rect, image, circle')]
                .filter(mark => !mark.closest('pattern') && mark !== document.querySelector('rect'))
                .map(mark => [mark.tagName, mark.textContent.slice(0, 60), ...of(mark)]),
            heading: [...document.querySelectorAll('svg > g > :first-child text')].map(of),
        };
    });

test('every text and mark of every view stands inside of its file', {skip}, async () => {
    const page = await browser.newPage({viewport: {width: 1400, height: 900}});
    const outside = [];
    for (const [name, svg] of oneIn(5, await allSheets())) {
        await page.setContent(`<body style="margin:0">${svg}`);
        const {width, height, marks, heading} = await boxes(page);
        assert.ok(marks.length > 10, `${name} has marks`);
        for (const [tag, text, left, top, right, bottom] of marks)
            if (left < EDGE || top < EDGE || right > width - EDGE || bottom > height - EDGE)
                outside.push(
                    `${name}: ${tag} ${text} ${[left, top, right, bottom].map(Math.round)} of ${width} × ${height}`,
                );
        heading.slice(1).forEach(([, top], i) => {
            if (top < heading[i][1] + 10) outside.push(`${name}: line ${i + 1} of the title`);
        });
    }
    await page.close();
    assert.deepEqual(outside, []);
});
