/* fidelity - the error of store q8's precisions against floats, on real text: node
 * tests/bench/fidelity.mjs [SENTENCES [FLOATS]] Four ways to compute a model: f32 weights; the int8
 * weights in floats; these with activations in precision fine, and fast. mini-en's f32 weights are
 * ../shared/models/mini-en; those of mini4-en are FLOATS, the folder that its recipe trains
 * (models/train, mini4/model), without which it is not measured. Sentences: UD English-EWT test, in
 * order, one text each. Attention: all layers, heads, queries and keys. Masked words: one piece a
 * sentence (the middle one) is replaced by [MASK] and the most probable filling compared. Then a
 * random BERT-base of which a few channels are 10 to 40 times the others, as trained BERTs have
 * them: texts of 32 random ids. Its attention is nearly even, so that most of its top keys are
 * ties; `clearly` counts only rows whose new top key had over 0.002 less. With 500 sentences or
 * more the figures of mini4-en are written into web/model/precision/fidelity.js, from which the
 * page says them.
 * node tests/bench/fidelity.mjs widths [FOLDER ...]: what share of rows keep their top key in fast
 * against fine, by the width of the model: 60 sentences of corpora/sentences.conllu.
 */
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createComparison} from '../../web/model/precision/difference.js';
import {openModel, root, run, shared} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';
import {createTail} from './tail.mjs';

const corpus = join(shared, 'data/ud/en_ewt/en_ewt-ud-test.conllu');
const out = join(root, 'build/out/bench');
const panel = join(root, 'web/model/precision/fidelity.js');
const PANEL = 500; // sentences: of fewer the page does not speak
const FIRST = 'mini4-en'; // of models/index.json: the one that a visit begins with

const WIDTHS = [
    'tests/golden/models/bert-tiny-q8',
    ...['mini-en', 'minilm-en', 'mini2-en', 'mini4-en'].map(name => `models/${name}`),
];

/** @returns {string[]} */
const sentences = (count, from = corpus) =>
    readFileSync(from, 'utf8')
        .split('\n')
        .filter(line => line.startsWith('# text = '))
        .slice(0, count)
        .map(line => line.slice(9));

/** The differences of two ways, added up text by text. */
function createSums() {
    const tail = createTail();
    const comparison = createComparison(tail.each);
    const words = {masks: 0, fillingChanges: 0};
    return {
        add: comparison.add,
        filling(same) {
            words.masks++;
            words.fillingChanges += !same;
        },
        result() {
            const {mean, max, count, rows, changed} = comparison.result();
            const {p999, clearly} = tail.result({count, max});
            return {mean, p999, max, rows, changed, clearly, ...(words.masks && words)};
        },
    };
}

/** The attention of the ids, layer by layer. */
function attention({opened, precision = 'fine'}, ids, types) {
    opened.session.useIds([...ids], types);
    const run = opened.run(precision, ['attention']);
    return Array.from(
        {length: opened.model.layers},
        (_, layer) => run.tensor('attention', layer).data,
    );
}

function filling({opened, precision = 'fine'}, ids, types) {
    const at = ids.length >> 1;
    opened.session.useIds(ids.with(at, opened.model.special.mask), types);
    return opened.run(precision, []).predictions(at, 1).ids[0];
}

/** @param {{f32: object, same: object}} opened
 * @param {Iterable<{ids: number[], types: number[] | null}>} texts */
function compare({f32, same, q8}, texts) {
    const ways = {
        f32: {opened: f32},
        same: {opened: same},
        fine: {opened: q8, precision: 'fine'},
        fast: {opened: q8, precision: 'fast'},
    };
    const pairs = [
        ['same', 'fine'],
        ['same', 'fast'],
        ['f32', 'same'],
        ['f32', 'fine'],
        ['f32', 'fast'],
    ].map(([exact, ours]) => ({exact, ours, sums: createSums()}));
    for (const {ids, types} of texts) {
        const maps = Object.fromEntries(
            Object.entries(ways).map(([name, way]) => [name, attention(way, ids, types)]),
        );
        const words =
            f32.model.mlm &&
            Object.fromEntries(
                Object.entries(ways).map(([name, way]) => [name, filling(way, ids, types)]),
            );
        for (const {exact, ours, sums} of pairs) {
            for (const [layer, map] of maps[exact].entries())
                sums.add(layer, map, maps[ours][layer], [f32.model.heads, ids.length]);
            if (words) sums.filling(words[exact] === words[ours]);
        }
    }
    return pairs.map(({exact, ours, sums}) => ({exact, ours, ...sums.result()}));
}

