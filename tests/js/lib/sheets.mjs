/* sheets - pictures of every view as they are saved, with title, legend and margins (save/sheet.js),
 * drawn from a golden model: texts short and long, right to left, Chinese, tokens longer than any
 * column. For tests of what a sheet says (tests/js) and of where its words stand (tests/browser).
 */
import {renderToString} from 'preact-render-to-string';
import {words} from '../../../web/words/languages.js';
import {LOOK, SIZES, viewFor} from '../../../web/save/look.js';
import {sheet, titleOf} from '../../../web/save/sheet.js';
import {loadView, views} from '../../../web/views/index.js';
import {openGolden} from './pictures.mjs';
import {en, zh} from './words.mjs';

const PAIR = {text: 'the cat sat on the mat.', textB: 'the old dog ran to the red store.'};
const LONG = {
    text: 'the girl went to the store and bought fresh strawberries because they want to eat and drink all day',
    textB: 'my dog would play with his mouse in the water but the old man saw it and ran to the city for more food so we slept on it and the very big red bird ate.',
};
const CHINESE = {text: '我猫大中国人', textB: '你小狗。'};
const REVERSED = {text: 'שלום עולם cat', textB: 'كتاب'};
const LONGEST = [
    'Donaudampfschifffahrtsgesellschaftskapitän',
    'W'.repeat(60),
    '草莓'.repeat(20),
    '👩‍👩‍👧‍👦'.repeat(12),
    'שלוםעולם'.repeat(6),
    'मध्यप्रदेश'.repeat(4),
    'x\u0301\u0302\u0303'.repeat(30),
    '𓀀'.repeat(24),
];

const LOOKS = [
    {name: 'pair', patch: PAIR},
    {name: 'long', patch: LONG, theme: 'dark'},
    {name: 'one', patch: {text: 'cat', textB: ''}},
    {name: 'chinese', patch: CHINESE, theme: 'dark', code: 'zh'},
    {name: 'right-to-left', patch: REVERSED},
    {name: 'longest', patch: {...PAIR, masked: [2]}, longest: true},
    {
        name: 'own-words',
        patch: {
            ...{...PAIR, off: ['0.1', '1.2'], without: 'positions', swapped: [2, 4]},
            heading: `${'A title of the reader’s own that is far too long for one line. '.repeat(6)}`,
            note: `A note.\nOn two lines, and ${'long '.repeat(60)}`,
        },
    },
];

const MORE = {
    head: {
        pinned: {...PAIR, picked: [2, 4], side: 'key'},
        rollout: {...PAIR, mix: 'rollout', layer: 2},
        words: {...LONG, level: 'words', top: 60, specials: false},
    },
    model: {
        tinted: {...PAIR, picture: 'heatmaps', measure: 'entropy', gridSpecials: false},
        ranked: {...LONG, measure: 'next', order: 'all', oneBased: true},
        opened: {...PAIR, opened: '1.2'},
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
        previous: {...PAIR, ask: 'previous'},
    },
    change: {several: {...PAIR, masked: [2], replaced: ['9:dog'], off: ['1.2'], layer: 2}},
};

/** What a view needs to have anything to show: a prediction. */
const ALWAYS = {decides: {masked: [2]}};

/** The same pass with other pieces, as another vocabulary would have. */
const withLongest = data => ({
    ...data,
    pass: {
        ...data.pass,
        tokens: data.pass.tokens.map((token, i) => ({
            ...token,
            piece: token.special ? token.piece : LONGEST[i % LONGEST.length],
        })),
    },
});

/** The sheet of a view as SVG. @param {string} code of the language */
export async function sheetSvg(view, {state, data}, {theme = 'light', code = 'en', ...about} = {}) {
    const t = code === 'zh' ? zh : en;
    const {look = LOOK} = about;
    const frame = sheet({
        title: titleOf(state),
        view: t.viewTitles[view.id],
        source: 'bert-tiny-random',
        words: (await words(code, 'dialogs')).sheet,
        ...about,
    });
    const {width} = SIZES[look.size];
    return renderToString(
        viewFor(view, look).svg(state, data, {width, theme, focus: null, frame}, t),
    );
}

/** A view of the pair of sentences in each look: {name: [look, svg]}. @param {string} id */
export async function looksOf(id) {
    const view = await loadView(id);
    const seen = await (await openGolden('bert-tiny-random'))(view, {...PAIR, view: id});
    const looks = Object.keys(SIZES).flatMap(size =>
        [true, false].flatMap(caption =>
            [true, false].map(cells => ({...LOOK, size, caption, cells})),
        ),
    );
    const svgs = await Promise.all(looks.map(look => sheetSvg(view, seen, {look})));
    return looks.map((look, i) => ({look, svg: svgs[i]}));
}

/** All of them: [name, svg]. */
export async function allSheets() {
    const golden = await openGolden('bert-tiny-random');
    const sheets = [];
    for (const {id} of views) {
        const view = await loadView(id);
        for (const {name, patch, theme, code, longest, about} of LOOKS) {
            const {state, data} = await golden(view, {...patch, ...ALWAYS[id], view: id});
            const seen = {state, data: longest ? withLongest(data) : data};
            sheets.push([`${id}-${name}`, await sheetSvg(view, seen, {theme, code, ...about})]);
        }
        for (const [name, patch] of Object.entries(MORE[id] ?? {}))
            sheets.push([
                `${id}-${name}`,
                await sheetSvg(view, await golden(view, {...patch, view: id})),
            ]);
    }
    return sheets;
}
