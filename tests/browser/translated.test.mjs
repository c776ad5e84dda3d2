/* The page where other programs have a hand in it: one that puts a translation in the place of each text, as a browser
 * does, and a page around that is written from right to left. What is shown then is what a page shows that was left
 * alone, in words and, of the figure, in pixels. */
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {build} from 'esbuild';
import {snippet, startHost, visitor} from './host.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();
let host;
let visit;
before(async () => {
    host = await startHost();
    visit = visitor(site, host);
});
after(async () => {
    host.close();
});

/** In the page: puts each text of it, and each that comes later, into two elements, as Chrome's translation does.
 * @param {{inside?: string, word?: string}} [options]   inside: in the shadow tree of this; word: what every word
 *     becomes, else they stay */
function translate({inside, word} = {}) {
    const root = inside ? document.querySelector(inside).shadowRoot : document.body;
    const untouched = () => {
        const walk = document.createTreeWalker(
            root,
            NodeFilter.SHOW_TEXT,
            ({data, parentElement}) =>
                data.trim() &&
                !parentElement.closest(
                    'script,style,textarea,option,font,.notranslate,[translate="no"]',
                )
                    ? NodeFilter.FILTER_ACCEPT
                    : NodeFilter.FILTER_REJECT,
        );
        const texts = [];
        while (walk.nextNode()) texts.push(walk.currentNode);
        return texts;
    };
    const go = () => {
        for (const text of untouched()) {
            const [outer, inner] = [document.createElement('font'), document.createElement('font')];
            outer.append(inner);
            inner.textContent = word ? text.data.replace(/\p{L}+/gu, word) : text.data;
            text.replaceWith(outer);
        }
    };
    let timer;
    go();
    new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(go, 50);
    }).observe(root, {childList: true, subtree: true, characterData: true});
    window.translated = () => untouched().length === 0;
}

/** The words of a page or of an element, without how long it took. */
const wordsOf = (page, where = '#app') =>
    page
        .locator(where)
        .first()
        .evaluate(element =>
            (element.shadowRoot ?? element).textContent.replace(
                /[\d.,]+ (?:m?s|毫秒)|on \d workers?/g,
                '',
            ),
        );
const pixelsOf = (page, where) =>
    page.locator(where).first().screenshot({animations: 'disabled', caret: 'hide'});
const LEVELS = 2; // of 255
/** The same pixels, but for the last bits of a smoothed edge: they depend on what stood there before.
 * @param {Buffer[]} pictures two PNGs */
const isAlike = (page, pictures) =>
    pictures[0].equals(pictures[1]) ||
    page.evaluate(
        async ([sources, levels]) => {
            const [one, other] = await Promise.all(
                sources.map(async source => {
                    const bytes = Uint8Array.from(atob(source), byte => byte.charCodeAt(0));
                    const image = await createImageBitmap(new Blob([bytes]));
                    const {width, height} = image;
                    const canvas = new OffscreenCanvas(width, height).getContext('2d');
                    canvas.drawImage(image, 0, 0);
                    return canvas.getImageData(0, 0, width, height);
                }),
            );
            return (
                one.width === other.width &&
                one.height === other.height &&
                one.data.every((level, i) => Math.abs(level - other.data[i]) <= levels)
            );
        },
        [pictures.map(picture => picture.toString('base64')), LEVELS],
    );
const isQuiet = page =>
    page.evaluate(
        () =>
            !document.querySelector('[aria-busy="true"], .progress, .study-progress') &&
            !document.getAnimations().length &&
            (window.translated?.() ?? true),
    );

/** Two pages show the same, in the end. */
async function same(pages, what, figure = '.figure', where = '#app') {
    let seen = [];
    await until(
        async () => {
            if ((await Promise.all(pages.map(isQuiet))).includes(false)) return false;
            const [words, pixels] = await Promise.all([
                Promise.all(pages.map(page => wordsOf(page, where))),
                Promise.all(pages.map(page => pixelsOf(page, figure))),
            ]);
            seen = words;
            return words[0] === words[1] && (await isAlike(pages[1], pixels));
        },
        Boolean,
        `${what}: the same in words and pixels`,
        20_000,
    ).catch(error => {
        assert.equal(seen[0], seen[1], `${what}: words`);
        throw error;
    });
}

