/* Examples and lessons in Chromium: each example draws its text with the head that is worth a look,
 * and sheds what was pinned and masked before; the reader's own texts come back; a pair is changed.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {defaults} from '../../web/state/state.js';
import {pieces, show, shownHeads, useSite, until} from './page.mjs';

const examples = JSON.parse(
    readFileSync(new URL('../../web/lessons/data/examples.json', import.meta.url), 'utf8'),
);
const site = useSite();

const chip = (page, name) =>
    page.locator('.example-chips').getByRole('button', {name, exact: true});
const texts = async page => [await page.inputValue('#text'), await page.inputValue('#textB')];
const address = page => new URLSearchParams(new URL(page.url()).hash.slice(1));

test('each example brings its text, view and head, and nothing of what was changed before', async () => {
    const page = await site.open({hash: '#v=2&model=mini4-en&masked=2&off=0.6&picked=3&top=40'});
    for (const {label, text, textB, state} of examples.filter(({model}) => !model)) {
        await chip(page, label.en).click();
        await until(
            () => texts(page),
            now => now[0] === text && now[1] === textB,
            label.en,
        );
        const now = await until(
            () => address(page),
            link => (link.get('text') ?? defaults.text) === text && !link.has('masked'),
            `${label.en}: its address`,
        );
        assert.equal(now.get('view') ?? 'head', state.view, label.en);
        for (const name of ['off', 'top']) assert.equal(now.get(name), null, name);
        assert.equal(now.get('picked') ?? '', String(state.picked ?? ''), label.en);
        if (state.view === 'head')
            await until(
                () => shownHeads(page),
                heads => String(heads) === String(state.heads),
                `${label.en}: heads`,
            );
    }
    await chip(page, 'it → cat').click();
    await until(
        () => pieces(page),
        now => now[6] === 'it',
        'the token of the picture',
    );
});

test('the Chinese page has examples of its own, which bring their model; one in English brings its own back', async () => {
    const page = await site.open({hash: '#v=2&lang=zh&model=mini2-en'});
    for (const {label, text, state} of examples.filter(({language}) => language === 'zh')) {
        await chip(page, label.zh).click();
        await until(
            () => pieces(page),
            now =>
                now
                    .join('')
                    .replace(/^.CLS./, '')
                    .startsWith(text.slice(0, 5)),
            label.zh,
        );
        await until(
            () => shownHeads(page),
            heads => String(heads) === String(state.heads),
            `${label.zh}: heads`,
        );
        await until(() => address(page).get('model'), 'mini-zh', `${label.zh}: its model`);
    }
    await chip(page, 'it → cat').click();
    await until(
        () => pieces(page),
        now => now[6] === 'it',
        'an English text is read by the model of its example',
    );
    await until(() => address(page).get('model'), 'mini4-en', 'and the address says so');
});

test('own texts come back from the history, which can be cleared; B is removed, A and B change places', async () => {
    const page = await site.open();
    await chip(page, 'it → cat').waitFor();
    assert.equal(await page.getByRole('button', {name: 'Your earlier texts'}).count(), 0);
    await show(page, 'Birds sing.', 'They sing at dawn.');
    await chip(page, 'A negation').click();
    await page.getByRole('button', {name: 'Your earlier texts'}).click();
    const list = page.locator('[data-panel=history] li');
    assert.deepEqual(await list.allTextContents(), ['Birds sing. | They sing at dawn.']);
    await list.getByRole('button').click();
    await until(
        () => texts(page),
        now => now[0] === 'Birds sing.' && now[1] === 'They sing at dawn.',
        'the text of before',
    );
    await page.getByRole('button', {name: 'Swap A and B'}).click();
    await until(
        () => texts(page),
        now => now[0] === 'They sing at dawn.',
        'swapped',
    );
    await page.getByRole('button', {name: 'Remove B'}).click();
    await until(
        () => texts(page),
        now => now[1] === '',
        'no B',
    );
    assert.equal(await page.getByRole('button', {name: 'Remove B'}).count(), 0);
    await page.getByRole('button', {name: 'Your earlier texts'}).click();
    await page.getByRole('button', {name: 'Clear this list'}).click();
    await until(() => page.getByRole('button', {name: 'Your earlier texts'}).count(), 0, 'cleared');
});

test('the list of lessons marks the one that runs, those finished, and goes on where the reader left', async () => {
    const page = await site.open({hash: '#v=2&lang=en'});
    const lessons = page.getByRole('button', {name: 'Lessons', exact: true});
    const row = page.locator('.offer-panel li', {hasText: 'A model that only looks back'});
    const step = () => page.getAttribute('.lesson', 'data-step');
    const isAt = wanted => until(step, wanted, wanted);
    const turn = name => page.locator('.lesson .turn').getByRole('button', {name}).click();
    await lessons.click();
    assert.match(await row.textContent(), /4 min$/);
    await row.getByRole('button').click();
    await isAt('causal.0');
    await turn('Next');
    await isAt('causal.1');
    assert.equal(await lessons.getAttribute('aria-current'), 'true');
    assert.equal(await page.locator('.example-chips [aria-current]').count(), 0);
    await lessons.click();
    assert.equal(await row.getByRole('button').getAttribute('aria-current'), 'true');
    await page.getByRole('button', {name: 'End the lesson', exact: true}).first().click();
    await page.locator('.lesson').waitFor({state: 'detached'});
    assert.equal(await lessons.getAttribute('aria-current'), null);

    await until(() => row.textContent(), /go on at step 2 of 5$/, 'where the reader left');
    await row.getByRole('button').click();
    await isAt('causal.1');
    for (const at of [2, 3, 4]) {
        await turn('Next');
        await isAt(`causal.${at}`);
    }
    await turn('End the lesson');
    await page.locator('.lesson').waitFor({state: 'detached'});
    await lessons.click();
    assert.match(await row.textContent(), /✓ finished$/);
    await row.getByRole('button').click();
    await isAt('causal.0');

    await page.getByRole('button', {name: 'End the lesson', exact: true}).first().click();
    await chip(page, 'it → cat').click();
    await until(
        () => page.locator('.example-chips [aria-current]').allTextContents(),
        now => now.join() === 'it → cat',
        'the example whose text is shown',
    );
});

test('a question hides the lines until a token is pressed; the answer is the model’s own; the score is said', async () => {
    const page = await site.open({hash: '#v=2&lang=en&lesson=attention&step=1'});
    const panel = page.locator('.lesson');
    const drawn = () =>
        page.evaluate(() =>
            [...document.querySelectorAll('.figure canvas')].some(
                canvas => getComputedStyle(canvas).visibility === 'visible',
            ),
        );
    const token = (name, nth = 0) =>
        panel.locator('.pick-tokens').getByRole('button', {name, exact: true}).nth(nth);
    await token('was').waitFor();
    await page.locator('.figure canvas').first().waitFor({state: 'attached'});
    assert.equal(await drawn(), false);
    await token('sad').click();
    await panel.getByText(/sad gets <?0\.\d\d\. Most goes to was: 0\.[6-9]\d\./).waitFor();
    await until(drawn, shown => shown, 'the lines');
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    await token('cat').click();
    await panel.getByText(/Right: cat gets the most, (>0\.99|1\.00|0\.9\d)\./).waitFor();
    await page.goto(`${site.url}#v=2&lang=en&lesson=attention&step=5`);
    await panel.getByText('You predicted 1 of 2 correctly.').waitFor();
    await panel.locator('.seen-number[data-value]').waitFor();
});

test('by scrolling, the step at the top is the one that is shown; symbols light what they stand for', async () => {
    const page = await site.open({hash: '#v=2&lang=en&lesson=inside&step=0'});
    const lit = () => page.evaluate(() => document.documentElement.dataset.lit ?? '');
    await page.locator('.lesson-equation .of-key').hover();
    assert.equal(await lit(), 'key');
    await page.locator('.figure .of-query').first().hover();
    await until(lit, 'query', 'the figure lights the symbol');
    await page.getByRole('button', {name: 'All steps, by scrolling'}).click();
    const list = page.locator('.lesson-scroll');
    await list.evaluate(root => {
        root.scrollTop = root.children[2].offsetTop - root.offsetTop;
    });
    await until(() => page.getAttribute('.lesson', 'data-step'), 'inside.2', 'the third step');
    await until(
        () => address(page),
        now => now.get('zeroed') === '2.7.5,2.7.21',
        'its state',
    );
});

test('by scrolling, the wheel turns the steps wherever it is: over the text, the picture, the margins, the list', async () => {
    const page = await site.open({
        hash: '#v=2&lang=en&lesson=vig1&step=0',
        width: 1440,
        height: 900,
    });
    await page.locator('.lesson .seen-number strong').waitFor();
    await page.getByRole('button', {name: 'All steps, by scrolling'}).click();
    const list = page.locator('.lesson-scroll');
    const {x, y, width} = await page.locator('.figure').first().boundingBox();
    const own = await list.boundingBox();
    for (const [what, left, top] of [
        ['the picture', x + width / 2, y + 200],
        ['its tokens', x + 60, y + 300],
        ['the texts', 150, 130],
        ['the left margin', 4, 500],
        ['the right margin', 1436, 500],
        ['the header', 700, 10],
        ['the list', own.x + 50, own.y + 100],
    ]) {
        await list.evaluate(root => {
            root.scrollTop = 0;
        });
        await page.mouse.move(left, top);
        // the column of texts may have an end of its own
        for (let i = 0; i < 3; i++) await page.mouse.wheel(0, 400);
        await until(
            () => list.evaluate(root => root.scrollTop),
            at => at >= 300,
            what,
        );
        assert.equal(await page.evaluate(() => scrollY), 0, `${what}: the page stays`);
    }
    await until(
        () => page.getAttribute('.lesson', 'data-step'),
        step => step !== 'vig1.0',
        'another step',
    );
});

for (const event of ['pointerdown', 'wheel', 'keydown'])
    test(`on a phone a new step takes the screen to the picture until the reader moves: ${event}`, async () => {
        const page = await site.open({hash: '#v=2&lesson=vig1&step=0', width: 390, height: 844});
        await page.locator('.figure .token').first().waitFor();
        await page.locator('.turn button').last().click();
        await until(
            () => page.getAttribute('.lesson', 'data-step'),
            step => step !== 'vig1.0',
            'another step',
        );
        const taken = await page.evaluate(async name => {
            const drawn = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
            let times = 0;
            await drawn();
            Element.prototype.scrollIntoView = () => times++;
            dispatchEvent(new Event(name));
            for (let i = 0; i < 99; i++) document.body.append(document.createElement('hr'));
            await drawn();
            await drawn();
            return times;
        }, event);
        assert.equal(taken, 0, 'the page has grown, and the reader is where they were');
    });

for (const [width, height] of [
    [1366, 768],
    [1000, 768],
    [390, 844],
])
    test(`how the neuron view is read stands beside an open lesson, both legible: ${width} px`, async () => {
        const page = await site.open({hash: '#v=2&lesson=vig2&step=0', width, height});
        await page.locator('.lesson .seen-number strong').waitFor();
        await page.locator('.tools .help').click();
        /** Is what is seen at the middle of its first line this part of the page? */
        const seen = selector =>
            page
                .locator(selector)
                .first()
                .evaluate(part => {
                    const {left, top, width: wide} = part.getBoundingClientRect();
                    const at = document.elementFromPoint(left + Math.min(60, wide / 2), top + 10);
                    return part.contains(at);
                });
        await page.locator('.how p').first().waitFor();
        await until(() => seen('.how p'), Boolean, 'help');
        await until(() => seen('.lesson h2'), Boolean, 'the lesson');
    });

