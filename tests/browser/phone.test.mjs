/* The page on a phone, 390 and 320 px wide, touched with a finger: where the pictures begin, that
 * nothing is wider than the window, how large what is touched is, and that the text opens and shuts. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {useSite, until} from './page.mjs';

const MOST = 310; // px above the picture, of 823
const FIRST = 396; // with the greeting of a first visit: still within the first half
const LEAST = 40; // px: what a finger hits
const PHONE = {width: 390, height: 823, hasTouch: true, isMobile: true};
const PICTURES = {
    head: '.columns',
    heatmap: '.map-frame',
    model: 'canvas',
    neuron: '.rows',
    steps: '.vector',
    find: '.flow',
    change: '.flow',
};

const site = useSite();

const widerThan = page =>
    page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );

/** Follows a link within the page, to a view. */
async function follow(page, fields) {
    await page.goto(`${site.url}#v=2&model=mini-en&${fields}`);
    const view = /view=(\w+)/.exec(fields)[1];
    await page.locator(`.tabs [value=${view}]:checked`).waitFor({state: 'attached'});
    await page.locator(`.figure .${view}-view`).first().waitFor();
    const [, step] = /step=(\d)/.exec(fields) ?? [];
    const now = page.locator('.stepper [aria-current=step]');
    if (step) await now.filter({hasText: String(Number(step) + 1)}).waitFor();
}

/** What can be pressed above the picture and is less high than a finger needs: what a press beside
 * the drawn key hits counts as well. */
const small = page =>
    page.evaluate(least => {
        const bottom = document.querySelector('.figure').getBoundingClientRect().top;
        const list = [...document.querySelectorAll('button, select, summary, .pick, textarea')];
        return list.flatMap(element => {
            const {top, height, width, left} = element.getBoundingClientRect();
            if (!height || top >= bottom || !element.checkVisibility()) return []; // of a closed menu
            const after = getComputedStyle(element, '::after');
            const more = after.position === 'absolute' ? -2 * parseFloat(after.top) : 0;
            const {innerText, className} = element;
            return height + more >= least
                ? []
                : [`${className} ${innerText} ${height} ${width} ${left}`];
        });
    }, LEAST);

test(`each view: the picture begins within ${MOST} px of a phone; nothing is wider than it`, async () => {
    const page = await site.open(PHONE);
    for (const [view, selector] of Object.entries(PICTURES)) {
        await page.setViewportSize(PHONE);
        await follow(page, `view=${view}`);
        const place = page.locator(`.figure :is(${selector})`).first();
        await place.waitFor();
        await page.locator('.example-chips').waitFor();
        const {y} = await until(() => place.boundingBox(), Boolean, `the picture of ${view}`);
        assert.ok(y > 40 && y <= MOST, `${view}: ${y} px`);
        assert.equal(await widerThan(page), 0);
        assert.deepEqual(await small(page), []);
        await page.setViewportSize({width: 320, height: 640});
        await until(() => widerThan(page), 0, 'nothing is wider than 320 px');
    }
});

test('next words: the first three of the list are in sight, the sliders below it', async () => {
    const page = await site.open({
        ...{...PHONE, hash: '#v=2&model=mini-gpt-en&view=next&text=The%20teacher%20read&textB='},
    });
    const box = place => until(() => page.locator(place).first().boundingBox(), Boolean, place);
    const third = await box('.next-words li:nth-child(3)');
    assert.ok(third.y + third.height < PHONE.height, `${third.y} px`);
    const [last, sliders] = [await box('.next-words li:last-child'), await box('.next-sliders')];
    assert.ok(sliders.y > last.y + last.height);
});

/** The rows in which what can be pressed stands above the picture, below the page's own row. */
const rowsAbove = page =>
    page.evaluate(() => {
        const top = document.querySelector('.top .modes').getBoundingClientRect().bottom;
        const bottom = document.querySelector('.figure').getBoundingClientRect().top;
        const controls = 'button:not(p *), select, summary, .pick, textarea';
        const middles = [...document.querySelectorAll(controls)]
            .filter(element => element.checkVisibility())
            .map(element => element.getBoundingClientRect())
            .filter(({top: from, bottom: to, height}) => height && from >= top && to <= bottom)
            .map(({top: from, height}) => from + height / 2)
            .sort((a, b) => a - b);
        return middles.filter((y, i) => !i || y - middles[i - 1] > 15).length; // half a row
    });

