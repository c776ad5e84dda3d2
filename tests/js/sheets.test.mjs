/* What a saved picture says around the picture: the text or the reader's own title, layer, head and
 * model, what colours and lines mean, what was changed; and that it is plain SVG. Where the words
 * stand: tests/browser/sheets.test.mjs. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {views} from '../../web/views/index.js';
import {skip} from './lib/pictures.mjs';
import {allSheets} from './lib/sheets.mjs';

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
    assert.match(said('head-pinned'), /cat on are looked at by/);
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