test('what a step is about is on screen at 1366 × 768: two figures, strips of three queries, an equation in a line', async () => {
    const page = await site.open({hash: '#v=2&lesson=vig1&step=8', width: 1366, height: 768});
    const tops = selector =>
        page
            .locator(selector)
            .evaluateAll(list => list.map(one => Math.round(one.getBoundingClientRect().top)));
    await page.locator('.two .compared .token[aria-pressed=true]').first().waitFor();
    const columns = await tops('.two .column.query');
    assert.equal(columns[0], columns[1]);
    assert.ok(columns[0] < 260, `${columns}`);
    await page.goto(`${site.url}#v=2&lesson=vig2&step=4`);
    await page.locator('.several .cells').nth(2).waitFor();
    assert.ok((await tops('.several .cells'))[0] < 480);
    await page.goto(`${site.url}#v=2&lesson=vector&step=3`);
    await page.locator('.equation .matrix').nth(2).waitFor();
    const [q, , s] = await tops('.equation .row-named');
    assert.equal(q, s, 'Q × Kᵀ = S in one line');
});

test('a step of a sieve begins with its role; a head named in its text opens its card', async () => {
    const page = await site.open({hash: '#v=2&lang=en&lesson=heads&step=1'});
    await page.locator('.sieve-roles [data-role=cls][aria-pressed=true]').waitFor();
    await page.getByRole('button', {name: 'Back', exact: true}).first().click();
    await page.locator('.sieve-roles [data-role=local][aria-pressed=true]').waitFor();
    await page.locator('.sieve-tokens button').nth(4).hover();
    await page.locator('.sieve-tokens .asks').nth(0).waitFor();
    assert.equal(await page.locator('.sieve-tokens .inside').count(), 5, 'two to either side');
    const T = await page.locator('.sieve-tokens button').count();
    for (const role of ['delimiter', 'cls', 'sep', 'block', 'local']) {
        const pill = page.locator(`.sieve-roles [data-role=${role}]`);
        await pill.click();
        await page.locator(`.sieve-roles [data-role=${role}][aria-pressed=true]`).waitFor();
        const framed = await page.locator('.sieve-tokens .inside').count();
        const says = await page.locator('.sieve-says').textContent();
        const share = new RegExp(
            `: the framed ${framed} of ${T} tokens get \\d+ % of its attention in L0·H6; `,
        );
        assert.match(says, share, role);
        assert.ok(says.includes(` ${Math.round((100 * framed) / T)} %. Score: `), says);
    }
    const row = i => page.locator(`.figure .column.query .token:nth-of-type(${i + 1})`);
    await page.locator('.sieve-tokens button').nth(4).click();
    await page.locator('.figure .token[data-side=query][aria-pressed=true]').waitFor();
    await row(9).click();
    await page.locator('.sieve-tokens button:nth-of-type(10).asks').waitFor();
    const scores = await page.locator('.sieve-roles [data-value]').count();
    assert.ok(scores >= 4, `${scores} roles have a score`);
    await page.goto(`${site.url}#v=2&lang=en&lesson=vig2&step=2`);
    const names = page.locator('.lesson .said-head .head-name');
    await until(
        () => names.allTextContents(),
        now => String(now) === 'L0·H3',
        'the article’s L0·H0 is no head of this model',
    );
    await names.first().click();
    assert.equal(await page.locator('.head-card').getAttribute('aria-label'), 'About L0·H3');
});