test('five rows of controls at most stand above the picture; who follows a link begins at the top', async () => {
    for (const hash of ['', '#v=2&model=mini2-en', '#v=2&model=mini2-en&view=neuron&token=3']) {
        const page = await site.open({hash, ...PHONE});
        await page.locator('.example-chips').waitFor();
        const rows = await rowsAbove(page);
        assert.ok(rows >= 4 && rows <= 5, `${hash}: ${rows} rows`);
        assert.equal(await page.evaluate(() => scrollY), 0, hash);
        if (hash && !hash.includes('neuron')) {
            await page.getByRole('button', {name: 'Only one'}).tap();
            const chips = page.locator('.chip[aria-pressed="true"]');
            await until(() => chips.count(), 1, 'one head');
        }
        await page.context().close();
    }
});

test('a first visit by phone: the greeting is a line, and the picture begins as high', async () => {
    const page = await site.open({hash: '', ...PHONE});
    await page.locator('.example-chips').waitFor();
    assert.equal(await page.locator('h1').isVisible(), true);
    const {y} = await page.locator('.columns').boundingBox();
    assert.ok(y <= FIRST, `${y} px`);
});

test('the text opens when it is touched, and shuts when it is sent', async () => {
    const page = await site.open(PHONE);
    const send = page.getByRole('button', {name: 'Show', exact: true});
    assert.equal(await send.isVisible(), false);
    const shut = (await page.locator('.texts').boundingBox()).height;
    await page.locator('#textB').tap();
    await send.waitFor();
    await page.locator('#textB').fill('She was here.');
    await page.locator('#text').fill('The cat sat on the mat because it was tired.');
    await send.tap();
    await send.waitFor({state: 'hidden'});
    assert.equal((await page.locator('.texts').boundingBox()).height, shut);
    await page.locator('.token', {hasText: 'tired'}).first().waitFor();
    await page.locator('#text').tap();
    await page.keyboard.press('Enter');
    await send.waitFor({state: 'hidden'});
});

test('a tap beside the text, which shuts it and moves all below, reaches what was tapped', async () => {
    const page = await site.open(PHONE);
    const form = page.locator('.texts');
    const shut = (await form.boundingBox()).height;
    const token = page.locator('.token[data-side="query"]').nth(3);
    for (let round = 0; round < 2; round++) {
        const box = page.locator('#text');
        await until(
            async () => {
                await box.tap();
                return box.evaluate(({enterKeyHint}) => enterKeyHint);
            },
            'go',
            'given_text.js, which is fetched after the picture, listens',
        );
        await until(
            async () => (await form.boundingBox()).height,
            height => height > shut,
            'open',
        );
        await page.evaluate(() => {
            window.reached = '';
            addEventListener('click', ({target}) => (window.reached = target.className), {
                once: true,
            });
        });
        const {x, y, height} = await token.boundingBox();
        await page.touchscreen.tap(x + 8, y + height / 2);
        const reached = await until(() => page.evaluate(() => window.reached), Boolean, 'a click');
        assert.match(reached, /^token/);
        await until(
            async () => (await form.boundingBox()).height,
            height => height === shut,
            'shut',
        );
    }
});

test('what is typed is shown by a tap elsewhere, not left above the picture of another text', async () => {
    const page = await site.open(PHONE);
    await page.locator('#text').tap();
    await page.locator('#text').fill('Dogs bark.');
    await page.locator('#textB').tap(); // within the form: still a draft
    assert.doesNotMatch(page.url(), /Dogs/);
    await page.locator('.columns').tap({position: {x: 5, y: 5}});
    await until(
        () => page.locator('.token').allTextContents(),
        tokens => tokens.join(' ').includes('dogs'),
        'the text of the box',
    );
});

test('language and appearance are in a menu that names another language', async () => {
    const page = await site.open(PHONE);
    const menu = page.locator('.settings .menu');
    await menu.locator('summary').tap();
    const choose = async name => {
        await menu.locator('.pick', {hasText: name}).locator('input').tap();
        await menu.locator('.sheet').waitFor({state: 'hidden'});
    };
    await choose('中文');
    await until(
        () => page.evaluate(() => document.documentElement.lang),
        lang => lang.startsWith('zh'),
        'Chinese',
    );
    await menu.locator('summary').tap();
    assert.equal(await menu.getByText('外观', {exact: true}).isVisible(), true);
    await choose('深色');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    assert.match(await menu.locator('summary').textContent(), /English/);
});