/** The ids of texts. @param {object} opened @param {string[]} texts */
const idsOf = ({session}, texts) =>
    texts.map(text => {
        session.tokenize(text, null);
        const tokens = session.tokens();
        return {ids: tokens.map(({id}) => id), types: tokens.map(({type}) => type)};
    });

/** Of the rows of a model, how many keep their top key in fast; clearly: those whose leader in fine is
 * ahead by over 0.002. @param {string} folder */
async function keptInFast(folder) {
    const opened = await openModel(folder, 'q8');
    const sums = createSums();
    for (const {ids, types} of idsOf(
        opened,
        sentences(60, join(root, 'corpora/sentences.conllu')),
    )) {
        const [fine, fast] = ['fine', 'fast'].map(precision =>
            attention({opened, precision}, ids, types),
        );
        for (const [layer, map] of fine.entries())
            sums.add(layer, map, fast[layer], [opened.model.heads, ids.length]);
    }
    const {rows, changed, clearly} = sums.result();
    const percent = of => `${((100 * of) / rows).toFixed(2)} %`;
    return {
        width: opened.model.hidden,
        folder,
        rows,
        kept: percent(rows - changed),
        'changed by over 0.002': percent(clearly),
    };
}

/** A model of models/ against the floats that it was rounded from. */
async function shipped(name, floats, count) {
    const f32 = await openModel(floats, 'f32');
    const folder = join(root, 'models', name);
    return compare(
        {f32, same: await openModel(folder, 'f32'), q8: await openModel(folder, 'q8')},
        idsOf(f32, sentences(count)),
    );
}

async function outliers(count) {
    const folder = join(out, 'outlying'),
        int8 = join(out, 'outlying-q8');
    const shape = {layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 4096, positions: 512};
    writeRandomModel(folder, shape, 0.02, {17: 10, 308: 40, 381: 25, 500: 15});
    if (!existsSync(int8)) run('convert', folder, int8, '--store', 'q8');
    let state = 1;
    const texts = Array.from({length: count}, () => ({
        types: null,
        ids: Array.from(
            {length: 32},
            () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % shape.vocab,
        ),
    }));
    const opened = {
        f32: await openModel(folder, 'f32'),
        same: await openModel(int8, 'f32'),
        q8: await openModel(int8, 'q8'),
    };
    return compare(opened, texts);
}

/** What the page's panel says of its first model (web/model/precision/precision.js). */
function writePanel({sentences: count, [FIRST]: pairs}) {
    const weights = createHash('sha256')
        .update(readFileSync(join(root, 'models', FIRST, 'model.safetensors')))
        .digest('hex');
    const lines = exactly =>
        pairs
            .filter(({exact, ours}) => exact === exactly && ours !== 'same')
            .map(({ours, mean, max, changed, fillingChanges}) => {
                const short = [mean, max].map(value => Number(value.toPrecision(6)));
                return `        ${ours}: {mean: ${short[0]}, max: ${short[1]}, changed: ${changed}, fillings: ${fillingChanges}},\n`;
            })
            .join('');
    writeFileSync(
        panel,
        `/* fidelity - written by \`node tests/bench/fidelity.mjs ${count} FLOATS\`, the precision of
 * models/${FIRST}: not for editing. weights: SHA-256 of its model.safetensors; a test compares it,
 * so that other weights are measured anew.
 */

export const FIDELITY = {
    model: '${FIRST}',
    sentences: ${count},
    weights: '${weights}',
    rows: ${pairs[0].rows},
    same: {
${lines('same')}    },
    f32: {
${lines('f32')}    },
};
`,
    );
}

const [first = PANEL, ...folders] = process.argv.slice(2);
const count = Number(first);
const floats = {'mini-en': join(shared, 'models/mini-en'), [FIRST]: folders[0]};
const missing = [corpus, floats['mini-en']].find(path => !existsSync(path));
if (first === 'widths') {
    const found = [];
    for (const folder of folders.length ? folders : WIDTHS) found.push(await keptInFast(folder));
    console.table(found);
} else if (missing) console.log(`skipped: ${missing} is not here`);
else {
    const result = {sentences: count};
    for (const [name, folder] of Object.entries(floats))
        if (folder) result[name] = await shipped(name, folder, count);
    result.outliers = await outliers(Math.min(20, count));
    mkdirSync(out, {recursive: true});
    writeFileSync(join(out, 'fidelity.json'), JSON.stringify(result, null, 1));
    if (count >= PANEL && result[FIRST]) writePanel(result);
    const {sentences: asked, ...tables} = result;
    console.log(`${asked} sentences`);
    for (const [name, pairs] of Object.entries(tables)) {
        console.log(name);
        console.table(pairs);
    }
}