test('a link to a step begins it again once it has begun; one that says more shows what it says', async () => {
    const link = '#v=2&lesson=attention&step=0';
    const page = await site.open({hash: link, width: 1400});
    const value = () =>
        page.evaluate(
            () => document.querySelector('[data-step="attention.0"] .seen-number')?.dataset.value,
        );
    const follow = hash =>
        page.evaluate(to => {
            location.hash = to;
        }, hash);
    await until(value, Boolean, 'the number of the step');
    await until(
        () => address(page),
        now => now.has('text'),
        'the address says what the step has set',
    );
    const begun = await texts(page);
    await follow(link);
    await until(
        () => texts(page),
        now => String(now) === String(begun),
        'its text again',
    );
    await until(value, Boolean, 'its number again');
    await follow(`${link}&text=Birds%20sing.&textB=`);
    await until(
        () => texts(page),
        ([text]) => text === 'Birds sing.',
        'the text of the link',
    );
    await page.waitForFunction(
        () => document.querySelectorAll('.column.query .token').length === 5,
    );
});

test('Next keeps its place from step to step', async () => {
    const page = await site.open({hash: '#v=4&lesson=patterns'});
    const next = page.locator('.tour .turn').getByRole('button', {name: 'Next', exact: true});
    const place = () => next.evaluate(one => [one.offsetLeft, one.offsetTop].join());
    await next.waitFor();
    const before = await place();
    for (const step of [2, 3, 4, 5]) {
        await next.click();
        await page.locator(`.lesson[data-step$=".${step - 1}"]`).waitFor();
        assert.equal(await place(), before, `step ${step}`);
    }
});