/** Which of `places` are not whole in the window: text and box. */
const notInWindow = places =>
    places.evaluateAll(all =>
        all.flatMap(one => {
            const {left, top, right, bottom, width} = one.getBoundingClientRect();
            const isIn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
            return isIn && width > 0 ? [] : [`${one.innerText}: ${left} ${top} ${right} ${bottom}`];
        }),
    );

/** In how many rows they stand. */
const rowsOf = places =>
    places.evaluateAll(all => new Set(all.map(one => one.getBoundingClientRect().top)).size);

/** Those whose centre something else lies on. */
const covered = places =>
    places.evaluateAll(all =>
        all
            .filter(one => {
                one.scrollIntoView({block: 'center'});
                const {left, top, width, height} = one.getBoundingClientRect();
                const hit = document.elementFromPoint(left + width / 2, top + height / 2);
                return !one.contains(hit);
            })
            .map(one => one.textContent),
    );

for (const [width, locale] of [
    [390, 'en-GB'],
    [320, 'en-GB'],
    [320, 'zh-CN'],
])
    test(`all views, in two rows, and all heads of a layer are in sight: ${width}, ${locale}`, async () => {
        for (const view of ['head', 'neuron', 'steps']) {
            const hash = `#v=2&view=${view}&model=mini2-en`;
            const page = await site.open({hash, ...PHONE, width, locale});
            const tabs = page.locator('.tabs .pick');
            assert.equal(await tabs.count(), 10);
            assert.deepEqual(await notInWindow(tabs), []);
            const fewest = locale === 'zh-CN' ? 1 : 2; // one row, where the machine has no Chinese letters
            const rows = await rowsOf(tabs);
            assert.ok(rows >= fewest && rows <= 2, `${rows} rows`);
            const chips = page.locator('.heads .chip');
            assert.equal(await chips.count(), 12);
            assert.deepEqual(await notInWindow(page.locator('.heads button')), []);
            if (view === 'neuron' && width === 390) assert.equal(await rowsOf(chips), 1);
            assert.deepEqual(await covered(page.locator('.space .pick, .heads button')), []);
            await page.context().close();
        }
    });

const MENUS = ['.settings .menu', '.more-models', '.side-by-side', '.export'];
for (const [width, height, locale] of [
    [390, 823, 'en-GB'],
    [320, 640, 'zh-CN'],
])
    test(`every menu of every view opens within the window, and does not widen it: ${width}, ${locale}`, async () => {
        const page = await site.open({...PHONE, width, height, locale});
        await page.locator('.column.query .token').nth(3).tap();
        await page.locator('.panel').waitFor(); // the sheet of its numbers is up
        for (const [view, selector] of Object.entries(PICTURES)) {
            await page.locator(`.tabs [name=view][value=${view}]`).tap();
            await page.locator(`.figure :is(${selector})`).first().waitFor();
            for (const name of MENUS) {
                const what = `${name}, ${view}`;
                const sheet = page.locator(`${name} > .sheet`);
                await page.locator(`${name} > summary`).tap();
                await until(
                    () => notInWindow(sheet),
                    outside => outside.length === 0,
                    what,
                );
                assert.equal(await widerThan(page), 0, what);
                await page.keyboard.press('Escape');
                await sheet.waitFor({state: 'hidden'});
            }
        }
    });

test('a sentence B can be written where there is none', async () => {
    const page = await site.open({hash: '#v=2&text=The%20cat%20sat.&textB=', ...PHONE});
    const box = page.locator('#textB');
    assert.deepEqual(await notInWindow(box), []);
    await box.tap();
    await page.getByRole('button', {name: 'Show', exact: true}).waitFor();
});

test('the row of steps names the one that is shown, whole', async () => {
    for (const width of [390, 320]) {
        const page = await site.open({hash: '#v=2&view=steps&step=5', ...PHONE, width});
        const name = page.locator('.stepper [aria-current=step]');
        await name.waitFor();
        assert.match(await name.innerText(), /^6 /);
        assert.deepEqual(await notInWindow(page.locator('.stepper .toggle:visible')), []);
        assert.equal(await name.evaluate(one => one.scrollWidth - one.clientWidth), 0);
        await page.context().close();
    }
});

test('help speaks of taps', async () => {
    const page = await site.open(PHONE);
    await page.getByRole('button', {name: 'How to read this picture'}).tap();
    const how = page.locator('.how').first();
    await until(() => how.textContent(), /Press a token/, 'the words for a finger');
    assert.doesNotMatch(await how.textContent(), /click|point at/i);
});

