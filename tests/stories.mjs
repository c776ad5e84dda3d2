#!/usr/bin/env node
/* stories - checks what every lesson and every figure of the articles promises, and prints its number:
 *   npm run stories             those of the shipped model
 *   npm run stories -- --hub    those of published models as well: downloaded once by `headlight fetch`
 *                               into build/out/stories (about 440 MB each)
 * In the page the same links are opened by tests/browser/stories.test.mjs.
 */
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {holds, readSeen} from '../web/ui/lessons/seen.js';
import {lessons, sourceOf} from './js/lib/lessons.mjs';
import {headlight, root} from './js/lib/model.mjs';

const withHub = process.argv.includes('--hub');
const unknown = process.argv.slice(2).filter(word => word !== '--hub');
if (unknown.length) {
    console.error(`stories: unknown option ${unknown[0]}; expected --hub or nothing`);
    process.exit(2);
}

/** The folder of a step's model. @param {any} step */
function folderOf({hub, state}) {
    if (!hub) return `${root}models/mini-en`;
    const folder = `${root}build/out/stories/${state.model.replace('/', '--')}`;
    if (!existsSync(`${folder}/config.json`))
        execFileSync(headlight, ['fetch', state.model, folder], {stdio: 'inherit'});
    return folder;
}

let failed = 0;
for (const [id, {steps}] of Object.entries(lessons)) {
    for (const [i, step] of steps.entries()) {
        if (!step.seen || (step.hub && !withHub)) continue;
        const name = `${id}.${i} ${step.title.en}`;
        try {
            const value = readSeen(await sourceOf(step, folderOf(step)), step.seen);
            const good = value !== null && holds(value, step.seen);
            const bound = step.seen.atLeast ? `>= ${step.seen.atLeast}` : `<= ${step.seen.atMost}`;
            console.log(
                `${good ? 'yes' : 'NO '}  ${value?.toFixed(3) ?? 'no number'} ${bound}  ${name}`,
            );
            failed += good ? 0 : 1;
        } catch (error) {
            console.log(`NO   ${error.message}  ${name}`);
            failed++;
        }
    }
}
process.exitCode = failed ? 1 : 0;
