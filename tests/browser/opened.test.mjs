/* What is open, for axe: lists, lessons, menus, sheets, dialogs and studies with their results, each
 * opened as a reader opens it, in English and in Chinese. What is closed when the page begins: first.test.mjs.
 */
import {test} from 'node:test';
import {LONG} from '../js/lib/sample.mjs';
import {nothingForAxe} from './axe.mjs';
import {menu, useSite, until} from './page.mjs';

const site = useSite();

const HEAD = 'model=mini-en&layer=0&heads=6';
const press = selector => page => page.locator(selector).first().click();
const offer = at => press(`.more-offers button >> nth=${at}`);

/** What is opened: its name, the link, how it is opened, what is seen then; phone: at 390 px. */
const STATES = [
    ['the lessons', HEAD, offer(0), '[data-panel=lessons] li'],
    ['the articles’ figures', HEAD, offer(1), '[data-panel=articles] section li'],
    ['a pattern', 'lesson=patterns&step=0', null, '.tour .found'],
    ['two figures of a lesson', 'lesson=vig1&step=8', null, '.two .compared .token'],
    ['a question', 'lesson=explanation&step=1', null, '.lesson.asking'],
    ['an equation', 'lesson=inside&step=0', null, '.lesson .seen-number'],
    ['sieves', 'lesson=specialised&step=0', null, '.sieve-roles'],
    ['all steps', 'lesson=vig1&step=0', press('.tour > button.soft'), '.lesson-scroll .now p'],
    ['a lesson on a phone', 'lesson=vig2&step=0', null, '.lesson .seen-number', 'phone'],
    ['a term', 'lesson=inside&step=0', press('.lesson .term'), '.term-tip'],
    ['more models', HEAD, page => menu(page, '.more-models'), '.more-models .sheet'],
    [
        'the loading box',
        HEAD,
        async page => (await menu(page, '.more-models')).locator('.sheet button').first().click(),
        'dialog, .load-box',
    ],
    ['side by side', HEAD, page => menu(page, '.side-by-side'), '.side-by-side .sheet'],
    ['saving', HEAD, page => menu(page, '.export'), '.export .sheet button'],
    ['help', HEAD, press('.tools .help'), '.how'],
    ['the help sheet', HEAD, press('.tools .help'), '.how', 'phone'],
    ['experiments', HEAD, press('.experiments > summary'), '.experiments-inside'],
    ['a pattern to find', 'view=find&model=mini-en', press('.find-patterns button'), '.find-list'],
    ['a pair to find', 'view=find&model=mini-en&from=15&to=16', null, '.find-alike .head-row'],
    ['a token', `${HEAD}&picked=1&token=1`, null, '.panel h2'],
    ['a token’s sheet', `${HEAD}&picked=1&token=1`, null, '.panel h2', 'phone'],
    ['the neuron view', `view=neuron&${HEAD}&token=1&picked=1`, null, '.rows-body'],
    ['several queries', 'lesson=vig2&step=4', null, '.lesson .seen-number'],
    [
        'a head of the model view',
        'view=model&model=mini-en&opened=0.6',
        null,
        '.opened-head .token',
    ],
    ['steps', `view=steps&${HEAD}&step=3`, null, '.below'],
    ['changes', `view=change&${HEAD}&masked=2`, null, '.below'],
    ...['patterns', 'roles', 'claims'].map(study => [
        `the study ${study}`,
        `desk=corpus&model=mini-en&study=${study}`,
        null,
        '.study-says',
    ]),
    [
        'heads of the overlap',
        'desk=corpus&model=mini-en&study=roles&tau=1',
        press('.upset tbody .plain'),
        '.upset-heads .head-name',
    ],
];

async function nothingAtRest(page, seen, options = {}) {
    await page.locator(seen).first().waitFor();
    // what comes by a transition has its last colour when it has ended
    await until(() => page.evaluate(() => document.getAnimations().length), 0, 'at rest');
    await nothingForAxe(page, options);
}

for (const [name, hash, open, seen, phone] of STATES)
    test(`${name}, for axe: ${LONG ? 'en, zh' : 'en'}`, async () => {
        const page = await site.open({
            hash: `#v=2&lang=en&${hash}`,
            bypassCSP: true,
            ready: !hash.startsWith('desk'),
            ...(phone && {width: 390, height: 844, hasTouch: true}),
        });
        await page.locator('.example-chips, .study-list').first().waitFor({state: 'attached'});
        await open?.(page);
        await nothingAtRest(page, seen);
        if (!LONG) return;
        await page.goto(`${site.url}#v=2&lang=zh&${hash}`); // the same page: only its words are new
        await page.locator('html[lang^=zh]').waitFor();
        if (!(await page.locator(seen).first().isVisible())) await open?.(page);
        await nothingAtRest(page, seen, {colours: false});
    });