/** px by which the rows of a figure reach beyond it. */
const beyond = page =>
    page.evaluate(() => {
        const {right} = document.querySelector('.figure').getBoundingClientRect();
        return Math.max(
            ...[...document.querySelectorAll('.rows-head > div, .rows-body > div')].map(
                element => element.getBoundingClientRect().right - right,
            ),
        );
    });

/** Numbers of a column that are wider than it, and so lack a digit. */
const cutNumbers = page =>
    page.locator('.figures > div').evaluateAll(places =>
        places.flatMap(place => {
            const range = document.createRange();
            range.selectNodeContents(place);
            const {width} = range.getBoundingClientRect();
            return width <= place.clientWidth + 0.5
                ? []
                : [`${place.textContent}: ${width} of ${place.clientWidth} px`];
        }),
    );

test('columns of numbers are within the window: steps 3 to 6, and the neuron view, whose cells have room', async () => {
    for (const width of [390, 320]) {
        const page = await site.open({...PHONE, width});
        for (const hash of ['steps&step=2', 'steps&step=4', 'steps&step=5', 'neuron']) {
            await follow(page, `view=${hash}`);
            await page.locator('.rows-body').first().waitFor();
            assert.ok((await beyond(page)) < 1, `${hash} at ${width} px: ${await beyond(page)}`);
            assert.equal(await widerThan(page), 0, `${hash} at ${width} px`);
            assert.deepEqual(await cutNumbers(page), [], `${hash} at ${width} px`);
            const {width: cells} = await page
                .locator('.rows-body .cells')
                .first()
                .boundingBox({timeout: 1000})
                .catch(() => ({width: Infinity}));
            if (hash === 'neuron') assert.ok(cells >= (width === 390 ? 148 : 100), `${cells} px`);
        }
        await page.context().close();
    }
});

test('the name of the model is not cut at 390 px', async () => {
    const page = await site.open(PHONE);
    const {room, name} = await page.locator('#model').evaluate(select => {
        const {font, paddingLeft} = getComputedStyle(select);
        const context = document.createElement('canvas').getContext('2d');
        context.font = font;
        return {
            room: select.clientWidth - 2 * parseFloat(paddingLeft) - 20, // its arrow
            name: context.measureText(select.selectedOptions[0].text).width,
        };
    });
    assert.ok(name > 40 && name <= room, `${name} of ${room} px`);
});

test('in the map of heads the name of the chosen one stays within the map', async () => {
    const page = await site.open({hash: '#v=2&view=find', ...PHONE, width: 320});
    const plot = page.locator('.plot').first();
    await plot.waitFor();
    await plot.locator('svg').focus();
    const names = new Set();
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
        for (let i = 0; i < 8; i++) {
            await page.keyboard.press(key);
            const tag = plot.locator('.tag');
            const [box, place] = [await plot.boundingBox(), await tag.boundingBox()];
            const name = await tag.textContent();
            assert.ok(place.x >= box.x - 1, `${name} begins in the map`);
            assert.ok(place.x + place.width <= box.x + box.width + 1, `${name} ends in the map`);
            names.add(name);
        }
    assert.ok(names.size > 5, [...names].join());
});

test('a word that a column has no room for ends in …, not in half a letter', async () => {
    const page = await site.open({
        hash: '#v=2&model=mini-en&heads=3&text=Misunderstandings%20of%20representatives&textB=',
        ...PHONE,
    });
    const cut = await page.locator('.column .token .piece').evaluateAll(pieces =>
        pieces
            .filter(piece => piece.scrollWidth > piece.clientWidth)
            .map(piece => {
                const {display, textOverflow} = getComputedStyle(piece);
                return `${piece.textContent} ${display} ${textOverflow}`;
            }),
    );
    // on a grid or a flex box text-overflow does nothing
    assert.ok(cut.length > 0 && cut.every(one => one.endsWith(' block ellipsis')), cut.join(', '));
});

