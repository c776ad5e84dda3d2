/* The precision panel in Chromium: what it says of the pass, the switch, and the comparison with
 * float32, whose numbers are computed here once more from the tensors of both stores; cancelling,
 * failing, and a page that moves on meanwhile; axe. */
import assert from 'node:assert/strict';
import {cp, mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {exact as digits} from '../../web/draw/scale.js';
import {defaultsOf} from '../../web/state/state.js';
import {FIDELITY} from '../../web/model/precision/fidelity.js';
import {share, small} from '../../web/model/precision/precision.js';
import {naiveComparison} from '../js/lib/compare.mjs';
import {openModel} from '../js/lib/model.mjs';
import {nothingForAxe} from './axe.mjs';
import {pieces, show, useSite, until} from './page.mjs';

const TINY = 'tests/golden/models/bert-tiny-random';
const site = useSite();

/** The attention and first fillings of the text that a visit begins with. */
const SHOWN = defaultsOf('2'); // what page.mjs opens

async function computed(folder, store, precision, {text, textB} = SHOWN) {
    const opened = await openModel(folder, store);
    const {session, model} = opened;
    const count = session.tokenize(text, textB);
    const pass = opened.run(precision, ['attention']);
    const fills = session
        .tokens()
        .map(({sentence}, i) => (sentence < 0 || !model.mlm ? -1 : pass.predictions(i, 1).ids[0]));
    return {
        model,
        count,
        maps: Array.from(
            {length: model.layers},
            (_, layer) => pass.tensor('attention', layer).data,
        ),
        pieces: session.tokens().map(({id}) => session.tokenText(id)),
        fills,
        said: fills.map(id => (id < 0 ? '' : session.tokenText(id))),
    };
}

/** What the panel is to show of two computations. */
function expected(exact, ours) {
    const comparison = naiveComparison(exact.maps, ours.maps, ours.model.heads, ours.count);
    return {
        comparison,
        changes: ours.fills.flatMap((id, i) =>
            id === exact.fills[i] ? [] : [[i, ours.pieces[i], ours.said[i], exact.said[i]]],
        ),
        places: ours.fills.filter(id => id >= 0).length,
    };
}

async function panel(options = {}) {
    const page = await site.open(options);
    await page.locator('.status [aria-haspopup=dialog]').click();
    await page.locator('dialog.precision').waitFor();
    return page;
}

async function compared(page) {
    await page.locator('.precision .main').click();
    await page.locator('.comparison .facts').waitFor();
    return page.locator('.comparison .facts dd').allTextContents();
}

function checkFacts(facts, {comparison, changes, places}, rows) {
    const words = changes.length;
    const some = (part, all) => `${part} of ${all} (${share(part, all)})`;
    assert.equal(facts[0], small(comparison.mean));
    const {layer, head, exact: theirs, ours} = comparison.worst;
    assert.ok(facts[1].startsWith(`L${layer}·H${head}: `), facts[1]);
    assert.ok(facts[1].endsWith(`, ${digits(ours)} here, ${digits(theirs)} in float32`), facts[1]);
    assert.equal(facts[2], some(comparison.changed, rows));
    const listed = changes.map(
        ([at, piece, our, exact]) => `${at} ${piece}: ${our} here, ${exact} in float32`,
    );
    if (places) assert.equal(facts[3], some(words, places) + listed.join(''));
    else assert.equal(facts.length, 3);
}

test('fine and fast: the numbers shown are those of the tensors, and the worst place opens', async () => {
    const exact = await computed('models/mini-en', 'f32');
    const page = await panel();
    for (const precision of ['fast', 'fine']) {
        await page.locator(`.precision input[value=${precision}]`).check({force: true});
        await until(
            () => page.locator('.status').textContent(),
            text => text.includes(`Precision: ${precision}`) && /computed in/.test(text),
            precision,
        );
        const ours = await computed('models/mini-en', 'q8', precision);
        const want = expected(exact, ours);
        assert.ok(want.comparison.max > 0);
        checkFacts(await compared(page), want, ours.model.layers * ours.model.heads * ours.count);
        assert.match(
            await page.locator('.comparison > p').textContent(),
            new RegExp(
                `Precision ${precision}, ${ours.count} tokens.*both sides have the same weights`,
            ),
        );
    }
    await page.locator('.precision input[value=fine]').check({force: true});
    await until(
        () => page.url(),
        url => url.includes('precision=fine'),
        'it is part of the link',
    );
    await page.locator('.precision input[value=fast]').check({force: true});
    await until(
        () => page.url(),
        url => !url.includes('precision'),
        'but not what is usual',
    );
    await compared(page);
    const {
        comparison: {worst},
    } = expected(exact, await computed('models/mini-en', 'q8', 'fast'));
    await page.locator('.comparison .facts button').click();
    await until(() => page.locator('dialog').count(), 0, 'closed');
    assert.equal(
        await page.locator('input[name=layer]:checked').getAttribute('value'),
        String(worst.layer),
    );
    assert.deepEqual(await page.locator('.chip[aria-pressed="true"]').allTextContents(), [
        String(worst.head),
    ]);
    await until(
        () => page.locator('.query .token[aria-pressed="true"]').getAttribute('data-index'),
        index => index === String(worst.query),
        'the query is pinned',
    );
});

test('what runs is said, and the figures are those of the bench', async () => {
    const page = await panel();
    const facts = await page
        .locator('.precision > section')
        .first()
        .locator('dd')
        .allTextContents();
    assert.match(facts[1], /8 bits per value/);
    assert.match(facts[2], /^(relaxed|plain) SIMD/);
    assert.match(facts[3], /^[\d.]+ ms for 19 tokens$/);
    assert.match(facts[4], /^[\d.]+ MB, [\d.]+ MB of it weights$/);
    const measured = page.locator('.precision > section').nth(1);
    for (const ours of ['fast', 'fine']) {
        await page.locator(`.precision input[value=${ours}]`).check({force: true});
        await until(
            () => measured.locator('h3').textContent(),
            `Measured once, on mini4-en, precision ${ours}`,
            ours,
        );
        assert.deepEqual(
            (await measured.locator('p').allTextContents()).slice(1),
            [
                ['Against the same int8 weights, the rest in float32', FIDELITY.same[ours]],
                ['Against the float32 weights they were rounded from', FIDELITY.f32[ours]],
            ].map(
                ([against, {mean, max, changed, fillings}]) =>
                    `${against}: mean |Δ attention| ${small(mean)}, largest ${small(max)}; ` +
                    `${share(changed, FIDELITY.rows)} of rows have a different top key, ` +
                    `${share(fillings, 500)} of masked words a different top prediction.`,
            ),
        );
    }
    assert.match(
        await measured.textContent(),
        /500 sentences of UD English-EWT.*figures are for this model/,
    );
});

test('a word that float32 predicts instead is said with its place', async () => {
    const said = {text: 'The boy explained how he had repaired the old radio.', textB: null};
    const [exact, ours] = [
        await computed('models/mini-en', 'f32', 'fine', said),
        await computed('models/mini-en', 'q8', 'fast', said),
    ];
    const want = expected(exact, ours);
    assert.equal(want.changes.length, 1);
    const page = await panel({
        hash: `#v=5&model=mini-en&precision=fast&text=${encodeURIComponent(said.text)}`,
    });
    checkFacts(await compared(page), want, ours.model.layers * ours.model.heads * ours.count);
});

test('a checkpoint of floats is compared with its own weights', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'headlight-precision-'));
    for (const name of ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'])
        await cp(`${TINY}/${name}`, join(folder, name));
    const page = await site.open();
    await page.setInputFiles('.models input[type=file]', folder);
    await page
        .locator('select option:checked', {hasText: 'headlight-precision'})
        .waitFor({state: 'attached'});
    await until(() => page.locator('input[name=layer]').count(), 3, 'the small model');
    await page.locator('.status [aria-haspopup=dialog]').click();
    const [exact, ours] = [await computed(TINY, 'f32'), await computed(TINY, 'q8', 'fine')];
    const facts = await compared(page);
    checkFacts(facts, expected(exact, ours), ours.model.layers * ours.model.heads * ours.count);
    assert.match(
        await page.locator('.comparison > p').textContent(),
        /The checkpoint holds floats/,
    );
});

