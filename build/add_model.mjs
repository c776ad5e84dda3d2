#!/usr/bin/env node
/* add_model - puts models on the menu of the site: node build/add_model.mjs [--pinned]
 * OWNER/NAME[@REVISION] | FOLDER ... A name is a model of the Hugging Face hub, fetched by
 * `headlight fetch` at the commit that the revision names now; a folder that holds a config.json is
 * a model on this machine. Either is converted to int8 in files of up to 95 MB (`headlight
 * convert`) under models/OWNER--NAME or models/FOLDER, and its entry, with the bytes counted and the
 * commit, goes into models/index.json. A model that is on the menu keeps its id, and nothing else is
 * replaced. --pinned refuses a revision that is not a commit: a site that is built anew then has the
 * same weights. HF_ENDPOINT=address takes another hub; HEADLIGHT=file another command-line tool. Run
 * it before make site.
 */
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {isId} from '../web/base/model_names.js';

const HUB = (process.env.HF_ENDPOINT || 'https://huggingface.co').replace(/\/+$/, '');
const HEADLIGHT = process.env.HEADLIGHT ?? 'build/out/native/headlight';
const MODELS = process.env.MODELS_FOLDER ?? 'models';
const MENU = join(MODELS, 'index.json');
const SHARD = '95'; // megabytes; git refuses files above 100
const MOST_ID = 64; // isId takes no longer one

/** @typedef {{id: string, name: string, url: string, files: string[], bytes: number, note?: string,
 *     commit?: string}} Entry
 * @typedef {{name: string, id: string, revision?: string, folder?: string}} Wanted */

/** The hub has no name with '--' or '..', so that OWNER--NAME stands for one model.
 * @param {string} word @returns {Wanted} */
function parse(word) {
    if (existsSync(join(word, 'config.json'))) {
        const name = basename(resolve(word));
        if (isId(name)) return {name, id: name.toLowerCase(), folder: word};
        throw new Error(
            `name: the folder ${word} is the id of its model; expected are letters, digits, '-', '_' and '.', at most ${MOST_ID}`,
        );
    }
    const [, owner, short, revision] =
        /^(\w[\w.-]*)\/(\w[\w.-]*)(?:@(\w[\w./-]*))?$/.exec(word) ?? [];
    const name = `${owner}/${short}`;
    if (!short || word.includes('..') || name.includes('--'))
        throw new Error(
            `name: '${word}' is not a model's name, nor a folder with a config.json; expected is OWNER/NAME, OWNER/NAME@REVISION or FOLDER`,
        );
    return {name, id: `${owner}--${short}`.toLowerCase(), revision};
}