test('help is a sheet in the window with a way out; the numbers of a token come in its place', async () => {
    const page = await site.open(PHONE);
    const help = page.getByRole('button', {name: 'How to read this picture'});
    const how = page.locator('.how:not(.hint)');
    await help.tap();
    await how.waitFor();
    const {y, height, width} = await how.boundingBox();
    assert.ok(y > 300 && Math.abs(y + height - PHONE.height) < 1, `${y} ${height}`);
    await page.locator('.token').nth(4).tap();
    await page.locator('.panel').waitFor();
    await how.waitFor({state: 'hidden'});
    const panel = await page.locator('.panel').boundingBox();
    assert.ok(Math.abs(panel.y + panel.height - PHONE.height) < 1, JSON.stringify(panel));
    await page.locator('.panel .close').tap();
    await how.waitFor();
    // asked for while numbers have its place, it takes that: whether it was open behind them or not
    await page.locator('.token').nth(2).tap();
    await how.waitFor({state: 'hidden'});
    await help.tap();
    await how.waitFor();
    assert.equal(await page.locator('.panel').count(), 0);
    await help.tap();
    await how.waitFor({state: 'detached'});
    await page.locator('.token').nth(6).tap();
    await page.locator('.panel').waitFor();
    await help.tap();
    await how.waitFor();
    assert.equal(await page.locator('.panel').count(), 0);
    await page.touchscreen.tap(width - 28, y + 26); // the × of the sheet
    await how.waitFor({state: 'detached'});
    assert.equal(await help.getAttribute('aria-expanded'), 'false');
});

test('help opens no gap in the page; its end can be scrolled above the sheet', async () => {
    const page = await site.open(PHONE);
    const gap = () =>
        page.evaluate(() => {
            const [row, next] = ['.tools', '.example-chips'].map(one =>
                document.querySelector(one).getBoundingClientRect(),
            );
            return next.top - row.bottom;
        });
    await page.locator('.example-chips').waitFor();
    const before = await gap();
    await page.getByRole('button', {name: 'How to read this picture'}).tap();
    const how = page.locator('.how:not(.hint)');
    await how.waitFor();
    assert.equal(await gap(), before);
    const end = await page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        return document.querySelector('footer').getBoundingClientRect().bottom;
    });
    const {y} = await how.boundingBox();
    assert.ok(end <= y, `${end} ${y}`);
});

test('the way to many sentences names the head that is open in the model view', async () => {
    const page = await site.open({hash: '#v=2&view=model&layer=1&heads=7&opened=1.0', ...PHONE});
    const way = page.locator('.over-corpus button').first();
    await way.waitFor();
    assert.equal(await way.textContent(), 'What L1·H0 does over many sentences');
});

test('the dialog of models has a × at its top, and a tap beside it closes it', async () => {
    const page = await site.open(PHONE);
    const box = page.locator('.load-box');
    const ask = async () => {
        await page.locator('.more-models summary').tap();
        await page.getByRole('button', {name: 'Another model…'}).tap();
        await box.waitFor();
    };
    await ask();
    const {y} = await box.boundingBox();
    const close = await box.locator('> .x').boundingBox();
    assert.ok(close.y - y < 40 && close.width >= LEAST, JSON.stringify(close));
    await box.locator('> .x').tap();
    await box.waitFor({state: 'detached'});
    await ask();
    await page.touchscreen.tap(4, 4);
    await box.waitFor({state: 'detached'});
});

test('the dialogs of sharing and of precision have a × at their top, which closes them', async () => {
    const page = await site.open(PHONE);
    const closes = async dialog => {
        await dialog.waitFor();
        const x = dialog.locator('> .x');
        const [{y: top}, {y, width}] = [await dialog.boundingBox(), await x.boundingBox()];
        assert.ok(y - top < 40 && width >= LEAST, `${y} ${top} ${width}`);
        await x.tap();
        await dialog.waitFor({state: 'hidden'});
    };
    await page.getByRole('button', {name: 'Precision: fast'}).tap();
    await closes(page.locator('dialog.precision'));
    await page.locator('details.export summary').first().tap();
    await page.getByRole('button', {name: 'Share…'}).tap();
    await closes(page.locator('.share-dialog'));
});

test('the table of the numbers scrolls in itself', async () => {
    const page = await site.open({hash: '#v=2&view=heatmap', ...PHONE});
    await page.locator('.numbers summary').tap();
    const table = page.locator('.numbers .scroll');
    await table.waitFor();
    const {x, width} = await table.boundingBox();
    assert.ok(x + width <= PHONE.width, `${x} ${width}`);
    assert.equal(await table.evaluate(one => one.scrollWidth > one.clientWidth), true);
});