test('cancelled, failed, overtaken: a sentence each, and the page stays as it was', async () => {
    const page = await panel();
    const before = await pieces(page);
    const said = page.locator('.precision .said');
    const run = page.locator('.precision .main');
    await page.route('**/worker.js*', () => {}); // never answered
    await run.click();
    await page.locator('.precision').getByRole('button', {name: 'Cancel'}).click();
    await until(() => said.textContent(), 'Cancelled.', 'cancelled');
    await run.click();
    await page.locator('.precision .track').waitFor();
    await page.locator('.precision input[value=fine]').check({force: true});
    await until(() => said.textContent(), /now computing something else/, 'overtaken');
    await page.unroute('**/worker.js*');
    await page.route('**/worker.js*', route => route.abort());
    await run.click();
    await until(
        () => said.textContent(),
        /did not work:.*The page is as it was.*close other tabs/,
        'failed',
    );
    await page.unroute('**/worker.js*');
    assert.deepEqual(await pieces(page), before);
    assert.equal(await page.inputValue('#text'), SHOWN.text);
    assert.equal((await compared(page)).length, 4);
    await page.keyboard.press('Escape');
    await page.locator('.status [aria-haspopup=dialog]').click();
    await page.locator('.comparison').waitFor(); // what was found stays
    await page.keyboard.press('Escape');
    await page.fill('#text', 'Another one');
    await page.press('#text', 'Enter');
    await until(
        () => pieces(page),
        list => list.includes('another'),
        'another text',
    );
    await page.locator('.status [aria-haspopup=dialog]').click();
    assert.equal(await page.locator('.comparison').count(), 0);
});

for (const [locale, width] of [
    ['en-GB', 1280],
    ['zh-CN', 360],
]) {
    test(`axe finds nothing: ${locale}, ${width} px`, async () => {
        const page = await panel({locale, width});
        await compared(page);
        assert.ok(
            await page.evaluate(
                () =>
                    document.querySelector('.precision').scrollWidth <=
                    document.querySelector('.precision').clientWidth,
            ),
            'nothing sticks out',
        );
        await nothingForAxe(page);
    });
}

test('where predictions are computed in fine, and other views are not, that stands at the figure', async () => {
    const text = `#v=5&text=${encodeURIComponent('Rome is the [MASK] of Italy.')}&textB=`;
    const page = await site.open({hash: text});
    const said = () => page.getByRole('button', {name: /^Precision/}).innerText();
    await until(said, 'Precision: fine here', 'a gap is predicted');
    await show(page, 'Rome is old.', '');
    await until(said, 'Precision: fast', 'nothing is predicted');
    const fine = await site.open({hash: `${text}&precision=fine`});
    const both = () => fine.getByRole('button', {name: /^Precision/}).innerText();
    await until(both, 'Precision: fine', 'fine everywhere');
});