/** @param {Wanted} wanted @param {Entry[]} menu */
function idOf({name, id}, menu) {
    const there = menu.find(entry => entry.name === name);
    if (there) return there.id;
    if (id.length > MOST_ID)
        id = `${id.slice(0, MOST_ID - 9)}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
    const other = menu.find(entry => entry.id.toLowerCase() === id);
    if (other)
        throw new Error(
            `menu: the id ${id} is taken by '${other.name}' in ${MENU}; remove that entry first`,
        );
    return id;
}

/** @returns {Promise<Entry[]>} */
async function readMenu() {
    try {
        const menu = JSON.parse(await readFile(MENU, 'utf8'));
        if (menu.some((/** @type {Entry} */ {id}) => !isId(id)))
            throw new Error('an id is not a plain name');
        return menu;
    } catch (error) {
        throw new Error(
            `menu: ${MENU} cannot be read (${/** @type {Error} */ (error).message}); git checkout ${MENU} brings it back`,
        );
    }
}

/** What the command-line tool prints. @param {string[]} words */
function headlight(...words) {
    const {status, stdout, stderr, error} = spawnSync(HEADLIGHT, words, {encoding: 'utf8'});
    if (error)
        throw new Error(
            `tool: ${HEADLIGHT} cannot be run (${error.message}); make native builds it`,
        );
    if (status)
        throw new Error(
            stderr.trim().split('\n').at(-1) || `tool: headlight ${words[0]} ended with ${status}`,
        );
    return stdout;
}

/** Fetches a model of the hub; its commit. @param {Wanted} wanted @param {string} to */
function fetchModel({name, revision}, to) {
    const printed = headlight('fetch', revision ? `${name}@${revision}` : name, to);
    return /at commit ([0-9a-f]{40})\n$/.exec(printed)?.[1] ?? '';
}

/** A folder under models/ is replaced as a whole. @param {string} from @param {string} id */
async function place(from, id) {
    const part = join(MODELS, `.${id}.part`);
    await rm(part, {recursive: true, force: true});
    await cp(from, part, {recursive: true});
    await rm(join(MODELS, id), {recursive: true, force: true});
    await rename(part, join(MODELS, id));
}

/** @param {Entry[]} menu @param {Omit<Entry, 'url' | 'files' | 'bytes'>} what */
async function enter(menu, what) {
    const folder = join(MODELS, what.id);
    const all = (await readdir(folder, {recursive: true})).sort();
    const stats = await Promise.all(all.map(file => stat(join(folder, file))));
    const files = all.filter((_, i) => stats[i].isFile());
    const {id, name, ...rest} = what;
    const entry = {
        id,
        name,
        url: `models/${id}/`,
        files,
        bytes: stats.reduce((sum, at) => sum + (at.isFile() ? at.size : 0), 0),
        ...rest,
    };
    const at = menu.findIndex(other => other.id === id);
    if (at >= 0) menu[at] = entry;
    else menu.push(entry);
    await writeFile(`${MENU}.part`, `${JSON.stringify(menu, null, 4)}\n`);
    await rename(`${MENU}.part`, MENU);
    return entry.bytes;
}

/** @param {Wanted} wanted */
async function add(wanted) {
    const {name} = wanted;
    const menu = await readMenu();
    const id = idOf(wanted, menu);
    const scratch = await mkdtemp(join(tmpdir(), 'headlight-model-'));
    try {
        const fetched = join(scratch, 'fetched');
        const commit = wanted.folder ? '' : fetchModel(wanted, fetched);
        headlight('convert', wanted.folder ?? fetched, join(scratch, 'out'), '--shard', SHARD);
        await place(join(scratch, 'out'), id);
        const note = commit
            ? {note: `from ${HUB}/${name}, commit ${commit}, converted to int8`, commit}
            : {note: 'converted to int8'};
        const bytes = await enter(menu, {id, name, ...note});
        const from = commit ? `${name} at commit ${commit}` : `the folder ${wanted.folder}`;
        console.log(`${MODELS}/${id}: ${(bytes / 1e6).toFixed(1)} MB, ${from}`);
    } finally {
        await rm(scratch, {recursive: true});
    }
}

/** @param {Wanted} wanted */
function checkPinned({name, folder, revision = 'main'}) {
    if (!folder && !/^[0-9a-f]{40}$/.test(revision))
        throw new Error(
            `name: ${name} has to name a commit, so that the same weights come each time: ${name}@ and the 40 digits that adding ${name} without --pinned prints`,
        );
}

const words = process.argv.slice(2);
const options = words.filter(word => word.startsWith('-'));
try {
    const names = words.filter(word => !options.includes(word));
    const unknown = options.find(option => option !== '--pinned');
    if (!names.length || unknown)
        throw new Error(
            `usage: ${unknown ? `there is no option ${unknown}; ` : ''}node build/add_model.mjs [--pinned] OWNER/NAME[@REVISION] | FOLDER ...`,
        );
    const wanted = names.map(parse);
    if (options.length) wanted.forEach(checkPinned);
    for (const model of wanted) await add(model);
} catch (error) {
    console.error(`add_model: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    process.exit(1);
}
