/* fidelity - how near the precisions of store q8 are to floats, on real text: node tests/bench/fidelity.mjs [SENTENCES]
 * Four ways to compute mini-en: f32 weights; the int8 weights in floats; these with activations in precision fine, and fast.
 * Sentences: UD English-EWT test, in order, one text each. Attention: all layers, heads, queries and keys. Masked words: one piece a
 * sentence (the middle one) is replaced by [MASK] and the most probable filling compared. Then a random BERT-base of which a few
 * channels are 10 to 40 times the others, as trained BERTs have them: texts of 32 random ids. Its attention is nearly even, so that
 * most of its top keys are ties; topKeyLoses counts the rows whose new top key had over 0.002 less than the old one.
 */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {openModel, root, run, shared} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const corpus = join(shared, 'data/ud/en_ewt/en_ewt-ud-test.conllu');
const out = join(root, 'build/out/bench');
const BINS = 100000;

/** @returns {string[]} */
const sentences = count => readFileSync(corpus, 'utf8').split('\n')
    .filter(line => line.startsWith('# text = ')).slice(0, count).map(line => line.slice(9));

/** The differences of two ways, added up text by text. */
function createSums() {
    const sums = {total: 0, count: 0, max: 0, rows: 0, sameTop: 0, loses: 0, masks: 0, sameFilling: 0, bins: new Uint32Array(BINS)};
    return {
        row(exact, ours, at, tokens) {
            let top = at, ourTop = at;
            for (let i = at; i < at + tokens; i++) {
                const difference = Math.abs(exact[i] - ours[i]);
                sums.total += difference;
                if (difference > sums.max) sums.max = difference;
                sums.bins[Math.min(BINS - 1, Math.floor(difference * BINS))]++;
                if (exact[i] > exact[top]) top = i;
                if (ours[i] > ours[ourTop]) ourTop = i;
            }
            sums.count += tokens;
            sums.rows++;
            sums.sameTop += top === ourTop;
            sums.loses += exact[top] - exact[ourTop] > 0.002;
        },
        filling(same) {
            sums.masks++;
            sums.sameFilling += same;
        },
        result() {
            let seen = 0;
            const p999 = (sums.bins.findIndex(n => (seen += n) >= 0.999 * sums.count) + 1) / BINS;
            return {meanDifference: sums.total / sums.count, p999, maxDifference: sums.max, rows: sums.rows,
                topKeyChanges: 1 - sums.sameTop / sums.rows, topKeyLoses: sums.loses / sums.rows,
                ...sums.masks && {fillingChanges: 1 - sums.sameFilling / sums.masks}};
        },
    };
}

/** The attention of the ids, layer by layer. */
function attention({opened: {session, model}, precision}, ids, types) {
    const {id} = model.tensors.find(tensor => tensor.name === 'attention');
    session.setIds([...ids], types);
    session.run(1 << id, precision);
    const size = session.shape(id).reduce((a, b) => a * b);
    return Array.from({length: model.layers}, (_, layer) => session.tensor(id, layer, size));
}

function filling({opened: {session, model}, precision}, ids, types) {
    const at = ids.length >> 1;
    session.setIds(ids.with(at, model.special.mask), types);
    session.run(0, precision);
    return session.fill(at, 1).ids[0];
}

/** @param {{f32: object, same: object}} opened @param {Iterable<{ids: number[], types: number[] | null}>} texts */
function compare({f32, same, q8}, texts) {
    const ways = {f32: {opened: f32}, same: {opened: same}, fine: {opened: q8, precision: 'fine'}, fast: {opened: q8, precision: 'fast'}};
    const pairs = [['same', 'fine'], ['same', 'fast'], ['f32', 'same'], ['f32', 'fine'], ['f32', 'fast']]
        .map(([exact, ours]) => ({exact, ours, sums: createSums()}));
    for (const {ids, types} of texts) {
        const maps = Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, attention(way, ids, types)]));
        const words = f32.model.mlm && Object.fromEntries(Object.entries(ways).map(([name, way]) => [name, filling(way, ids, types)]));
        for (const {exact, ours, sums} of pairs) {
            for (const [layer, map] of maps[exact].entries()) {
                for (let at = 0; at < map.length; at += ids.length) sums.row(map, maps[ours][layer], at, ids.length);
            }
            if (words) sums.filling(words[exact] === words[ours]);
        }
    }
    return pairs.map(({exact, ours, sums}) => ({exact, ours, ...sums.result()}));
}

async function miniEn(count) {
    const f32 = await openModel(join(shared, 'models/mini-en'), 'f32');
    const folder = join(root, 'models/mini-en');
    const texts = sentences(count).map(text => {
        const tokens = f32.session.tokens(f32.session.tokenize(text, null));
        const column = at => [...tokens.filter((_, i) => i % 6 === at)];
        return {ids: column(0), types: column(1)};
    });
    return compare({f32, same: await openModel(folder, 'f32'), q8: await openModel(folder, 'q8')}, texts);
}

async function outliers(count) {
    const folder = join(out, 'outlying'), int8 = join(out, 'outlying-q8');
    const shape = {layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 4096, positions: 512};
    writeRandomModel(folder, shape, 0.02, {17: 10, 308: 40, 381: 25, 500: 15});
    if (!existsSync(int8)) run('convert', folder, int8, '--store', 'q8');
    let state = 1;
    const texts = Array.from({length: count}, () => ({types: null, ids: Array.from({length: 32}, () =>
        ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % shape.vocab)}));
    const opened = {f32: await openModel(folder, 'f32'), same: await openModel(int8, 'f32'), q8: await openModel(int8, 'q8')};
    return compare(opened, texts);
}

if (!existsSync(corpus) || !existsSync(join(shared, 'models/mini-en'))) {
    console.log(`skipped: ${existsSync(corpus) ? join(shared, 'models/mini-en') : corpus} is not here`);
} else {
    const count = Number(process.argv[2] ?? 500);
    const result = {sentences: count, 'mini-en': await miniEn(count), outliers: await outliers(Math.min(20, count))};
    mkdirSync(out, {recursive: true});
    writeFileSync(join(out, 'fidelity.json'), JSON.stringify(result, null, 1));
    for (const name of ['mini-en', 'outliers']) console.table(result[name]);
}