const link = (view, text, more = '') =>
    `#v=5&model=mini-en&text=${encodeURIComponent(text)}&view=${view}${more}`;
const VIEWS = [
    'head',
    'heatmap',
    'model',
    'neuron',
    'steps',
    'next',
    'find',
    'change',
    'decides',
    'why',
];
const [SHORT, LONGER] = ['The cat sat.', 'A dog ran to the house.'];

/** Both pages go there, and it is the text's figure that they show. */
async function goTo(pages, hash, view, count) {
    for (const page of pages)
        await page.evaluate(there => {
            location.hash = there;
        }, hash);
    const plain = pages[1];
    await plain.locator(`.figure .${view}-view`).first().waitFor();
    await plain
        .locator('.status', {hasText: `${count} tokens`})
        .first()
        .waitFor();
}

test('translated, every view shows another text, head and token as it would otherwise', async () => {
    const pages = [
        await site.open({hash: link('head', SHORT)}),
        await site.open({hash: link('head', SHORT)}),
    ];
    await pages[0].evaluate(translate);
    for (const view of VIEWS) {
        await goTo(pages, link(view, SHORT), view, 6);
        await same(pages, view);
        await goTo(pages, link(view, LONGER, '&layer=2&heads=1&token=2&picked=2'), view, 9);
        await same(pages, `${view}, another text`);
    }
});

test('translated, the page changes its language and back; the document keeps what the translation says of it', async () => {
    const pages = [
        await site.open({hash: link('head', SHORT)}),
        await site.open({hash: link('head', SHORT)}),
    ];
    const [translated] = pages;
    await translated.evaluate(translate);
    await translated.evaluate(() => {
        document.documentElement.lang = 'de';
        document.title = 'Scheinwerfer';
    });
    const said = () => translated.evaluate(() => [document.documentElement.lang, document.title]);
    for (const page of pages) await page.locator('.column.query .token').nth(2).click();
    await same(pages, 'a pinned token');
    for (const page of pages) await page.mouse.move(1, 1);
    assert.deepEqual(await said(), ['de', 'Scheinwerfer']);
    for (const [name, lang, words] of [
        ['中文', 'zh', /词元/],
        ['English', 'en', /tokens/],
    ]) {
        for (const page of pages) {
            await page.locator('.settings summary').click();
            await page.getByRole('radio', {name}).click();
        }
        await pages[1].locator('.status', {hasText: words}).first().waitFor();
        await same(pages, lang);
        assert.equal((await said())[0], lang, 'a language that the reader has chosen');
    }
});

test('tokens, numbers and names of heads are not translated', async () => {
    const hash = link('head', LONGER, '&layer=2&heads=1&token=2&picked=2');
    const pages = [await site.open({hash}), await site.open({hash})];
    await pages[0].evaluate(translate, {word: 'Wort'});
    /** Where they stand alone; and the words around. */
    const read = page =>
        page.evaluate(() => {
            const texts = all => [...document.querySelectorAll(all)].map(one => one.textContent);
            return {
                kept: [
                    '.figure bdi',
                    '.aside bdi',
                    '.chip',
                    '.number',
                    '.head-name',
                    '.results bdi',
                ].map(texts),
                words: texts('.tabs label').join(' '),
            };
        });
    for (const view of ['head', 'neuron', 'steps', 'next', 'find']) {
        await goTo(pages, link(view, LONGER, '&layer=2&heads=1&token=2&picked=2'), view, 9).catch(
            () => {},
        );
        const [one, other] = await until(
            async () => {
                const quiet = await Promise.all(pages.map(isQuiet));
                return quiet.includes(false) ? [] : Promise.all(pages.map(read));
            },
            answers =>
                answers.length &&
                JSON.stringify(answers[0].kept) === JSON.stringify(answers[1].kept),
            `${view}: what is not to be translated`,
            20_000,
        );
        assert.ok(one.kept.flat().length > 3, view);
        assert.match(one.words, /Wort/);
        assert.doesNotMatch(other.words, /Wort/);
    }
});

