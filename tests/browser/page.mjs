/* page - for browser tests: the built site on a free port, one Chromium, and the questions tests
 * ask of a page. waitForFunction needs eval, which the page's security policy forbids; `until` asks
 * again and again instead. */
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {after, afterEach, before} from 'node:test';
import {chromium} from 'playwright-core';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {slowPages, slowServer} from './slow.mjs';

const SITE = 'build/out/site';
/** ms for what comes in one or two: only what never comes meets it, however busy the machine is. */
export const LIMIT = 180_000;
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const SHELL = '/usr/bin/chromium-headless-shell';
/** For tests, which measure no time: the same engine without what only a window needs takes a third less of the
 * processor (tests/browser/{show,next,phone,sheets}: 52 s against 34 s). */
const FOR_TESTS = !process.env.CHROMIUM && existsSync(SHELL) ? SHELL : CHROMIUM;
export const ARGS = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

/** What pages of any browser here have thrown, or not caught, until a test ends. */
const errors = [];
/** A test that has been left with one fails, also where it came after what the test has asked. */
const noErrors = () =>
    assert.deepEqual(errors.splice(0), [], 'no page threw an error or met its own security policy');
if (process.env.NODE_TEST_CONTEXT) afterEach(noErrors);

/** Chromium, whose contexts wait as long as a busy machine takes. executablePath: CHROMIUM where a service
 * worker takes over from another one, since pages of the shell do not hear of that. */
export async function launch(args = ARGS, executablePath = FOR_TESTS) {
    const browser = await chromium.launch({executablePath, args, timeout: LIMIT});
    const newContext = browser.newContext.bind(browser);
    browser.newContext = async options => {
        const context = await newContext(options);
        context.setDefaultTimeout(LIMIT);
        await slowPages(context);
        context.on('weberror', error => errors.push(error.error().message));
        return context;
    };
    return browser;
}

