#!/usr/bin/env node
/* stories - checks what every lesson and every figure of the articles promises, prints its number, and
 * then counts the articles' stories:
 *   npm run stories             those of the models that come with the page
 *   npm run stories -- --hub    those of published models as well: downloaded once by `headlight fetch`
 *                               into build/out/stories (about 440 MB each)
 * In the page the same links are opened by tests/browser/stories.test.mjs, which also runs the studies
 * that some of them lead to.
 */
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {holds, readSeen} from '../web/ui/lessons/seen.js';
import {folderOf, isHere, lessons, sourceOf} from './js/lib/lessons.mjs';
import {headlight, root} from './js/lib/model.mjs';

const withHub = process.argv.includes('--hub');
const unknown = process.argv.slice(2).filter(word => word !== '--hub');
if (unknown.length) {
    console.error(`stories: unknown option ${unknown[0]}; expected --hub or nothing`);
    process.exit(2);
}

/** The folder of a step's model, downloaded where it is a published one. @param {any} step */
function loadedFolder(step) {
    if (!step.hub) return folderOf(step);
    const folder = `${root}build/out/stories/${step.state.model.replace('/', '--')}`;
    if (!existsSync(`${folder}/config.json`))
        execFileSync(headlight, ['fetch', step.state.model, folder], {stdio: 'inherit'});
    return folder;
}

/** Says a step's number, and whether it keeps its bound. @param {any} step @param {string} name */
async function check(step, name) {
    try {
        const value = readSeen(await sourceOf(step, loadedFolder(step)), step.seen);
        const good = value !== null && holds(value, step.seen);
        const bound = step.seen.atLeast ? `>= ${step.seen.atLeast}` : `<= ${step.seen.atMost}`;
        const said = value?.toFixed(3) ?? 'no number';
        console.log(`${good ? 'yes' : 'NO '}  ${said} ${bound}  ${name}`);
        return good;
    } catch (error) {
        console.log(`NO   ${error.message}  ${name}`);
        return false;
    }
}

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
        let kind = step.hub ? 'hub' : 'checked';
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

const here = new Set([...told.checked, ...told.study]);
const onlyHub = [...told.hub].filter(story => !here.has(story));
const missing = [...all].filter(story => !here.has(story) && !told.hub.has(story));
console.log(`
${all.size} stories of the articles
${String(here.size).padStart(4)} on models that come with the page (${told.checked.size} by their numbers above, ${told.study.size} by a study: tests/browser/stories.test.mjs)
${String(onlyHub.length).padStart(4)} by a link to a published model alone${withHub ? '' : ' (not loaded here: --hub)'}: ${onlyHub.join(', ')}
${String(missing.length).padStart(4)} not told here${missing.length ? `: ${missing.join(', ')}` : ''}`);
process.exitCode = failed ? 1 : 0;
