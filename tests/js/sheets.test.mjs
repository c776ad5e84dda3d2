/* What a saved picture says around the picture: the text or the reader's own title, layer, head and
 * model, what colours and lines mean, what was changed; and that it is plain SVG. Where the words
 * stand: tests/browser/sheets.test.mjs. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {views} from '../../web/views/index.js';
import {skip} from './lib/pictures.mjs';
import {LOOK, paperFor, SIZES} from '../../web/save/look.js';
import {allSheets, looksOf} from './lib/sheets.mjs';

const wordsOf = svg =>
    svg
        .replace(/<title>.*?<\/title>/g, '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');

test('sheets: title, layer, head, model, legend, changes, the reader’s words', {skip}, async () => {
    const sheets = new Map(await allSheets());
    for (const [name, svg] of sheets) {
        assert.doesNotMatch(
            svg,
            /rgba\(|var\(|currentColor|foreignObject|class=/,
            `${name}: plain`,
        );
        assert.match(wordsOf(svg), /· bert-tiny-random/, name);
    }
    for (const {id} of views) {
        assert.match(
            wordsOf(sheets.get(`${id}-pair`)),
            /^ ?the cat sat on the mat\. \/ the old dog/,
        );
        const own = wordsOf(sheets.get(`${id}-own-words`));
        assert.match(own, /^ ?A title of the reader’s own/, id);
        assert.match(
            own,
            /switched off: L0·H1, L1·H2 · positions 2 and 4 swapped · no position/,
            id,
        );
        assert.match(own, /A note\. On two lines/, id);
    }
    const said = name => wordsOf(sheets.get(name));
    assert.match(said('head-pair'), /L0·H0–3: .* L0·H0 L0·H1 L0·H2 L0·H3 Weight 0\.\d\d/);
    assert.match(said('head-pinned'), /only the lines to the key cat on\./);
    assert.match(said('head-rollout'), /rollout from the input to layer 2/);
    assert.match(said('head-chinese'), /注意力头视图 · .*连线从左侧/);
    assert.match(
        said('heatmap-pair'),
        /L0·H0.* Weight 0\.03 0\.15 0\.31 0\.62 Full colour: 0\.62; strength is/,
    );
    assert.match(said('model-tinted'), /Entropy \d\.\d\d \d\.\d\d \d\.\d\d Queries down/);
    assert.match(said('neuron-pair'), /L0·H0.* ≤ −\d.* ≥ \d.* Blue is positive/);
    assert.match(said('steps-vectors-3'), /L1·H2.*Blue is positive/);
    assert.equal(said('change-pair').split('What has changed in each head').length, 2, 'said once');
});

const sizeOf = svg =>
    ['viewBox', 'width', 'height'].map(
        name => new RegExp(`<svg[^>]* ${name}="([^"]*)"`).exec(svg)[1],
    );

test('caption and cells can be left out; papers have their size', {skip}, async () => {
    const found = await looksOf('head');
    const cellsIn = svg =>
        svg.split(/<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="16"/).length - 1;
    for (const {look, svg} of found) {
        const words = wordsOf(svg);
        assert.equal(/mat\. \/ the old dog/.test(words), look.caption, JSON.stringify(look));
        assert.equal(/A line runs from the query/.test(words), look.caption);
        assert.equal(/Small cells outside/.test(words), look.caption && look.cells);
        assert.match(words, /L0·H0 L0·H1 .* Weight/, 'colours are explained in all');
        assert.match(svg, /<title>the cat sat on the mat/, 'said to who does not see it');
        assert.equal(cellsIn(svg) > 0, look.cells, 'cells');
        const [viewBox, width, height] = sizeOf(svg);
        const [, , wide, high] = viewBox.split(' ').map(Number);
        const {mm} = SIZES[look.size];
        assert.equal(width, mm ? `${mm[0]}mm` : String(wide));
        if (mm?.[1]) assert.equal(height, `${mm[1]}mm`);
        assert.ok(Math.abs(parseFloat(width) / parseFloat(height) - wide / high) < 0.01);
    }
    const bare = found.find(({look}) => !look.caption && look.size === 'screen').svg;
    assert.ok(Number(sizeOf(bare)[2]) < Number(sizeOf(found[0].svg)[2]) - 100, 'less high');
});

test('a paper of fixed height shows the sheet in its middle, whole', () => {
    assert.deepEqual(paperFor({width: 400, height: 600}, [160, 90]), {
        ...{width: '160mm', height: '90mm'},
        viewBox: '-333.33 0 1066.67 600',
    });
    assert.equal(paperFor({width: 1000, height: 100}, [160, 90]).viewBox, '0 -231.25 1000 562.5');
    assert.equal(paperFor({width: 400, height: 800}, [84]).height, '168mm');
    assert.deepEqual(paperFor({width: 4, height: 8}), {width: 4, height: 8, viewBox: '0 0 4 8'});
    assert.equal(LOOK.size, 'screen', 'what has been saved so far');
});
