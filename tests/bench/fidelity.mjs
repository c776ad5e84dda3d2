/* fidelity - how far store q8 is from store f32 on real text: node tests/bench/fidelity.mjs [MODEL] [SENTENCES]
 * Sentences: UD English-EWT test, in order, one text each. Attention: all layers, heads, queries and keys. Masked words:
 * one piece a sentence (the middle one) is replaced by [MASK] and the most probable filling compared.
 */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {openModel, shared} from '../js/lib/model.mjs';

const corpus = join(shared, 'data/ud/en_ewt/en_ewt-ud-test.conllu');

/** @returns {string[]} */
export const sentences = count => readFileSync(corpus, 'utf8').split('\n')
    .filter(line => line.startsWith('# text = ')).slice(0, count).map(line => line.slice(9));

/** Runs both and adds the differences of every attention row to `sums`. */
function compareAttention(f32, q8, sums) {
    const {id} = f32.model.tensors.find(tensor => tensor.name === 'attention');
    const shape = f32.session.shape(id), size = shape[0] * shape[1] * shape[2], tokens = shape[1];
    for (let layer = 0; layer < f32.model.layers; layer++) {
        const exact = f32.session.tensor(id, layer, size), ours = q8.session.tensor(id, layer, size);
        for (let row = 0; row < size; row += tokens) {
            let top = row, ourTop = row;
            for (let i = row; i < row + tokens; i++) {
                const difference = Math.abs(exact[i] - ours[i]);
                sums.total += difference;
                sums.count++;
                sums.max = Math.max(sums.max, difference);
                sums.histogram[Math.min(9999, Math.floor(difference * 10000))]++;
                if (exact[i] > exact[top]) top = i;
                if (ours[i] > ours[ourTop]) ourTop = i;
            }
            sums.rows++;
            if (top === ourTop) sums.sameTop++;
        }
    }
}

function compareMask(f32, q8, ids, types, sums) {
    const position = ids.length >> 1;
    const masked = ids.with(position, f32.model.special.mask);
    const [exact, ours] = [f32, q8].map(({session}) => {
        session.setIds([...masked], types);
        session.run(0);
        return session.fill(position, 1).ids[0];
    });
    sums.masks++;
    if (exact === ours) sums.sameFilling++;
}

function quantile({histogram, count}, q) {
    let seen = 0;
    const bin = histogram.findIndex(n => (seen += n) >= q * count);
    return (bin + 1) / 10000;
}

export async function fidelity(folder, count) {
    const [f32, q8] = [await openModel(folder, 'f32'), await openModel(folder, 'q8')];
    const sums = {total: 0, count: 0, max: 0, rows: 0, sameTop: 0, masks: 0, sameFilling: 0, histogram: new Array(10000).fill(0)};
    const keep = 1 << f32.model.tensors.find(tensor => tensor.name === 'attention').id;
    for (const text of sentences(count)) {
        for (const {session} of [f32, q8]) {
            session.tokenize(text, null);
            session.run(keep);
        }
        const tokens = f32.session.tokens(f32.session.tokenize(text, null));
        f32.session.run(keep);
        compareAttention(f32, q8, sums);
        const column = at => tokens.filter((_, i) => i % 6 === at);
        compareMask(f32, q8, column(0), [...column(1)], sums);
    }
    return {sentences: count, meanDifference: sums.total / sums.count, p999: quantile(sums, 0.999), maxDifference: sums.max,
        sameTopKey: sums.sameTop / sums.rows, rows: sums.rows, sameFilling: sums.sameFilling / sums.masks};
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const folder = process.argv[2] ?? join(shared, 'models/mini-en');
    if (!existsSync(corpus) || !existsSync(folder)) {
        console.log(`skipped: ${existsSync(folder) ? corpus : folder} is not here`);
    } else {
        console.log(JSON.stringify(await fidelity(folder, Number(process.argv[3] ?? 200)), null, 1));
    }
}
