/* The page of studies in Chromium: studies on the corpora that ship, cancelling, corpora of one's
 * own in every way they can come, what goes wrong, the way to one text and back, keyboard and screen
 * reader.
 */
import assert from 'node:assert/strict';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {useSite, until} from './page.mjs';

const CORPUS = '#desk=corpus';
const site = useSite();
let folder;

before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headlight-study-'));
});
after(async () => {
    await rm(folder, {recursive: true});
});

const openStudies = async (hash = CORPUS, options = {}) => {
    const page = await site.open({hash, ready: false, ...options});
    await page.waitForSelector('.study-facts, .study-progress, .study-view, .nothing-yet', {});
    return page;
};
const says = page => page.textContent('.study-says');
const summary = page => page.textContent('.corpus-summary');
const ran = page => page.waitForSelector('.hm');
const choose = (page, id) => page.check(`.study-list input[value="${id}"]`);
const problem = async page => (await page.waitForSelector('.study-problem')).textContent();
/** As many sentences as are wanted, so that a run takes a while. */
const sentences = count =>
    Array.from(
        {length: count},
        (_, i) => `The cat number ${i} sat on the mat and looked at the dog near the door.`,
    ).join('\n');

test('the switch at the top leads to the corpus and back, and the text that was typed stays', async () => {
    const page = await site.open({});
    await page.fill('#text', 'A text that is not sent yet');
    await page.check('.modes input >> nth=1', {force: true});
    await page.waitForSelector('.study-facts');
    assert.match(await summary(page), /CoNLL-U, 327 items/);
    assert.equal(await page.isVisible('.token >> nth=0'), false);
    await page.check('.modes input >> nth=0', {force: true});
    await page.waitForSelector('.token');
    assert.equal(await page.inputValue('#text'), 'A text that is not sent yet');
    assert.equal(await page.isVisible('.study-stage'), false);
});

test('a study chosen at the end of a list longer than the window is in sight', async () => {
    const page = await openStudies(CORPUS, {width: 1280, height: 800});
    const last = page.locator('.study-list input[value="compare"]');
    await last.evaluate(one => one.scrollIntoView({block: 'end'}));
    const top = () =>
        page.locator('.study-stage h2').evaluate(one => one.getBoundingClientRect().top);
    assert.ok((await top()) < 0, 'the heading is above the window');
    await last.check();
    await until(top, y => y >= 0 && y < 100, 'its heading');
    assert.match(await page.locator('.study-stage h2').textContent(), /Two models/);
});

test('patterns run on the corpus that ships, with several workers, and the link restores them', async () => {
    const page = await openStudies();
    await choose(page, 'patterns');
    await page.click('.run-row .main');
    await ran(page);
    assert.match(await says(page), /^Next token: L0·H6 does it most, mean 0\.\d+/);
    assert.match(
        await page.textContent('.study-results > .hint'),
        /327 items of Sentences with trees, mini-en.*4,478 tokens.* on \d workers?\./,
    );
    await page.selectOption('#pattern-measure', 'sep');
    assert.match(await says(page), /^\[SEP\]: L\d·H\d does/);
    const hash = await until(
        () => page.evaluate(() => location.hash),
        /measure/,
        'the address says what is shown',
    );
    const again = await openStudies(hash);
    await ran(again);
    assert.equal(await says(again), await says(page), 'a link runs the study');
});

test('roles: thresholds are answered at once, without a new run', async () => {
    const page = await openStudies('#desk=corpus&study=roles');
    await page.waitForSelector('.roles-view');
    const old = await says(page);
    await page.locator('#tau').fill('1');
    await until(
        () => says(page),
        text => text !== old,
        'another threshold, other roles',
        3000,
    );
    assert.equal(await page.isVisible('.study-progress'), false);
    await until(
        () => page.evaluate(() => location.hash),
        /tau=1/,
        'the threshold is in the address',
    );
    await page.locator('#tau').fill('3');
    await until(() => says(page), old, 'and back');
});

test('heads as parsers: the best head of a relation opens on an example, Back returns to the results', async () => {
    const page = await openStudies('#desk=corpus&study=parse');
    await ran(page);
    const row = page.locator('.parse-table tbody tr', {hasText: /^amod/}).first();
    await row.locator('button').first().click();
    assert.match(
        await says(page),
        /^amod \(adjective\): L\d·H\d finds \d\d\.\d % of the governors/,
    );
    const [, layer, head] = /L(\d)·H(\d)/.exec(await says(page));
    await until(() => page.evaluate(() => location.hash), /amod/, 'the relation is in the address');
    await row.locator('button').nth(1).click();
    await page.waitForSelector('.token', {state: 'visible'});
    assert.equal(await page.isChecked(`input[name="layer"][value="${layer}"]`), true);
    assert.deepEqual(await page.locator('.chip[aria-pressed="true"]').allTextContents(), [head]);
    assert.notEqual(await page.inputValue('#text'), 'I went to the store.');
    await until(
        () => page.evaluate(() => location.hash),
        text => !/desk=corpus/.test(text),
        'the address has followed',
    );
    await page.goBack();
    await page.waitForSelector('.parse-table', {state: 'visible'});
    assert.match(await says(page), /^amod/, 'nothing had to be run again');
    assert.equal(await page.isVisible('.study-progress'), false);
    await page.goForward();
    await page.waitForSelector('.token', {state: 'visible'});
});