test('from a pattern to many sentences: the answer is in the window, and asked again it is of the model of now', async () => {
    const page = await site.open({hash: '#v=2&view=find&model=mini-en&ask=previous', ...PHONE});
    const says = page.locator('.study-says');
    const answered = async model => {
        await page.getByRole('button', {name: 'Does it hold over many sentences?'}).tap();
        const of = page.locator('.study-results > .hint').first();
        await until(
            async () => ((await of.count()) ? of.textContent() : ''),
            text => model.test(text),
            `the results of ${model}`,
        );
        await until(
            async () => (await says.boundingBox())?.y,
            y => y > 0 && y < PHONE.height,
            'the answer is in the window',
        );
    };
    await answered(/, mini-en, English;/);
    await page.getByRole('radio', {name: 'Text', exact: true}).tap();
    await page.locator('#model').selectOption('mini-en-sst2');
    await page.locator('.find-answer').waitFor();
    await answered(/film reviews/);
});

/** What of a box is selected: all, where the caret is, or some. */
const marked = page =>
    page.evaluate(() => {
        const {value, selectionStart: from, selectionEnd: to} = document.activeElement;
        if (from === to) return 'caret';
        return from === 0 && to === value.length ? 'all' : 'some';
    });

for (const finger of [true, false])
    test(`a ${finger ? 'tap' : 'press'} that enters a box selects a text that the reader did not type`, async () => {
        const page = await site.open(finger ? PHONE : {});
        await page.locator('.example-chips').waitFor();
        const press = place => (finger ? place.tap() : place.click());
        const [a, b] = [page.locator('#text'), page.locator('#textB')];
        // elsewhere: two taps at one place, soon after each other, mark a word
        const leave = () => press(page.locator('.brand'));
        await press(a);
        assert.equal(await marked(page), 'all', 'the first text');
        assert.equal(await a.evaluate(box => box.enterKeyHint), 'go');
        await press(a);
        assert.notEqual(await marked(page), 'all', 'the next press');
        await leave();
        await press(a);
        await page.keyboard.type('She read it.');
        await press(b);
        assert.equal(await marked(page), 'all', 'the other box');
        await press(a);
        assert.equal(await marked(page), 'caret', 'typed, not shown yet');
        await page.keyboard.press('Enter');
        await page.locator('.token', {hasText: 'read'}).first().waitFor();
        await leave();
        await press(a);
        assert.equal(await marked(page), 'caret', 'typed and shown');
        await leave();
        await press(page.locator('.example-chips button').nth(1));
        await until(() => a.inputValue(), /cat/, 'the example');
        await press(a);
        assert.equal(await marked(page), 'all', 'an example');
        await page.keyboard.press('End');
        await page.keyboard.type(' Really.');
        await leave();
        await press(a);
        assert.equal(await marked(page), 'caret', 'an example that the reader has edited');
    });

test('a token that is tapped is brought above the sheet of its numbers', async () => {
    const page = await site.open(PHONE);
    const token = page.locator('.column.query .token').nth(14);
    await token.tap();
    const sheet = page.locator('.panel');
    await sheet.waitFor();
    const {y: top} = await sheet.boundingBox();
    await until(
        async () => {
            const {y, height} = await token.boundingBox();
            return y + height;
        },
        bottom => bottom > 0 && bottom <= top,
        `the token above ${top} px`,
    );
});

test('the table of a head’s roles is within the window, and the answer at its top for who was led there', async () => {
    const hash = '#v=2&model=mini-en&layer=1&heads=2&opened=1.2';
    const page = await site.open({hash, ...PHONE});
    await page.locator('.over-corpus button').first().waitFor();
    await page.evaluate(() => {
        location.hash += '&desk=corpus&study=roles';
    });
    const table = page.locator('.role-table');
    await table.waitFor();
    await until(
        async () => (await page.locator('.study-says').boundingBox()).y,
        y => y >= 0 && y < 40,
        'the answer at the top of the window',
    );
    for (const width of [390, 320]) {
        await page.setViewportSize({width, height: 640});
        await until(
            () => table.evaluate(box => box.scrollWidth - box.clientWidth),
            over => over <= 0,
            `nothing of the table is beyond ${width} px`,
        );
    }
});

test('what has been copied is said in sight, at the lower edge of the window', async () => {
    const page = await site.open(PHONE);
    await page.locator('.share button').tap();
    const said = page.locator('.share .said:not(:empty)');
    await said.waitFor();
    const {y, height} = await said.boundingBox();
    assert.ok(y > 700 && y + height <= PHONE.height, `${y} ${height}`);
});

