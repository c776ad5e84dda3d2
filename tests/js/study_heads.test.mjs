/* study_heads - the studies that run the model themselves: importance (every head switched off on every text) and
 * induction (random tokens said twice), and the patterns of what is moved. Each number is that of passes run one by
 * one here, with the words and tokens drawn anew and the statistics in float64; what a pass gives with a head off is
 * compared with transformers by decides.test.mjs. Parts merge to the same bytes; what a corpus or a model lacks is
 * said.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {openModel, root, run} from './lib/model.mjs';
import {inParts} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const model = name => join(root, 'models', name);
const ITEMS = 5;
const LINES = readFileSync(join(root, 'corpora/texts.txt'), 'utf8').split('\n').slice(0, ITEMS);
const NEAR = 2e-6; // the moments keep 2^-20

const MASK = (1n << 64n) - 1n;
/** splitmix64, as src/study/draw.h has it. @param {number} index of the text */
function drawing(index) {
    let state = (0x632be59bd9b4e019n + BigInt(index)) & MASK;
    return (/** @type {number} */ below) => {
        state = (state + 0x9e3779b97f4a7c15n) & MASK;
        let z = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
        z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
        return Number((z ^ (z >> 31n)) % BigInt(below));
    };
}

const mean = list => list.reduce((sum, x) => sum + x, 0) / list.length;
const deviation = list => Math.sqrt(mean(list.map(x => (x - mean(list)) ** 2)));

function near(found, expected, what) {
    const apart = Math.abs(found - expected);
    assert.ok(apart <= NEAR * Math.max(1, Math.abs(expected)), `${what}: ${found}, ${expected}`);
}

/** The answer of a study in the wasm, over lines. */
async function answered(opened, text, options) {
    const {session} = opened;
    session.loadText('corpus', Buffer.from(text));
    session.studyStep(0, session.studyBegin(options).steps);
    return JSON.parse(session.studyAnswer());
}

/** Which words of a text are asked for: token by token, those that are a word by themselves. */
function wordsOf(tokens, line, index, {share, next, mask}) {
    const isWord = (token, i) =>
        token.sentence >= 0 &&
        token.id !== mask &&
        /^ *[A-Za-z\u0080-\uffff]/.test([...line].slice(token.from, token.to).join('')) &&
        ![tokens[i - 1], tokens[i + 1]].some(
            one => one && one.sentence === token.sentence && one.word === token.word,
        );
    const all = tokens
        .map((token, i) => ({...token, i}))
        .filter(isWord)
        .filter(({i}) => i >= next);
    const draw = drawing(index);
    const wanted = Math.max(1, Math.floor(share * all.length + 0.5));
    const have = [];
    all.forEach((one, seen) => {
        if (have.length < wanted && draw(all.length - seen) < wanted - have.length) have.push(one);
    });
    return have.map(({i, id}) => ({position: i - next, word: id}));
}

for (const [name, next] of [
    ['mini2-en', 0],
    ['mini-gpt-en', 1],
])
    test(`importance of ${name}'s heads for ${next ? 'next' : 'masked'} words`, async () => {
        const opened = await openModel(model(name), 'q8');
        const {session, model: about} = opened;
        const answer = await answered(opened, LINES.join('\n'), {study: 'importance', share: 0.3});
        assert.equal(answer.target, 'words');
        assert.equal(answer.texts, ITEMS);
        const heads = about.layers * about.heads;
        const chosen = [0, 5, 13, heads - 1];
        const falls = chosen.map(() => ({probability: [], loss: []}));
        let [words, whole] = [0, []];
        for (const [index, line] of LINES.entries()) {
            session.tokenize(line, null);
            const mask = next ? -1 : about.special.mask;
            const asked = wordsOf(session.tokens(), line, index, {share: 0.3, next, mask});
            words += asked.length;
            const masks = next ? [] : asked.map(({position}) => ['token', position, mask]);
            const sure = changes => {
                session.change([...masks, ...changes]);
                const pass = opened.run('fine', ['hidden']);
                return asked.map(
                    ({position, word}) => pass.measure('log_probability', [position, word])[0],
                );
            };
            const plain = sure([]);
            whole.push(mean(plain));
            for (const [n, cell] of chosen.entries()) {
                const off = sure([['head', Math.floor(cell / about.heads), cell % about.heads]]);
                falls[n].loss.push(mean(plain) - mean(off));
                falls[n].probability.push(mean(plain.map(Math.exp)) - mean(off.map(Math.exp)));
            }
        }
        assert.equal(answer.words, words);
        near(answer.mean_ln_p, mean(whole), 'ln p');
        for (const [n, cell] of chosen.entries())
            for (const [m, measure] of answer.measures.entries()) {
                near(answer.mean[m][cell], mean(falls[n][measure]), `${measure} of ${cell}`);
                near(answer.sd[m][cell], deviation(falls[n][measure]), `sd of ${measure}, ${cell}`);
                assert.equal(answer.n[m][cell], ITEMS);
            }
    });

