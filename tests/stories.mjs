#!/usr/bin/env node
/* stories - checks what every lesson and every figure of the articles promises, prints its number, and
 * then counts the articles' stories:
 *   npm run stories             those of the models that come with the page
 *   npm run stories -- --hub    those of published models as well: downloaded once by `headlight fetch`
 *                               into build/out/stories (about 440 MB each)
 *   node tests/stories.mjs --table   writes docs/stories.md: each story, its link, its number's bound
 * Then it opens the same links in the built site (tests/browser/told.mjs, as the browser tests do), runs the
 * studies that some lead to, and says whether the figure and its pinned row are in the window.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {holds, readSeen} from '../web/lessons/seen.js';
import {folderOf, isHere, lessons, sourceOf} from './js/lib/lessons.mjs';
import {headlight, root} from './js/lib/model.mjs';
import {startSite} from './browser/page.mjs';
import {isStory, linkOf, steps as allSteps, tell, tellOnPhone} from './browser/told.mjs';
import {bound, promise, TABLE, table} from './js/lib/stories.mjs';

const OPTIONS = ['--hub', '--table'];
const given = process.argv.slice(2);
if (given.length > 1 || given.some(word => !OPTIONS.includes(word))) {
    console.error(`stories: ${given.join(' ')}: expected nothing, --hub or --table`);
    process.exit(2);
}
if (given[0] === '--table') {
    writeFileSync(root + TABLE, table());
    process.exit();
}
const withHub = given[0] === '--hub';

/** Steps that need a published model. */
const hubSteps = Object.entries(lessons).flatMap(([id, {steps}]) =>
    steps.flatMap((step, i) => (step.hub ? [{...step, name: `${id}.${i}`}] : [])),
);
/** What --hub is about to do, before anything is downloaded. */
function sayHub() {
    const models = [...new Set(hubSteps.map(({state}) => state.model))];
    const missing = models.filter(name => !existsSync(`${hubFolder(name)}/config.json`));
    console.log(
        `--hub needs https://huggingface.co and about 440 MB of disk for each of ${models.length} models, ${missing.length} ` +
            `of which are not in build/out/stories yet. It checks these ${hubSteps.length} rows:`,
    );
    for (const step of hubSteps) {
        const [what, limit] = promise(step);
        console.log(`     ${step.name} ${step.title.en}: ${step.state.model}, ${what} ${limit}`);
    }
    console.log('');
}

const hubFolder = (/** @type {string} */ name) =>
    `${root}build/out/stories/${name.replace('/', '--')}`;

/** The folder of a step's model, downloaded where it is a published one. @param {any} step */
function loadedFolder(step) {
    if (!step.hub) return folderOf(step);
    const folder = hubFolder(step.state.model);
    if (existsSync(`${folder}/config.json`)) return folder;
    mkdirSync(dirname(folder), {recursive: true});
    try {
        execFileSync(headlight, ['fetch', step.state.model, folder], {
            stdio: ['ignore', 'pipe', 'pipe'],
        });
    } catch (error) {
        throw new Error(error.stderr?.toString().trim().split('\n').at(-1) || error.message);
    }
    return folder;
}

/** Says a step's number, and whether it keeps its bound. @param {any} step @param {string} name */
async function check(step, name) {
    try {
        const value = readSeen(await sourceOf(step, loadedFolder(step)), step.seen);
        const good = value !== null && holds(value, step.seen);
        const said = value?.toFixed(3) ?? 'no number';
        console.log(`${good ? 'yes' : 'NO '}  ${said} ${bound(step.seen)}  ${name}`);
        return good;
    } catch (error) {
        console.log(`NO   ${error.message}  ${name}`);
        return false;
    }
}

if (withHub) sayHub();
/** Stories by what became of them; one that two steps tell counts by the better. */
const told = {checked: new Set(), study: new Set(), hub: new Set()};
const all = new Set();
let failed = 0;
for (const [id, {steps}] of Object.entries(lessons)) {
    for (const [i, step] of steps.entries()) {
        const name = `${id}.${i} ${step.title.en}`;
        const stories = step.stories ?? [];
        for (const story of stories) all.add(story);
        const skipped = (step.hub && !withHub) || (!step.hub && !isHere(step));
        let kind = step.hub ? 'hub' : step.seen ? 'checked' : ''; // without a number nothing is checked
        if (!step.hub && skipped) {
            console.log(`--   ${step.state.model} is not here  ${name}`);
            kind = '';
        } else if (step.seen && !skipped && !(await check(step, name))) {
            kind = 'failed';
            failed++;
        }
        if (!step.seen && step.page) kind = 'study';
        for (const story of stories) told[kind]?.add(story);
    }
}

/** In the page, in windows of 1440, 1280 and 390 px: the number, and the figure in sight. */
async function checkPage() {
    const site = await startSite();
    const opened = (width, height) => site.open({hash: linkOf(allSteps[0]), width, height});
    const [wide, phone] = [await opened(1440, 900), await opened(390, 844)];
    const seen = {wide: new Set(), phone: new Set()}; // the stories that nothing has to be moved for
    for (const step of allSteps.filter(one => isStory(one) && !one.hub && isHere(one)))
        try {
            const value = step.seen || step.page ? await tell(wide, step) : null;
            const atOnce = await tellOnPhone(phone, step);
            const number = value === null ? '' : `${value.toFixed(3)}, `;
            const moved = atOnce ? '' : ' (one swipe)';
            console.log(`yes  ${number}in the window at 1440, 1280, 390 px${moved}  ${step.name}`);
            for (const story of step.stories) {
                seen.wide.add(story);
                if (atOnce) seen.phone.add(story);
            }
        } catch (error) {
            console.log(`NO   ${error.message.split('\n')[0]}  ${step.name}`);
            failed++;
        }
    await site.close();
    console.log(`
in sight without a press or a swipe: ${seen.wide.size} stories at 1440 and 1280 px, ${seen.phone.size} at 390 px`);
}
await checkPage();

const here = new Set([...told.checked, ...told.study]);
const onlyHub = [...told.hub].filter(story => !here.has(story));
const missing = [...all].filter(story => !here.has(story) && !told.hub.has(story));
console.log(`
${all.size} stories of the articles
${String(here.size).padStart(4)} on models that come with the page (${told.checked.size} by their numbers above, ${told.study.size} by a study: tests/browser/stories.test.mjs)
${String(onlyHub.length).padStart(4)} by a link to a published model alone${withHub ? '' : ' (not loaded here: --hub)'}: ${onlyHub.join(', ')}
${String(missing.length).padStart(4)} not told here${missing.length ? `: ${missing.join(', ')}` : ''}`);
process.exitCode = failed ? 1 : 0;
