/* said - outputs of fine-tuned models reach the page as the command line prints them: labels of
 * texts and tokens, answers, replaced tokens; null for a model that was not fine-tuned.
 */
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {test} from 'node:test';
import {Passes} from '../../web/worker/passes.js';
import {wordLabels} from '../../web/views/head/labels.js';
import {openModel, root, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const INPUT = {text: 'the cat', textB: 'a dog sat', precision: 'fine', changes: [], words: []};

/** What the page is given, and what `headlight run --json` says. */
async function both(folder, input = INPUT) {
    const {session, model} = await openModel(folder, 'f32');
    const passes = new Passes(session, model);
    passes.add(1, input, []);
    const {facts, answer} = passes.open(1, [{labels: true}]);
    assert.deepEqual(await answer({labels: true}, async () => {}), facts.prediction);
    const texts = [input.text, input.textB].filter(text => text !== '');
    const printed = JSON.parse(run('run', folder, ...texts, '--store', 'f32', '--json'));
    return {prediction: facts.prediction, printed, tokens: facts.tokens, facts};
}

const golden = name => join(root, 'tests/golden/models', name);

/** Numbers that are printed with six digits. */
function near(found, printed) {
    assert.equal(found.length, printed.length);
    found.forEach((value, i) => assert.ok(Math.abs(value - printed[i]) < 1e-5));
}

function same(found, printed) {
    assert.deepEqual(
        found.map(({label}) => label),
        printed.map(({label}) => label),
    );
    near(
        found.map(({probability}) => probability),
        printed.map(({probability}) => probability),
    );
}

test('labels of a text, most probable first', async () => {
    const {prediction, printed} = await both(golden('bert-labels'));
    assert.equal(prediction.task, 'labels');
    assert.equal(prediction.scores, 'softmax');
    assert.equal(prediction.labels.length, 3);
    same(prediction.labels, printed.labels);
});

test('a label of each token', async () => {
    const {prediction, printed, tokens} = await both(golden('bert-token-labels'));
    assert.equal(prediction.task, 'token_labels');
    assert.equal(prediction.tokens.length, tokens.length);
    same(prediction.tokens, printed.token_labels);
});

test('the head view has the label of each word that transformers gives its first token', async () => {
    const text = 'The cat sat on the [MASK].';
    const {facts} = await both(golden('bert-token-labels'), {...INPUT, text, textB: ''});
    const dump = readSafetensors(
        join(root, 'tests/golden/dumps/bert-token-labels/single.safetensors'),
    );
    const {data, shape} = dump.get('token_label_logits');
    const names = ['O', 'NOUN', 'VERB', 'DET']; // of its config.json
    const found = wordLabels(facts);
    assert.deepEqual(
        found.map(({index}) => facts.tokens[index].piece),
        ['the', 'cat', 'sat', 'on', 'the', '[MASK]', '.'],
    );
    for (const {index, words} of found) {
        const powers = [...data.subarray(index * shape[1], (index + 1) * shape[1])].map(Math.exp);
        const best = powers.indexOf(Math.max(...powers));
        assert.equal(words[0].piece, names[best]);
        near([words[0].probability], [powers[best] / powers.reduce((a, b) => a + b)]);
    }
});

test('answers are spans of the second text; a text of no words has none', async () => {
    const {prediction, printed, tokens} = await both(golden('bert-answers'));
    assert.equal(prediction.task, 'answer');
    assert.equal(prediction.answers.length, 3);
    for (const [i, {from, to, probability}] of prediction.answers.entries()) {
        assert.deepEqual([from, to], [printed.answers[i].from, printed.answers[i].to]);
        near([probability], [printed.answers[i].probability]);
        assert.ok(tokens.slice(from, to + 1).every(({sentence}) => sentence === 1));
    }
    const {session, model} = await openModel(golden('bert-answers'), 'f32');
    const passes = new Passes(session, model);
    passes.add(1, {...INPUT, text: '', textB: ''}, []);
    assert.deepEqual(passes.open(1, []).facts.prediction, {
        ...{task: 'answer', answers: []},
        starts: [1, 0], // [CLS]: there is none
    });
});

test('replaced tokens', async () => {
    const {prediction, printed} = await both(golden('electra-discriminator'));
    assert.equal(prediction.task, 'replaced');
    near(prediction.replaced, printed.replaced);
});

test('mini-en-sst2 tells good films from bad ones; mini-en says nothing', async () => {
    const folder = join(root, 'models/mini-en-sst2');
    const first = async text =>
        (await both(folder, {...INPUT, text, textB: ''})).prediction.labels[0].label;
    assert.equal(await first('A wonderful and moving film.'), 'positive');
    assert.equal(await first('A dull, lifeless film.'), 'negative');
    assert.equal((await both(join(root, 'models/mini-en'))).prediction, null);
});

test('mini2-en-sst2 tells good films from bad ones', async () => {
    const folder = join(root, 'models/mini2-en-sst2');
    for (const [text, label] of [
        ['A wonderful and moving film.', 'positive'],
        ['A dull, lifeless film.', 'negative'],
    ])
        assert.equal(
            (await both(folder, {...INPUT, text, textB: ''})).prediction.labels[0].label,
            label,
        );
});

test('mini2-en-pos tells a verb from a noun by the words around', async () => {
    const text = 'They can fish and eat a can of fish.'; // of lesson specialised
    const {facts} = await both(join(root, 'models/mini2-en-pos'), {...INPUT, text, textB: ''});
    assert.equal(
        wordLabels(facts)
            .map(({words}) => words[0].piece)
            .join(' '),
        'PRON AUX VERB CCONJ VERB DET NOUN ADP NOUN PUNCT',
    );
});

test('the order of two sentences, as ALBERT says it; of one, and of other models, nothing', async () => {
    const {facts, printed} = await both(golden('albert-groups'));
    near([facts.sentenceOrder[0]], [printed.sentence_order]);
    assert.ok(Math.abs(facts.sentenceOrder[0] + facts.sentenceOrder[1] - 1) < 1e-6);
    assert.equal(facts.nextSentence, null);
    const alone = await both(golden('albert-groups'), {...INPUT, textB: ''});
    assert.equal(alone.facts.sentenceOrder, null);
    const bert = await both(golden('bert-width-24'));
    assert.equal(bert.facts.sentenceOrder, null);
    near([bert.facts.nextSentence[0]], [bert.printed.next_sentence]);
});