test('a study can be cancelled; what was there stays, and it can be run again', async () => {
    const page = await openStudies('#desk=corpus&study=patterns');
    await ran(page);
    const old = await says(page);
    await page.setInputFiles('.corpus-acts input[type="file"]', {
        name: 'many.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(sentences(3000)),
    });
    await until(() => summary(page), /3,000 items/, 'the corpus is there');
    await page.selectOption('#limit', '0');
    await page.click('.run-row .main');
    const bar = page.locator('.study-progress [role="progressbar"]');
    const value = () => bar.getAttribute('aria-valuenow').then(Number);
    await until(value, now => now > 2, 'the bar moves');
    const first = await value();
    await until(value, now => now > first, 'and goes on');
    assert.match(
        await until(
            () => bar.getAttribute('aria-valuetext'),
            text => /left/.test(text ?? ''),
            'time left is said',
        ),
        /of 3,000.* per second, .* left/,
    );
    assert.equal(await says(page), old, 'the result of before is still there');
    await page.click('.study-progress button');
    await page.waitForSelector('.study-progress', {state: 'detached'});
    assert.equal(await says(page), old);
    assert.match(await page.textContent('.stale'), /Sentences with trees/);
    await page.selectOption('#limit', '100');
    await page.click('.run-row .main');
    await until(
        () => page.textContent('.study-results > .hint'),
        /100 items of many\.txt/,
        'the new result replaces it',
    );
});

test('a corpus of one’s own: chosen, dropped, pasted, read otherwise', async () => {
    const page = await openStudies();
    const file = join(folder, 'mine.tsv');
    await writeFile(
        file,
        'first\tsecond\tkind\nA cat sat.\tIt slept.\tgood\nA dog ran.\tIt barked.\tbad\nA bird flew.\tIt sang.\tgood\n',
    );
    const before = await summary(page);
    await page.setInputFiles('.corpus-acts input[type="file"]', file);
    await page.waitForSelector(
        '.study-problem >> text=names no column that is known to hold texts',
    );
    assert.equal(await summary(page), before, 'nothing is taken for lines');
    await page.waitForSelector('#column-label');
    await page.selectOption('#column-a', 'first');
    await until(() => summary(page), /TSV.*3 items/, 'the file is read, its heading as names');
    await page.selectOption('#column-b', 'second');
    await page.selectOption('#column-label', 'kind');
    await until(
        () => page.isEnabled('.study-list input[value="labels"]'),
        Boolean,
        'with labels the label probe can be run',
    );
    assert.equal(await page.isEnabled('.study-list input[value="parse"]'), false);
    assert.match(await page.textContent('.study-list .lacking >> nth=0'), /no syntactic relations/);

    const dropped = await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(
            new File(['One sentence.\nAnother one.\n'], 'dropped.txt', {type: 'text/plain'}),
        );
        return data;
    });
    await page.dispatchEvent('body', 'dragenter', {dataTransfer: dropped});
    assert.match(await page.textContent('.drop'), /Drop a corpus/);
    await page.dispatchEvent('body', 'drop', {dataTransfer: dropped});
    await until(() => summary(page), /2 items/, 'the dropped file is there');
    assert.match(
        await page.locator('#corpus option:checked').textContent(),
        /dropped\.txt \(yours\)/,
    );
    await page.click('text=Paste…');
    await page.fill(
        '#corpus-entry',
        'A first one.\tA second one.\nA third.\tA fourth.\nA fifth.\tA sixth.',
    );
    await page.click('.entry .main');
    await until(() => summary(page), /Pairs.*3 items/, 'and the pasted pairs');
});

