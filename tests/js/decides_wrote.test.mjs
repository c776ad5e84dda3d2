/* The view "What decides" (views/decides/wrote.js): behind a press the logit, split by the measures direct of the target that
 * is asked about; its rows sum to the difference of the pass's own logits; beside heads and MLPs stands the change that the
 * lists below have. Words, another word, labels, labels of tokens, what is replaced, where an answer starts; the picture.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {signed} from '../../web/draw/chart.js';
import {decidesView} from '../../web/views/decides/view.js';
import {openGolden, skip} from './lib/pictures.mjs';
import {en, zh} from './lib/words.mjs';

const near = (ours, theirs, most, what) =>
    assert.ok(Math.abs(ours - theirs) <= most, `${what}: ${ours}, not ${theirs}`);

async function asked(name, more) {
    const open = await openGolden(name);
    const {state, data} = await open(decidesView, {view: 'decides', ...more});
    const scene = decidesView.scene(state, data);
    const [sum] = scene.wrote.slice(-1);
    return {state, data, scene, logit: sum?.change};
}

/** The rows but the last sum to it; the largest come first, all others behind them. */
function check({wrote}) {
    const changes = wrote.map(({change}) => change);
    const sum = changes.pop();
    near(
        changes.reduce((all, x) => all + x, 0),
        sum,
        1e-9,
        'the sum',
    );
    const sizes = changes.slice(0, -1).map(Math.abs);
    assert.deepEqual(
        sizes,
        sizes.toSorted((a, b) => b - a),
    );
    assert.deepEqual(
        wrote.slice(-2).map(({kind}) => kind),
        ['others', 'sum'],
    );
}

const look = {width: 640, theme: 'light', focus: null};

for (const [name, text] of [
    ['bert-tiny-random', 'the cat sat on the [MASK].'],
    ['gpt2-next', 'the cat sat on'],
])
    test(`${name}: behind a press, and the change of ln p beside it`, {skip}, async () => {
        const before = await asked(name, {text});
        assert.deepEqual(before.scene.wrote, []);
        assert.ok(decidesView.deep(before.state, before.data).every(one => !one.measure));
        const now = await asked(name, {text, ask: '.wrote'});
        const {wrote, target, ranked} = now.scene;
        check(now.scene);
        const parts = wrote.filter(({kind}) => kind === 'head' || kind === 'mlp');
        assert.ok(parts.length > 2);
        assert.ok(wrote.some(({kind}) => kind === 'word') && wrote.every(({change}) => change));
        for (const one of parts) {
            const same = ranked.find(
                ({kind, layer, head}) =>
                    kind === one.kind && layer === one.layer && head === one.head,
            );
            assert.equal(one.off, signed(same.change));
        }
        for (const t of [en, zh]) {
            const svg = renderToString(decidesView.svg(now.state, now.data, look, t));
            assert.doesNotMatch(svg, /undefined|NaN/);
            for (const told of [t.decides.lists.wrote, t.decides.parts.sum, signed(now.logit)])
                assert.ok(svg.includes(told), told);
        }
        assert.ok(wrote.every(({kind, off = '–'}) => off === '–' || /head|mlp/.test(kind)));
        const other = target.words[1];
        const against = await asked(name, {text, ask: '.wrote', against: other.piece});
        check(against.scene);
        near(against.logit, against.scene.plain, 1e-4, 'ln p of one less that of the other');
        const alone = await asked(name, {text, ask: `${other.id}.wrote`});
        near(against.logit, now.logit - alone.logit, 1e-4, 'both are less the same mean');
    });

test('labels, labels of tokens, what is replaced, where an answer starts', {skip}, async () => {
    const labels = await asked('bert-labels', {text: 'the cat sat.', ask: '.wrote'});
    near(labels.logit, labels.scene.plain, 1e-4, 'ln p of a label less that of the runner-up');
    const tags = await asked('bert-token-labels', {text: 'the cat sat.', ask: '.wrote'});
    assert.ok(tags.logit > 0, 'the label that is most probable is above the mean');
    const side = await asked('electra-discriminator', {text: 'the cat sat.', ask: '.wrote'});
    const p = Math.exp(side.scene.plain);
    near(side.logit, Math.log(p / (1 - p)), 1e-3, 'the logit of the side that is asked about');
    const [text, textB] = ['the cat sat.', 'she wanted to escape the noise!'];
    const start = await asked('bert-answers', {text, textB, ask: '.wrote'});
    const [best, second] = start.scene.target.words;
    const next = await asked('bert-answers', {text, textB, ask: `${second.id}.wrote`});
    const ratio = Math.log(best.probability / second.probability);
    near(start.logit - next.logit, ratio, 1e-4, 'both are less the same mean');
    for (const {scene} of [labels, tags, side, start]) check(scene);
});

test('a word that is not offered: no measure is asked, and it is said', {skip}, async () => {
    const text = 'the cat sat on the [MASK].';
    const usual = await asked('bert-tiny-random', {text, ask: '.wrote'});
    const offered = new Set(usual.scene.target.words.map(({piece}) => piece));
    const against = usual.data.pass.tokens
        .map(({piece}) => piece)
        .find(piece => /^[a-z]+$/.test(piece) && !offered.has(piece));
    assert.ok(against);
    const {state, data, scene} = await asked('bert-tiny-random', {text, ask: '.wrote', against});
    assert.deepEqual(scene.wrote, []);
    assert.ok(decidesView.deep(state, data).every(one => !one.measure));
    const svg = renderToString(decidesView.svg(state, data, look, en));
    assert.ok(svg.includes(en.decides.wrote.none.slice(0, 14)));
});

test('tokens removed and what wrote it: both stand in the link', {skip}, async () => {
    const text = 'the cat sat on the [MASK].';
    const both = await asked('bert-tiny-random', {text, ask: '.removed.wrote'});
    assert.deepEqual(both.scene.asked, {id: '', removes: true, masks: true, wrote: true});
    assert.ok(both.scene.ranked.some(({kind}) => kind === 'removed'));
    check(both.scene);
});
