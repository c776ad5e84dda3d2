/* Every view's picture as an SVG, drawn from golden models, which never change: each view for a
 * text of 3 tokens, a pair of 19 and one of 60, light and dark, masked, Chinese, from right to left;
 * and what else can be seen in each. Other families' masks: blocks.test.mjs; studies:
 * study_pictures.test.mjs.
 * They are those of tests/js/snapshots/pictures.txt, so that a change of drawing shows in review.
 * The table and the sentence of each are there, too. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {en, zh} from './lib/words.mjs';
import {loadView, views} from '../../web/views/index.js';
import {openGolden, pictureSet, skip} from './lib/pictures.mjs';
import {tableOf} from './lib/snapshot.mjs';

const PAIR = {text: 'the cat sat on the mat.', textB: 'the old dog ran to the red store.'};
const LONG = {
    text: 'the girl went to the store and bought fresh strawberries because they want to eat and drink all day',
    textB: 'my dog would play with his mouse in the water but the old man saw it and ran to the city for more food so we slept on it and the very big red bird ate.',
};
const TEXTS = {3: {text: 'cat', textB: ''}, 19: PAIR, 60: LONG};
const CHINESE = {text: '我猫大中国人', textB: '你小狗。'};
const REVERSED = {text: 'שלום עולם cat', textB: 'كتاب'};

/** What else there is to be seen of a view: names and patches of the state. */
const VARIANTS = {
    head: {
        expected: {...PAIR, masked: [2, 9], fillings: true},
        words: {...LONG, level: 'words'},
        'right-to-left-words': {...REVERSED, level: 'words'},
        pinned: {...PAIR, picked: [2, 4], side: 'key'},
        'one-ab': {...PAIR, heads: [1], filter: 'ab', layer: 2, oneBased: true},
        mean: {...PAIR, mix: 'mean', heads: [0, 3]},
        layers: {...PAIR, mix: 'layers'},
        rollout: {...PAIR, mix: 'rollout', layer: 2},
        top: {...PAIR, top: 60, specials: false},
        moved: {...PAIR, heads: [1], layer: 1, show: 'moved'},
    },
    heatmap: {
        moved: {...PAIR, heads: [1], layer: 1, show: 'moved'},
        through: {...PAIR, layer: 1, show: 'through'},
        zeroing: {...PAIR, layer: 1, show: 'zeroing'},
    },
    model: {
        heatmaps: {...PAIR, picture: 'heatmaps'},
        'without-delimiters': {...PAIR, picture: 'heatmaps', gridSpecials: false},
        tinted: {...PAIR, picture: 'heatmaps', measure: 'entropy'},
        ranked: {...LONG, measure: 'next', order: 'all', oneBased: true},
        layers: {...PAIR, measure: 'next', order: 'layer', keepLayers: [0, 2], keepHeads: [1, 2]},
        opened: {...PAIR, opened: '1.2'},
        moved: {...PAIR, measure: 'next', show: 'moved'},
    },
    neuron: {
        zeroed: {
            ...PAIR,
            layer: 1,
            heads: [2],
            token: 3,
            zeroed: ['1.2.0', '1.2.5'],
            effects: true,
        },
    },
    steps: Object.fromEntries(
        ['vectors', 'matrices'].flatMap(form =>
            Array.from({length: 8}, (_, step) => [
                `${form}-${step + 1}`,
                {...PAIR, form, step, layer: 1, heads: [2], token: 4},
            ]),
        ),
    ),
    find: {
        patterns: {...PAIR, from: 2, to: 5, mapColour: 'pattern', layer: 2, heads: [3]},
        half: {...PAIR, from: 2},
        previous: {...PAIR, ask: 'previous'},
        same: {...PAIR, ask: 'same_word'},
    },
    change: {
        several: {...PAIR, masked: [2], replaced: ['9:dog'], off: ['1.2'], layer: 2},
        words: {...CHINESE, replaced: ['2:狗']},
    },
};

/** A set with everything of one model. */
function seer(golden, set) {
    return async (name, view, patch, {theme = 'light', width = 640, focus = null} = {}, t = en) => {
        const {state, data} = await golden(view, {...patch, view: view.id});
        set.add(name, view.svg(state, data, {width, theme, focus}, t));
        const isOften = /-(3|60|dark|narrow|to-left)/.test(name); // the same with other words
        if (!isOften) set.add(`${name}-words`, tableOf(view, state, {...data, t}), 'html');
        const {caption, columns, rows} = view.table(state, data, t);
        assert.ok(caption && rows.every(row => row.length === columns.length), `${name}: table`);
        const said = view.describe(state, data, t);
        assert.doesNotMatch(`${said} ${JSON.stringify(rows)}`, /NaN|undefined/, name);
    };
}

test(
    'every view, small, a pair, long, light and dark, and all that it can show',
    {skip},
    async () => {
        const golden = await openGolden('bert-tiny-random');
        const set = pictureSet('pictures');
        const see = seer(golden, set);
        for (const {id} of views) {
            const view = await loadView(id);
            for (const [count, patch] of Object.entries(TEXTS))
                for (const theme of ['light', 'dark'])
                    await see(`${id}-${count}-${theme}`, view, patch, {theme});
            await see(`${id}-chinese`, view, CHINESE, {theme: 'dark'}, zh);
            await see(`${id}-narrow`, view, PAIR, {width: 320});
            await see(`${id}-masked`, view, {...PAIR, masked: [2, 9]});
            await see(`${id}-right-to-left`, view, REVERSED);
            for (const [name, patch] of Object.entries(VARIANTS[id] ?? {}))
                await see(`${id}-${name}`, view, patch);
        }
        const head = await loadView('head');
        await see('head-query', head, PAIR, {focus: {side: 'query', index: 3}});
        await see('head-key', head, PAIR, {focus: {side: 'key', index: 3}});
        const {data} = await golden(head, LONG);
        assert.equal(data.pass.tokens.length, 60);
        assert.equal((await golden(head, PAIR)).data.pass.tokens.length, 19);
        set.check();
    },
);