const study = id => `#v=5&model=mini-en&desk=corpus&study=${id}`;

/** Both pages have run a study. */
async function studied(hash) {
    const pages = [await site.open({hash, ready: false}), await site.open({hash, ready: false})];
    for (const page of pages) await page.locator('.study-view').waitFor();
    return pages;
}

test('translated, studies show other answers', async () => {
    const pages = await studied(study('roles'));
    await pages[0].evaluate(translate);
    for (const page of pages) await page.locator('#tau').fill('1');
    await same(pages, 'another threshold', '.study-view');
    for (const id of ['patterns', 'about']) {
        for (const page of pages) await page.check(`.study-list input[value="${id}"]`);
        if (id === 'patterns') for (const page of pages) await page.click('.run-row .main');
        for (const page of pages)
            await page
                .locator(id === 'about' ? '.about-view' : '.hm')
                .first()
                .waitFor();
        await same(pages, id, '.study-view');
    }
    for (const page of pages) await page.check('.study-list input[value="patterns"]');
    for (const page of pages) await page.selectOption('#pattern-measure', 'sep');
    await same(pages, 'another measure', '.study-view');
});

const tag = patch => snippet('element', site.url, {text: LONGER, textB: '', ...patch});
const runIt = page => page.getByRole('button', {name: /7\.5 MB/}).click();

test('<head-light> that runs its model, translated inside, shows another text and layer', async () => {
    const pages = [];
    for (let i = 0; i < 2; i++) {
        const {page} = await visit(await tag({layer: 0, heads: [6]}));
        await page.locator('.column.query .token').first().waitFor();
        pages.push(page);
    }
    await pages[0].evaluate(translate, {inside: 'head-light'});
    await same(pages, 'before the press', 'head-light', 'head-light');
    for (const page of pages) {
        await runIt(page);
        await page.locator('.status', {hasText: '9 tokens'}).waitFor();
    }
    for (const [patch, shown] of [
        [{text: SHORT}, '.head-view .token >> text=sat'],
        [{layer: 2, heads: [1, 3], picked: [2], token: 2}, '.panel h2'],
        [{text: LONGER, view: 'next'}, '.next-view'],
    ]) {
        for (const page of pages)
            await page.evaluate(
                change => document.querySelector('head-light').assign(change),
                patch,
            );
        await pages[1].locator(shown).first().waitFor();
        await same(pages, JSON.stringify(patch), '[part="figure"]', 'head-light');
    }
});

/** Random trees of texts and elements, drawn by Preact where a translation goes over them in each of three ways, and
 * where none does. */
const PROGRAM = `
import {h, render} from 'preact';
import {keepTexts} from './web/shell/translation.js';
let seed = 1;
const random = below => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 65536) % below;
};
const WORDS = ['a ', 'dog', ' ran', '', 'to', 'the', 'house', 3, 0.5, ' '];
const word = () => WORDS[random(WORDS.length)];
const kinds = [
    word, word, word, word,
    () => null,
    () => h('b', {key: random(4)}, word()),
    () => [word(), h('i', null, word())],
    depth => (depth ? h('p', null, tree(depth - 1)) : 'leaf'),
];
const keyed = all => {
    const seen = new Set();
    return all.filter(one => one?.key == null || (!seen.has(one.key) && seen.add(one.key)));
};
const tree = depth =>
    keyed(Array.from({length: random(5)}, () => kinds[random(kinds.length)](depth)));
const WAYS = [
    (text, other) => text.replaceWith(other),
    (text, other) => (text.before(other), text.remove()),
    (text, other) => (text.after(other), text.remove()),
];
function translate(root, way) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts) {
        if (!text.data.trim() || text.parentElement.closest('font') || !random(4)) continue;
        const other = document.createElement('font');
        other.textContent = text.data;
        WAYS[way](text, other);
    }
}
/** The same program shows the original again. */
function restore(root) {
    for (const other of root.querySelectorAll('font'))
        if (random(2)) other.replaceWith(document.createTextNode(other.textContent));
}
const shown = root => {
    const copy = root.cloneNode(true);
    for (const other of copy.querySelectorAll('font')) other.replaceWith(...other.childNodes);
    copy.normalize();
    return copy.innerHTML;
};
const turn = () => new Promise(done => setTimeout(done));
window.compare = async rounds => {
    const lanes = Array.from({length: rounds}, async (_, round) => {
        const [root, plain] = [document.createElement('div'), document.createElement('div')];
        document.body.append(root, plain);
        keepTexts(root);
        for (let step = 0, at = round * 7919 + 1; step < 8; step++) {
            for (const place of [root, plain]) {
                seed = at;
                render(h('div', null, tree(2)), place);
            }
            at = seed;
            await turn();
            if (shown(root) !== shown(plain)) return [round, step, shown(root), shown(plain)];
            seed = at;
            translate(root, round % 3);
            await 0; // a translation and the page have tasks of their own
            seed = at + 1;
            if (!random(3)) restore(root);
            await 0;
        }
        render(null, root);
        await turn();
        return root.textContent && [round, 'left', root.innerHTML];
    });
    return (await Promise.all(lanes)).filter(Boolean);
};
`;

