/* headlight.html opened from the disk in the browser that BROWSER names: the numbers of the engine
 * in Node, every view, both languages, a text of the reader's, files; and not one request. Requests
 * are counted twice: by what the page's own list of resources holds, and by a policy in the file
 * that forbids all, whose breaches the page would report. Where make offline has not been run there
 * is nothing to test. */
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {BROWSER, launch} from './launch.mjs';
import {numbersHere} from './numbers.mjs';
import {around, choose, questions, savedBy, until, VIEWS} from './place.mjs';

const FILE = process.env.OFFLINE ?? 'build/out/headlight.html';
const SKIP = existsSync(FILE) ? false : `${FILE} is not there; make offline builds it`;

let page;
around(
    async () => {
        if (SKIP) return;
        const window = await launch();
        page = {...window, ...questions(window)};
    },
    () => page?.end(),
);

async function open(hash = '') {
    await page.goto('about:blank');
    await page.goto(pathToFileURL(resolve(FILE)).href + hash);
    await page.there('.figure');
}

/** Everything but the document itself that the page has asked for; what stands in it (data:, blob:)
 * is no request. */
const requests = () =>
    page.ask(() =>
        performance
            .getEntriesByType('resource')
            .map(({name}) => name)
            .filter(name => !/^(data|blob):/.test(name)),
    );

test(
    `${BROWSER}: from the disk, every view, both languages, a text, files, no request`,
    {skip: SKIP},
    async () => {
        await open();
        assert.equal(await page.ask(() => location.protocol), 'file:');
        await page.there('.token');
        // a link has all heads, as numbersHere
        const [A, B] = ['I went to the store.', 'At the store, I bought fresh strawberries.'];
        await open(`#layer=0&text=${encodeURIComponent(A)}&textB=${encodeURIComponent(B)}`);
        const {rows} = JSON.parse(
            await savedBy(page, '.export [data-kind=json] button', 'application/json'),
        );
        assert.deepEqual(
            rows.map(row => row.slice(0, 8)),
            await numbersHere(A, B, 0),
            'numbers of the engine in Node',
        );
        for (const [view, css] of Object.entries(VIEWS)) {
            await choose(page, 'view', view);
            await page.there(css);
        }
        await page.fill('#textB', '');
        await page.fill('#text', 'Cats sleep.');
        await page.press('Enter');
        await until(
            () => page.pieces(),
            now => now.join() === '[CLS],cats,sleep,.,[SEP]',
            'a text of the reader’s',
        );
        await choose(page, 'lang', 'zh');
        await until(
            () => page.ask(() => document.documentElement.lang),
            now => now.startsWith('zh'),
            'in Chinese',
        );
        assert.match(
            await savedBy(page, '.export [data-kind=html] button', 'text/html'),
            /<meta http-equiv="Content-Security-Policy"/,
        );
        assert.deepEqual(await requests(), []);
    },
);

test(
    `${BROWSER}: from the disk, an address with a view and a layer; a model that is not in the file`,
    {skip: SKIP},
    async () => {
        await open('#view=find&layer=2');
        await page.there('.find-view');
        await page.ask(() => {
            location.hash = '#model=other';
        });
        await until(
            () => page.text('[role=alert]'),
            now => now.length > 20,
            'a sentence',
        );
        assert.deepEqual(await requests(), []);
    },
);

test(`${BROWSER}: the policy of the file forbids requests`, {skip: SKIP}, async () => {
    await open();
    const refused = await page.ask(
        () =>
            new Promise(done => {
                document.addEventListener('securitypolicyviolation', ({effectiveDirective}) =>
                    done(effectiveDirective),
                );
                fetch('http://127.0.0.1:9/').catch(() =>
                    setTimeout(() => done('no breach was reported'), 3000),
                );
            }),
    );
    assert.equal(refused, 'connect-src');
});