test('what has been saved is said there as well; before, nothing stands there', async () => {
    const page = await site.open(PHONE);
    await page.locator('details.export summary').first().tap();
    const said = page.locator('.export .sheet .said');
    await said.waitFor({state: 'attached'});
    assert.notEqual(await said.evaluate(place => getComputedStyle(place).position), 'fixed');
    const sheet = await page.locator('.export .sheet').boundingBox();
    assert.ok(sheet.height < PHONE.height / 2, `what is needed less is folded: ${sheet.height}`);
    await page.locator('.export .sheet li .plain').first().tap();
    await until(
        () => said.evaluate(place => [place.textContent, getComputedStyle(place).position]),
        ([text, position]) => /png/.test(text) && position === 'fixed',
        'the name of the file',
    );
});

test('the sheet of a token names the head with its layer, and keeps its title when it is pushed up', async () => {
    const page = await site.open({hash: '#v=2&layer=1&heads=3', ...PHONE});
    await page.locator('.column.query .token').nth(2).tap();
    const sheet = page.locator('.panel');
    await sheet.waitFor();
    assert.match(await sheet.textContent(), /Weight in head L1·H3/);
    await sheet.evaluate(box => box.scrollTo(0, box.scrollHeight));
    const [{y: top}, {y: title}] = [
        await sheet.boundingBox(),
        await sheet.locator('h2').boundingBox(),
    ];
    assert.ok(title >= top && title < top + 20, `${title} ${top}`);
});

test('the label probe by phone: trained, within the window; a first tap on a head says its numbers, a second opens it', async () => {
    const hash = '#v=2&desk=corpus&model=mini-en&study=labels&corpus=pairs';
    const page = await site.open({hash, ready: false, ...PHONE});
    const says = page.locator('.study-says');
    await says.waitFor();
    const [, right, common] =
        /^Accuracy ([\d.]+) % on 114 items; always the most common label: ([\d.]+) %/.exec(
            await says.textContent(),
        );
    assert.ok(Number(right) > Number(common) + 20, `${right} ${common}`);
    assert.equal(await page.locator('.study-table').first().locator('tbody tr').count(), 3);
    for (const width of [320, 390]) {
        await page.setViewportSize({width, height: PHONE.height});
        await until(() => widerThan(page), 0, `nothing is wider than ${width} px`);
    }
    const said = page.locator('.hm-say');
    assert.match(await said.textContent(), /^Press a head/);
    const head = page.locator('.hm-cell').nth(5);
    await head.tap();
    await until(() => said.textContent(), /^L0·H5: size \d/, 'its numbers');
    assert.equal(await says.isVisible(), true, 'and no other page');
    await head.tap();
    await page.locator('.token', {hasText: 'tired'}).first().waitFor();
});

test('all heads of a layer are in the maps of a study, and what is tapped in the map of pairs is said', async () => {
    const page = await site.open({
        hash: '#v=2&desk=corpus&model=mini2-en&study=roles',
        ready: false,
        ...PHONE,
    });
    await page.locator('.role-cell').first().waitFor();
    assert.deepEqual(
        await page
            .locator('.hm-scroll')
            .evaluateAll(all =>
                all
                    .map(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)
                    .filter(more => more > 0),
            ),
        [],
    );
    await page.check('.study-list input[value="distances"]');
    await page.locator('.run-row .main').tap();
    const heat = page.locator('.heat-box');
    await heat.waitFor();
    await heat.tap({position: {x: 40, y: 80}});
    await until(
        () => page.locator('.heat .hm-say').textContent(),
        /^L\d·H\d+ and L\d·H\d+: /,
        'the pair',
    );
});

/** What the keyboard would go to. */
const focused = page =>
    page.evaluate(() => {
        const {ariaLabel, textContent} = document.activeElement;
        return (ariaLabel ?? textContent).trim();
    });

test('above two figures Unmask is hit wherever it is pressed, not what plays below it', async () => {
    const page = await site.open({
        hash: '#v=2&model=mini2-en&masked=3&layer=5&heads=1&beside=heads:2',
        ...PHONE,
    });
    const unmask = page.locator('.beside').getByRole('button', {name: 'Unmask'}).first();
    await unmask.waitFor();
    const hit = await unmask.evaluate(button => {
        button.scrollIntoView({block: 'center'});
        const {left, width, top, height} = button.getBoundingClientRect();
        return [0.1, 0.5, 0.9].map(
            part => document.elementFromPoint(left + width / 2, top + part * height) === button,
        );
    });
    assert.deepEqual(hit, [true, true, true]);
});