test('what cannot be read is said in a sentence, and the corpus of before stays', async () => {
    const page = await openStudies();
    const binary = join(folder, 'picture.png');
    await writeFile(binary, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
    await page.setInputFiles('.corpus-acts input[type="file"]', binary);
    assert.match(await problem(page), /picture\.png is not a text file/);
    await page.click('.study-problem button');
    const latin = join(folder, 'latin.txt');
    await writeFile(latin, Buffer.from('Caf\xe9 au lait\n', 'latin1'));
    await page.setInputFiles('.corpus-acts input[type="file"]', latin);
    assert.match(await problem(page), /latin\.txt is not UTF-8; save it as UTF-8/);
    const broken = join(folder, 'broken.conllu');
    await writeFile(broken, '1\tA\ta\tDET\t_\t_\tx\tdet\t_\t_\n\n');
    await page.setInputFiles('.corpus-acts input[type="file"]', broken);
    await until(
        () => problem(page),
        /line 1|columns|fields/,
        'a broken CoNLL-U file names the place',
    );
    await page.click('text=From a URL…');
    for (const [address, pattern] of [
        [`${site.url}absent.txt`, /404/],
        ['ftp://example.org/a.txt', /ftp/],
        ['http://[', /no address/],
    ]) {
        await page.fill('#corpus-entry', address);
        await page.click('.entry .main');
        await until(
            () => problem(page),
            text => pattern.test(text),
            `${address} is refused with a reason`,
        );
        await page.click('text=From a URL…');
    }
    assert.match(await summary(page), /327 items/);
    await page.fill('#corpus-entry', 'corpora/pairs.tsv');
    await page.click('.entry .main');
    await until(() => summary(page), /114 items/, 'an address of the same site works');
    assert.equal(await page.isVisible('.study-problem'), false);
});

test('the probe trains, its weights are saved and loaded again', async () => {
    const page = await openStudies('#desk=corpus&study=probe');
    await page.waitForSelector('.probe-view');
    const [uas] = /\d+\.\d %/.exec(await says(page));
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.click('text=Save the weights'),
    ]);
    const file = join(folder, 'weights.json');
    await download.saveAs(file);
    assert.ok(JSON.parse(await readFile(file, 'utf8')).trained.values.length > 90);
    const chosen = {kind: 'attention', train: '0.8', epochs: '1', seed: '1'};
    for (const [name, value] of Object.entries(chosen))
        assert.equal(await page.inputValue(`#probe-${name}`), value, `${name} as it was trained`);
    await page.setInputFiles('.study-settings input[type="file"]', file);
    await until(
        () => page.textContent('.probe-view'),
        /Loaded weights/,
        'loaded weights are tested',
    );
    assert.match(uas, /%/);
    const bad = join(folder, 'bad.json');
    await writeFile(bad, '{"a": 1}');
    await page.setInputFiles('.study-settings input[type="file"]', bad);
    assert.match(await problem(page), /no probe weights/);
});

test('results are saved as CSV, JSON with what they are of, and SVG', async () => {
    const page = await openStudies('#desk=corpus&study=coref&corpus=pronouns');
    await ran(page);
    const files = {};
    for (const kind of ['CSV', 'JSON', 'SVG']) {
        const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.click(`.study-results .export button:text-is("${kind}")`),
        ]);
        files[kind] = await readFile(await download.path(), 'utf8');
        assert.equal(
            download.suggestedFilename(),
            `headlight-coref-pronouns.${kind.toLowerCase()}`,
        );
    }
    assert.equal(files.CSV.trimEnd().split('\n').length, 1 + 48);
    const json = JSON.parse(files.JSON);
    assert.deepEqual(
        [json.madeWith, json.corpusItems, json.answers.coref.n],
        ['Headlight', 72, 72],
    );
    assert.match(files.SVG, /^<svg xmlns=.*Coreference/s);
});

test('the map of heads is walked with arrow keys; axe finds nothing, light and dark, wide and narrow', async () => {
    const page = await openStudies('#desk=corpus&study=patterns', {bypassCSP: true});
    await ran(page);
    for (const [width, head, name] of [
        [1280, 9, 'L1·H1'],
        [360, 18, 'L2·H2'],
    ]) {
        await page.setViewportSize({width, height: 860});
        const cell = page.locator('.hm-cell[tabindex="0"]').first();
        await cell.focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowDown');
        assert.equal(await page.evaluate(() => document.activeElement.dataset.head), `${head}`);
        assert.match(await page.textContent('.hm-say'), new RegExp(`^${name}: mean 0\\.\\d+`));
        await nothingForAxe(page);
        const wider = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(wider <= 0, 'nothing is wider than the page');
    }
});

test('in Chinese', async () => {
    const page = await openStudies('#desk=corpus&study=parse&lang=zh');
    await ran(page);
    assert.equal(await page.textContent('.study-stage h2'), '头作为句法分析器');
    const text = await page.textContent('.study-stage');
    assert.doesNotMatch(
        text.replace(/mini-en, English|CoNLL-U|CSV|JSON|SVG|Wilson/g, ''),
        /\b(the|head|word|best|items)\b/i,
    );
});

test('where Coreference has no mentions, a press opens a corpus that has them', async () => {
    const page = await site.open({hash: '#v=4&desk=corpus', ready: false});
    const coref = page.locator('.study-list input[value="coref"]');
    const open = page.getByRole('button', {name: 'Open a corpus that has them'});
    await open.waitFor();
    assert.equal(await coref.isDisabled(), true);
    await open.click();
    await until(
        async () => [await coref.isEnabled(), await coref.isChecked(), await open.count()].join(),
        'true,true,0',
        'Coreference, with its corpus',
    );
});