test('importance for labels, which the corpus may name or number', async () => {
    const opened = await openModel(model('mini2-en-sst2'), 'q8');
    const {session, model: about} = opened;
    const texts = [
        ['A dull film.', 'negative'],
        ['A wonderful, funny film.', '1'],
        ['I liked it.', 'LABEL_1'],
        ['Nobody knows.', 'neutral'],
    ];
    const table = ['sentence\tlabel', ...texts.map(row => row.join('\t'))].join('\n');
    const answer = await answered(opened, table, {study: 'importance'});
    assert.deepEqual([answer.target, answer.texts, answer.left_out], ['label', 3, 1]);
    const falls = texts.slice(0, 3).map(([text], i) => {
        session.tokenize(text, null);
        const sure = changes => {
            session.change(changes);
            return opened.run('fine', ['hidden']).classify()[Math.min(i, 1)];
        };
        return sure([]) - sure([['head', 2, 3]]);
    });
    near(answer.mean[0][2 * about.heads + 3], mean(falls), 'p');
    assert.throws(
        () => run('study', 'importance', model('mini2-en-pos'), join(root, 'corpora/texts.txt')),
        /predicts no words, and the corpus has no labels/,
    );
});

test('induction: weights at the places of the definitions, on tokens drawn anew', async () => {
    for (const [name, before, behind] of [
        ['mini2-en', 1, 1],
        ['mini-gpt-en', 1, 0],
    ]) {
        const opened = await openModel(model(name), 'q8');
        const {session, model: about} = opened;
        const N = 12;
        const answer = await answered(opened, LINES.join('\n'), {study: 'induction', length: N});
        const {layers: L, heads: H, special} = about;
        session.tokenize('', null);
        const added = session.tokens().map(({id}) => id);
        assert.equal(added.length, before + behind);
        const not = new Set(Object.values(special).concat(added));
        const sums = Array.from({length: 3}, () => Array(L * H).fill(0));
        for (let index = 0; index < ITEMS; index++) {
            const draw = drawing(index);
            const ids = [];
            while (ids.length < N) {
                const id = draw(about.vocab);
                const text = session.tokenText(id);
                if (!not.has(id) && !text.startsWith('[unused') && !ids.includes(id)) ids.push(id);
            }
            const said = [...added.slice(0, before), ...ids, ...ids, ...added.slice(before)];
            session.useIds(said, null);
            const pass = opened.run('fine', ['attention']);
            const T = said.length;
            for (let cell = 0; cell < L * H; cell++) {
                const a = pass.tensor('attention', Math.floor(cell / H)).data;
                const at = (t, key) => a[((cell % H) * T + t) * T + key];
                const over = (from, back) =>
                    mean(
                        Array.from({length: before + 2 * N - from}, (_, i) =>
                            at(from + i, from + i - back),
                        ),
                    );
                sums[0][cell] += over(before + N, N - 1) / ITEMS;
                sums[1][cell] += over(before + N, N) / ITEMS;
                sums[2][cell] += over(before + 1, 1) / ITEMS;
            }
        }
        assert.deepEqual(answer.measures, ['induction', 'duplicate', 'previous']);
        for (const [m, expected] of sums.entries())
            for (const [cell, value] of expected.entries())
                near(answer.mean[m][cell], value, `${name}, ${answer.measures[m]} of ${cell}`);
    }
});

test('patterns of what is moved are moved_patterns over the texts', async () => {
    const opened = await openModel(model('mini2-en'), 'q8');
    const {session, model: about} = opened;
    const answer = await answered(opened, LINES.join('\n'), {study: 'patterns', show: 'moved'});
    const at = answer.measures.indexOf('cls');
    const found = LINES.map(line => {
        session.tokenize(line, null);
        return opened.run('fine', ['attention', 'v']).measure('moved_patterns');
    });
    const heads = about.layers * about.heads;
    for (let cell = 0; cell < heads; cell++)
        near(answer.mean[at][cell], mean(found.map(all => all[at * heads + cell])), `head ${cell}`);
});

test('parts, with draws of random layers, merge to the same bytes', () => {
    const lines = join(scratch, 'lines.txt');
    writeFileSync(lines, LINES.slice(0, 3).join('\n'));
    for (const args of [
        ['importance', model('mini-gpt-en'), lines, '--set', 'draws=5'],
        ['induction', model('mini-gpt-en'), lines, '--set', 'draws=5', '--set', 'tokens=corpus'],
        ['patterns', model('mini-gpt-en'), lines, '--set', 'show=moved'],
    ]) {
        const whole = JSON.parse(run('study', ...args));
        const merged = JSON.parse(run('study', 'merge', ...inParts(scratch, 3, ...args)));
        assert.deepEqual(merged, whole, args[0]);
        for (const score of whole.scores ?? []) assert.equal(score.random_layers.draws, 5);
    }
});

test('a second model is measured beside; too long a repetition is refused', () => {
    const args = ['induction', model('mini2-en'), join(root, 'corpora/pairs.tsv')];
    const settings = ['--set', 'limit=4', '--with', 'random-layers'];
    const answer = JSON.parse(run('study', ...args, ...settings));
    assert.equal(answer.baseline.mean.length, 3);
    assert.notDeepEqual(answer.baseline.mean, answer.mean);
    assert.throws(
        () => run('study', ...args, '--set', 'length=251'),
        /the option length must be a number from 4 to 250/,
    );
});
