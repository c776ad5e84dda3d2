/* The precision panel in Chromium: what it says of the pass, the switch, and the comparison with
 * float32, whose numbers are computed here once more from the tensors of both stores; cancelling,
 * failing, and a page that moves on meanwhile; axe. */
import assert from 'node:assert/strict';
import {cp, mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {defaultsOf} from '../../web/state/state.js';
import {FIDELITY} from '../../web/model/precision/fidelity.js';
import {share, small} from '../../web/model/precision/print.js';
import {naiveComparison} from '../js/lib/compare.mjs';
import {openModel} from '../js/lib/model.mjs';
import {nothingForAxe} from './axe.mjs';
import {pieces, useSite, until} from './page.mjs';

const TINY = 'tests/golden/models/bert-tiny-random';
const site = useSite();

/** The attention and first fillings of the text that a visit begins with. */
const SHOWN = defaultsOf('2'); // what page.mjs opens

async function computed(folder, store, precision) {
    const opened = await openModel(folder, store);
    const {session, model} = opened;
    const count = session.tokenize(SHOWN.text, SHOWN.textB);
    const pass = opened.run(precision, ['attention']);
    return {
        model,
        count,
        maps: Array.from(
            {length: model.layers},
            (_, layer) => pass.tensor('attention', layer).data,
        ),
        fills: session
            .tokens()
            .map(({sentence}, i) =>
                sentence < 0 || !model.mlm ? -1 : pass.predictions(i, 1).ids[0],
            ),
    };
}

/** What the panel is to show of two computations. */
function expected(exact, ours) {
    const comparison = naiveComparison(exact.maps, ours.maps, ours.model.heads, ours.count);
    return {
        comparison,
        words: ours.fills.filter((id, i) => id !== exact.fills[i]).length,
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

function checkFacts(facts, {comparison, words, places}, rows) {
    const some = (part, all) => `${part} of ${all} (${share(part, all)})`;
    assert.equal(facts[0], small(comparison.mean));
    // a bin, and two digits
    assert.ok(
        Math.abs(Number(facts[1]) / comparison.p999 - 1) < 0.06,
        `${facts[1]} ${comparison.p999}`,
    );
    assert.equal(facts[2], small(comparison.max));
    assert.equal(facts[3], some(comparison.changed, rows));
    if (places) assert.equal(facts[4], some(words, places));
    const {layer, head} = comparison.worst;
    assert.ok(facts.at(-1).startsWith(`L${layer}·H${head}: `), facts.at(-1));
}

const cells = page =>
    page
        .locator('.heads-compared button')
        .evaluateAll(buttons => buttons.map(button => button.getAttribute('aria-label')));

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
        assert.deepEqual(
            await cells(page),
            want.comparison.heads.map(
                ({max, mean, changed}, id) =>
                    `L${Math.floor(id / ours.model.heads)}·H${id % ours.model.heads}: largest ${small(max)}, mean ${small(mean)}, ` +
                    `${changed} ${changed === 1 ? 'row' : 'rows'} with a different top key`,
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
    await until(
        () => page.locator('dialog').count(),
        count => count === 0,
        'closed',
    );
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
    const rows = await page
        .locator('.fidelity tbody tr:has(td)')
        .evaluateAll(lines =>
            lines.map(line => [...line.querySelectorAll('td')].map(cell => cell.textContent)),
        );
    const of = (exact, tell) =>
        ['fine', 'fast'].map(ours =>
            tell(FIDELITY.pairs.find(pair => pair.exact === exact && pair.ours === ours)),
        );
    assert.deepEqual(
        rows,
        ['same', 'f32'].flatMap(exact => [
            of(exact, pair => small(pair.mean)),
            of(exact, pair => small(pair.p999)),
            of(exact, pair => small(pair.max)),
            of(exact, pair => share(pair.changed, pair.rows)),
            of(exact, pair => share(pair.fillingChanges, pair.masks)),
        ]),
    );
    assert.match(
        await page.locator('.precision').textContent(),
        /500 sentences of UD English-EWT.*figures are for this model/,
    );
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
    await until(
        () => page.locator('input[name=layer]').count(),
        count => count === 3,
        'the small model',
    );
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
    await page.locator('.under button').click();
    await until(
        () => said.textContent(),
        text => text === 'Cancelled.',
        'cancelled',
    );
    await run.click();
    await page.locator('.under').waitFor();
    await page.locator('.precision input[value=fine]').check({force: true});
    await until(
        () => said.textContent(),
        text => /now computing something else/.test(text),
        'overtaken',
    );
    await page.unroute('**/worker.js*');
    await page.route('**/worker.js*', route => route.abort());
    await run.click();
    await until(
        () => said.textContent(),
        text => /did not work:.*The page is as it was.*close other tabs/.test(text),
        'failed',
    );
    await page.unroute('**/worker.js*');
    assert.deepEqual(await pieces(page), before);
    assert.equal(await page.inputValue('#text'), SHOWN.text);
    assert.equal((await compared(page)).length, 6);
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

test('the arrow keys move between the heads', async () => {
    const page = await panel();
    await compared(page);
    await page.locator('.heads-compared button[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    assert.match(
        await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
        /^L1·H1: /,
    );
    assert.match(await page.locator('.heads-compared-part .hint').textContent(), /^L1·H1: /);
    await page.keyboard.press('Enter');
    await until(
        () => page.locator('input[name=layer]:checked').getAttribute('value'),
        value => value === '1',
        'the head is shown',
    );
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
