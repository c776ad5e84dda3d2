/* Every study as a picture: run by the wasm on a golden model, which never changes, over a corpus
 * that is written here, and drawn light and dark, and what it says as words. The pictures are those of snapshots/studies.txt,
 * so that a change of drawing, and of what a study answers, shows in review. Skips when the wasm has
 * not been built.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {studies as en} from '../../web/words/en/studies.js';
import {studies as zh} from '../../web/words/zh/studies.js';
import {pointLegend} from '../../web/draw/blocks/points.js';
import {studies} from '../../web/views/study/index.js';
import {openStudies, pictureSet, skip} from './lib/pictures.mjs';
import {readOf} from './lib/snapshot.mjs';

const ANIMALS = ['cat', 'dog', 'girl', 'mouse', 'bird', 'man'];
const VERBS = ['sat', 'ran', 'lay', 'slept'];
const PLACES = ['store', 'pub', 'city', 'mat', 'rug'];
const SENTENCES = Array.from({length: 40}, (_, i) => ({
    animal: ANIMALS[i % 6],
    kind: i % 3 ? '' : ['old', 'young', 'big'][(i / 3) % 3],
    verb: VERBS[(i * 7) % 4],
    place: PLACES[(i * 3) % 5],
    mood: i % 2 ? 'sad' : 'happy',
}));

/** A row of CoNLL-U for each word: form, tag, governor, relation. */
function treeOf({animal, kind, verb, place}) {
    const more = kind ? 1 : 0;
    const [noun, root, end] = [2 + more, 3 + more, 6 + more];
    const words = [
        ['the', 'DET', noun, 'det'],
        ...(kind ? [[kind, 'ADJ', noun, 'amod']] : []),
        [animal, 'NOUN', root, 'nsubj'],
        [verb, 'VERB', 0, 'root'],
        ['on', 'ADP', end, 'case'],
        ['the', 'DET', end, 'det'],
        [place, 'NOUN', root, 'obl'],
        ['.', 'PUNCT', root, 'punct'],
    ];
    return words.map(([form, tag, governor, relation], i) =>
        [i + 1, form, form, tag, '_', '_', governor, relation, '_', '_'].join('\t'),
    );
}

const TREES = `${SENTENCES.map(one => `${treeOf(one).join('\n')}\n`).join('\n')}\n`;
const PAIRS = `sentence1\tsentence2\tlabel\n${SENTENCES.map(
    ({animal, verb, mood}) => `the ${animal} ${verb} on the mat\tit was ${mood}\t${mood}\n`,
).join('')}`;
const MENTIONS = SENTENCES.map(
    ({animal, verb, place, mood}, i) =>
        `The [${animal}|1] ${verb} in the [${place}|2].\t[It|${1 + (i % 2)}*] was ${mood}.\n`,
).join('');

const CORPUS_OF = {coref: MENTIONS, labels: PAIRS};
/** Pictures that show the baseline, too. */
const BESIDE = ['ask', 'coref', 'probe'];

test(
    'each study over a small corpus, light and dark, and beside random weights',
    {skip},
    async () => {
        const run = await openStudies('bert-tiny-random');
        const set = pictureSet('studies');
        for (const {id, second, index, load} of studies) {
            const view = await load();
            const corpus = CORPUS_OF[id] ?? TREES;
            for (const compared of second === 'model' ? [true] : second ? [false, true] : [false]) {
                const patch = {desk: 'corpus', study: id};
                const {state, data} = run(view, corpus, compared, patch, index);
                for (const [t, theme] of [
                    [en, 'light'],
                    [zh, 'dark'],
                ]) {
                    const otherName = t.drawn[data.otherName]?.name ?? '';
                    const whole = {...data, otherName, theme, width: 600, t};
                    const beside = compared && second !== 'model';
                    const name = `${id}${beside ? '-beside-random' : ''}-${theme}`;
                    if (view.svg && (!beside || BESIDE.includes(id)))
                        set.add(name, view.svg(state, whole, t));
                    const {columns, rows} = view.table(state, whole, t);
                    assert.ok(
                        rows.length && rows.every(row => row.length === columns.length),
                        name,
                    );
                    if (t === en) {
                        const words = readOf(view, state, whole, {});
                        set.add(`${id}${compared ? '-beside' : ''}-words`, words, 'html');
                    }
                    const said = `${view.describe(state, whole, t)} ${JSON.stringify(rows)}`;
                    assert.doesNotMatch(said, /NaN|undefined/, name);
                    assert.doesNotMatch(
                        renderToString(view.render(state, whole, {})),
                        /NaN|undefined|\[object/,
                        name,
                    );
                }
            }
        }
        set.check();
    },
);

test('a legend has the marks of its points, on the page as in a file', () => {
    const entries = [0, 1, 2].map(mark => ({colour: '#000', mark, name: `kind ${mark}`}));
    const block = pointLegend(entries, 'kinds');
    const marks = tree => [...renderToString(tree).matchAll(/ d="([^"]+)"/g)].map(([, d]) => d);
    const page = marks(block.kind.Html({block}));
    assert.equal(new Set(page).size, entries.length);
    assert.deepEqual(page, marks(h('svg', null, block.kind.svg(block).tree)));
});