test('whatever a translation has put in the place of texts, what Preact draws next is what is shown', async () => {
    const {outputFiles} = await build({
        stdin: {contents: PROGRAM, resolveDir: '.'},
        ...{bundle: true, write: false, format: 'iife', logLevel: 'silent'},
    });
    const page = await site.open({blank: true});
    await page.evaluate(outputFiles[0].text);
    assert.deepEqual(await page.evaluate(() => window.compare(600)), []);
});

test('the sentences of a translation into a language from right to left run from there, what is drawn does not', async () => {
    const page = await site.open({hash: link('head', SHORT)});
    const ways = () =>
        page.evaluate(() =>
            ['.how', '.figure'].map(name => {
                const {unicodeBidi, direction} = getComputedStyle(
                    document.querySelector(`${name} p`) ?? document.querySelector(name),
                );
                return `${unicodeBidi} ${direction}`;
            }),
        );
    await page.locator('.column.query .token').first().waitFor();
    assert.doesNotMatch((await ways()).join(), /plaintext/);
    await page.evaluate(() => document.documentElement.classList.add('translated-rtl'));
    const translated = await ways();
    await page.evaluate(() => {
        document.documentElement.className = '';
        document.documentElement.dir = 'rtl';
    });
    const turned = await ways();
    assert.deepEqual([...translated, ...turned], Array(4).fill('plaintext ltr'));
});

/** The page around is written from right to left. */
const turn = page =>
    page.evaluate(() => {
        document.documentElement.dir = 'rtl';
        document.body.dir = 'rtl';
    });

test('in a page from right to left, views and studies are drawn as elsewhere', async () => {
    const pages = [
        await site.open({hash: link('head', SHORT)}),
        await site.open({hash: link('head', SHORT)}),
    ];
    await turn(pages[0]);
    for (const view of ['head', 'heatmap', 'model', 'neuron', 'decides']) {
        await goTo(pages, link(view, LONGER, '&layer=2&heads=1&token=2&picked=2'), view, 9);
        await same(pages, view);
    }
    const studies = await studied(study('roles'));
    await turn(studies[0]);
    await same(studies, 'roles', '.study-view');
});

test('in a page from right to left, a tag and the picture in it are those of other pages', async () => {
    const code = await tag({layer: 0, heads: [6]});
    const picture = /<svg.*?<\/svg>/s.exec(code)[0];
    const pages = [];
    for (const dir of ['rtl', 'ltr']) {
        const {page} = await visit(
            `<main dir="${dir}">${code}</main><section dir="${dir}">${picture}</section>`,
        );
        await page.locator('head-light .column.query .token').first().waitFor();
        pages.push(page);
    }
    await same(pages, 'the picture', 'section svg', 'section');
    await pages[0].evaluate(translate);
    await same(pages, 'the picture, translated', 'section svg', 'section');
    await same(pages, 'the tag', 'head-light', 'head-light');
    for (const page of pages) {
        await runIt(page);
        await page.locator('.status', {hasText: '9 tokens'}).waitFor();
    }
    await same(pages, 'the tag with its model', '[part="figure"]', 'head-light');
});