test('help closes with Escape and with a tap on nothing; each gives the focus back, or leaves what is behind alone', async () => {
    const page = await site.open(PHONE);
    const help = page.getByRole('button', {name: 'How to read this picture'});
    const how = page.locator('.how:not(.hint)');
    await page.locator('.settings .menu').waitFor();
    await help.tap();
    await how.waitFor();
    await page.keyboard.press('Escape');
    await how.waitFor({state: 'detached'});
    assert.equal(await focused(page), 'How to read this picture');
    await help.tap();
    await how.waitFor();
    await page.locator('.how p').first().tap();
    assert.equal(await how.isVisible(), true, 'a tap on its words is none');
    await page.locator('.brand').tap();
    await how.waitFor({state: 'detached'});
});

test('each dialog closes with Escape, × and a tap beside it, which reaches nothing behind; the focus returns', async () => {
    const page = await site.open(PHONE);
    const inMenu = (menu, name) => async () => {
        const place = page.locator(menu);
        if (!(await place.evaluate(one => one.open))) await place.locator('> summary').tap();
        await place.getByRole('button', {name}).tap();
    };
    const precision = page.getByRole('button', {name: 'Precision: fast'});
    for (const [back, open] of [
        [/^Precision: fast/, () => precision.tap()],
        [/^Share…/, inMenu('details.export', 'Share…')],
        [/^Add a model/, inMenu('.more-models', 'Another model…')],
        [/^Load attention/, inMenu('.more-models', /Load attention/)],
    ])
        for (const way of ['Escape', '×', 'beside']) {
            await open();
            const dialog = page.locator('dialog[open]');
            await dialog.waitFor();
            if (way === 'Escape') await page.keyboard.press('Escape');
            else if (way === '×') await dialog.locator('> .x').tap();
            else await page.touchscreen.tap(PHONE.width / 2, 4); // above it; the header is behind
            await dialog.waitFor({state: 'detached'});
            assert.match(await focused(page), back, way);
            assert.equal(await page.locator('.modes input').first().isChecked(), true, way);
        }
});

test('the back gesture closes what is open, one thing at a time, where the browser tells of it', async () => {
    const page = await site.open({...PHONE, blank: true});
    // as a browser does that has the gesture: the last watcher made hears of it
    await page.addInitScript(() => {
        globalThis.watchers = [];
        globalThis.CloseWatcher = class {
            constructor() {
                globalThis.watchers.push(this);
            }
            destroy() {
                globalThis.watchers = globalThis.watchers.filter(one => one !== this);
            }
        };
    });
    await page.goto(`${site.url}#v=2&model=mini-en`);
    await page.locator('.below').waitFor({state: 'attached'});
    const watchers = async count =>
        until(() => page.evaluate(() => globalThis.watchers.length), count, `${count} watch`);
    const back = () => page.evaluate(() => globalThis.watchers.pop().onclose());
    await watchers(0);
    await page.getByRole('button', {name: 'How to read this picture'}).tap();
    await watchers(1);
    await page.locator('.more-models > summary').tap();
    await page.locator('.more-models > .sheet').waitFor();
    await back();
    await page.locator('.more-models > .sheet').waitFor({state: 'hidden'});
    await watchers(1);
    await back();
    await page.locator('.how:not(.hint)').waitFor({state: 'detached'});
    await watchers(0);
    await page.locator('.column.query .token').nth(3).tap();
    await page.locator('.panel').waitFor();
    await page.locator('.panel h2').dispatchEvent('click'); // it may have come after the press's frame
    await watchers(1);
    await page.keyboard.press('Escape');
    await page.locator('.panel').waitFor({state: 'detached'});
    await watchers(0);
});

test('a model of a long name does not widen the page, nor does the loading box, whose rows a finger hits', async () => {
    const page = await site.open({hash: '#v=2&model=mini2-en-pos', ...PHONE});
    for (const width of [390, 320]) {
        await page.setViewportSize({width, height: PHONE.height});
        await until(() => widerThan(page), 0, `nothing is wider than ${width} px`);
    }
    await page.locator('.more-models > summary').tap();
    await page.locator('.more-models').getByRole('button', {name: 'Another model…'}).tap();
    const box = page.locator('.load-box');
    await box.waitFor();
    assert.equal(await box.evaluate(one => one.scrollWidth - one.clientWidth), 0);
    const low = await box
        .locator('button, input[type=text]')
        .evaluateAll(
            (all, least) => all.map(one => one.offsetHeight).filter(height => height < least),
            LEAST,
        );
    assert.deepEqual(low, []);
});