/** Serves a folder to a Chromium of its own. @param {string} folder @param {string[]} [args] */
export async function serveToChromium(folder, args = ARGS) {
    const server = createStaticServer(folder);
    slowServer(server);
    const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}/`;
    const browser = await launch(args);
    return {
        url,
        browser,
        async close() {
            await Promise.all(browser.contexts().map(endRoutes));
            await browser.close();
            server.closeAllConnections();
            server.close();
        },
    };
}

/** Before a context is closed: a handler that has a request of it in hand fails then, after its test.
 * @param {import('playwright-core').BrowserContext} context */
const endRoutes = context =>
    Promise.all(
        [context, ...context.pages()].map(target => target.unrouteAll({behavior: 'ignoreErrors'})),
    );

/** What a context keeps when its pages are closed. */
const LASTING = [
    'addCookies',
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'route',
    'setExtraHTTPHeaders',
    'setOffline',
];

/** Contexts for the pages of a site. One that is closed serves again for a page of the same options, with nothing
 * stored but its HTTP cache, since a new one costs as much as all else that opens a page; not one that a
 * test has changed by more than pages, nor where `own` is asked for.
 * @param {import('playwright-core').Browser} browser */
function contexts(browser) {
    const [spare, out] = [new Map(), new Set()];
    const make = async (options, key) => {
        const context = await browser.newContext(options);
        const end = context.close.bind(context);
        let keep = Boolean(key);
        for (const name of LASTING) {
            const method = context[name].bind(context);
            context[name] = (...given) => {
                keep = false;
                return method(...given);
            };
        }
        context.close = async () => {
            if (!out.delete(context)) return;
            await endRoutes(context);
            if (!keep) return end();
            await Promise.all(context.pages().map(page => page.close()));
            spare.set(key, [...(spare.get(key) ?? []), context]);
        };
        return context;
    };
    return {
        async take({own, ...options}) {
            const key = own ? null : JSON.stringify(options);
            const context = spare.get(key)?.pop() ?? (await make(options, key));
            out.add(context);
            return context;
        },
        closeAll: () => Promise.all([...out].map(context => context.close())),
    };
}

/** Takes from a context what its pages have stored of the site. */
async function forget(page, url) {
    const session = await page.context().newCDPSession(page);
    const origin = new URL(url).origin;
    await session.send('Storage.clearDataForOrigin', {origin, storageTypes: 'all'});
    await session.detach();
}

/** Links of version 1 mean mini-en anyway (web/state/version1.js), lessons name their own model.
 * @param {string} hash */
const ofMiniEn = hash =>
    /^#v=/.test(hash) && !/[#&](model|lesson)=/.test(hash) ? `${hash}&model=mini-en` : hash;

/** Starts server and browser: {open, close, url}. folder: another copy of the site. */
export async function startSite(folder = SITE) {
    assert.ok(existsSync(`${folder}/index.html`), `${SITE} is missing; make site builds it`);
    const {url, browser, close} = await serveToChromium(folder);
    const {take, closeAll} = contexts(browser);
    return {
        url,
        errors,
        /** A page of its own, with `hash` in its address: a link that says nothing has all at its
         * default, of mini-en where it names no model, whose heads the tests know; '' is a visit,
         * which gets the first model of the menu and begins with some of its heads. ready: wait for
         * the model's figure; blank: nothing is visited yet; own: nothing is in the HTTP cache. */
        async open({
            hash = '#v=2',
            ready = true,
            blank = false,
            width = 1280,
            height = 860,
            ...options
        } = {}) {
            // Without the service worker (pwa.test.mjs has it): what it serves cannot be watched or
            // replaced by a test.
            const context = await take({
                viewport: {width, height},
                locale: 'en-GB',
                serviceWorkers: 'block',
                ...options,
            });
            const page = await context.newPage();
            await forget(page, url);
            page.on('console', message => {
                if (/Content Security Policy/.test(message.text())) errors.push(message.text());
            });
            if (blank) return page;
            await page.goto(url + ofMiniEn(hash));
            // of the model, not of the first figure
            if (ready) await page.waitForSelector('.below', {state: 'attached'});
            return page;
        },
        closeAll,
        async close() {
            await close();
            noErrors();
        },
    };
}

/** The site for the tests of a file: begun before them, tidied after each, ended after all. */
export function useSite(folder) {
    let site;
    before(async () => {
        site = await startSite(folder?.());
    });
    afterEach(async () => {
        await site.closeAll(); // until then a page may throw
        noErrors();
    });
    after(() => site.close());
    return {
        open: options => site.open(options),
        get url() {
            return site.url;
        },
        get errors() {
            return site.errors;
        },
    };
}

/** Asks until the answer is what is wanted, and gives it; fails with both. @param {() => any} ask
 * @param {RegExp | ((answer: any) => unknown) | string | number | boolean | null} wanted   what the answer matches,
 *     satisfies or is @param {string} what in words */
export async function until(ask, wanted, what, limit = LIMIT) {
    const is = answer =>
        wanted instanceof RegExp
            ? wanted.test(answer)
            : typeof wanted === 'function'
              ? wanted(answer)
              : answer === wanted;
    const end = Date.now() + limit;
    for (;;) {
        const answer = await ask();
        if (is(answer)) return answer;
        const said = [wanted, answer].map(one =>
            typeof one === 'function' || one instanceof RegExp ? String(one) : JSON.stringify(one),
        );
        assert.ok(Date.now() < end, `${what}; wanted: ${said[0]}; last answer: ${said[1]}`);
        await new Promise(done => {
            setTimeout(done, 30);
        });
    }
}

/** In one task: a text is typed in a field, and not entered, and something else is chosen in a menu, for which the page
 * draws itself anew. */
export const typeAndChoose = (page, field, text, select, option) =>
    page.evaluate(
        ([where, typed, menuOf, chosen]) => {
            const [input, choice] = [where, menuOf].map(one => document.querySelector(one));
            input.value = typed;
            input.dispatchEvent(new Event('input', {bubbles: true}));
            choice.value = chosen;
            choice.dispatchEvent(new Event('change', {bubbles: true}));
        },
        [field, text, select, option],
    );

/** A menu of the row above the figure, open. */
export async function menu(page, selector) {
    const place = page.locator(`details${selector}`);
    if (!(await place.evaluate(element => element.open)))
        await place.locator('summary').first().click();
    return place;
}

/** Presses a row of the menu Save; on a phone those that are needed less are folded. */
export async function pressUnfolded(place, label) {
    const row = place.getByRole('button', {name: label, exact: true, includeHidden: true});
    await row.waitFor({state: 'attached'});
    await row.evaluate(button => {
        const part = button.closest('details.folded');
        if (part) part.open = true;
    });
    await row.click();
}

/** The folder `path` dropped in the middle of an element. */
export async function drop(page, selector, path) {
    await page.locator(selector).first().waitFor();
    const {x, y, width, height} = await page.locator(selector).first().boundingBox();
    const {height: whole} = page.viewportSize();
    const at = {x: x + width / 2, y: Math.min(y + height / 2, whole - 10)};
    const session = await page.context().newCDPSession(page);
    const data = {items: [], files: [resolve(path)], dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop'])
        await session.send('Input.dispatchDragEvent', {type, ...at, data});
}

/** The tokens of a column, without the words that the model predicts there. */
export const pieces = (page, side = 'query') =>
    page.locator(`.column.${side} .token`).evaluateAll(tokens =>
        tokens.map(token => {
            const copy = token.cloneNode(true);
            for (const word of copy.querySelectorAll('.filling')) word.remove();
            return copy.textContent;
        }),
    );

export const shownHeads = page => page.locator('.chip[aria-pressed="true"]').allTextContents();

/** Rows of tokens at which a line ends on a side, read from the pixels of a layer; none if the layer
 * is hidden. */
export const inkedRows = (page, layer, side) =>
    page.evaluate(
        ([layerName, sideName]) => {
            const rows = new Set();
            const view = document.querySelector('.head-view');
            const column = view.querySelector(`.column.${sideName}`);
            const x =
                sideName === 'query'
                    ? column.offsetLeft + column.offsetWidth + 7
                    : column.offsetLeft - 8;
            document.querySelectorAll(`.canvas canvas.${layerName}`).forEach(canvas => {
                if (!canvas.width || getComputedStyle(canvas).visibility === 'hidden') return;
                const scale = canvas.width / canvas.offsetWidth;
                const top = Number(canvas.parentElement.dataset.tile) * 512;
                const {data} = canvas
                    .getContext('2d')
                    .getImageData(Math.round(x * scale), 0, 1, canvas.height);
                for (let y = 0; y < canvas.height; y++)
                    if (data[4 * y + 3] > 0) rows.add(Math.floor((top + y / scale) / 26));
            });
            return [...rows].sort((a, b) => a - b);
        },
        [layer, side],
    );

export async function show(page, text, textB) {
    await page.fill('#text', text);
    await page.fill('#textB', textB);
    await page.press('#text', 'Enter');
}
