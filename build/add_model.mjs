#!/usr/bin/env node
/* add_model - puts models of the Hugging Face hub on the menu of the site: node build/add_model.mjs
 * [--pinned] OWNER/NAME[@REVISION] ... Fetches a model's folder at the commit that the revision
 * names now, converts it to int8 in files of up to 95 MB (headlight convert) under
 * models/OWNER--NAME, and writes its entry with that commit into models/index.json. A model that is
 * on the menu keeps its id, and nothing else is replaced. --pinned refuses a revision that is not a
 * commit: a site that is built anew then has the same weights. HUB=address takes another hub;
 * HEADLIGHT=file another command-line tool. Run it before make site.
 */
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isId} from '../web/base/model_names.js';
import {describe, download, HUB, parseObject} from './hub.mjs';

const HEADLIGHT = process.env.HEADLIGHT ?? 'build/out/native/headlight';
const MODELS = process.env.MODELS_FOLDER ?? 'models';
const MENU = join(MODELS, 'index.json');
const SHARD = '95'; // megabytes; git refuses files above 100
const SMALL = [
    'config.json',
    'tokenizer_config.json',
    'tokenizer.json',
    'vocab.txt',
    'special_tokens_map.json',
];
const WEIGHTS = 'model.safetensors';
const INDEX = `${WEIGHTS}.index.json`;
const MOST_ID = 64; // isId takes no longer one

/** @typedef {{id: string, name: string, url: string, files: string[], bytes: number, note?: string,
 *     commit?: string}} Entry
 * @typedef {{owner: string, name: string, revision: string}} Wanted */

/** The hub has no name with '--' or '..', so that OWNER--NAME stands for one model.
 * @param {string} text @returns {Wanted} */
function parse(text) {
    const [, owner, name, revision = 'main'] =
        /^(\w[\w.-]*)\/(\w[\w.-]*)(?:@(\w[\w./-]*))?$/.exec(text) ?? [];
    if (!name || text.includes('..') || `${owner}/${name}`.includes('--')) {
        throw new Error(
            `name: '${text}' is not a model's name; expected is OWNER/NAME or OWNER/NAME@REVISION`,
        );
    }
    return {owner, name, revision};
}

/** @param {Wanted} wanted @param {Entry[]} menu */
function idOf({owner, name}, menu) {
    const full = `${owner}/${name}`;
    const there = menu.find(entry => entry.name === full);
    if (there) return there.id;
    let id = `${owner}--${name}`.toLowerCase();
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

/** The names of the files that hold the weights. @param {import('./hub.mjs').Repository} repository
 * @param {string} folder */
async function weightsOf(repository, folder) {
    if (repository.files.has(WEIGHTS)) return [WEIGHTS];
    const full = `${repository.owner}/${repository.name}`;
    if (!repository.files.has(INDEX)) {
        throw new Error(
            `hub: ${full} has no ${WEIGHTS}, and only that format is read; where a pull request on the hub converts it, ` +
                `add ${full}@refs/pr/NUMBER`,
        );
    }
    await download(repository, INDEX, folder);
    const {weight_map: map} = parseObject(
        await readFile(join(folder, INDEX), 'utf8'),
        `${INDEX} of ${full}`,
    );
    const names = [...new Set(Object.values(map ?? {}))];
    if (!names.length || names.some(name => typeof name !== 'string'))
        throw new Error(`weights: the weight_map in ${INDEX} of ${full} names no files`);
    return names;
}

/** @param {import('./hub.mjs').Repository} repository @param {string} folder */
async function fetchModel(repository, folder) {
    if (!repository.files.has('config.json'))
        throw new Error(
            `hub: ${repository.owner}/${repository.name} has no config.json; it is not a model that can be read`,
        );
    for (const name of SMALL.filter(file => repository.files.has(file)))
        await download(repository, name, folder);
    for (const name of await weightsOf(repository, folder))
        await download(repository, name, folder);
}

/** @param {string} from @param {string} to */
function convert(from, to) {
    const {status, stderr, error} = spawnSync(HEADLIGHT, ['convert', from, to, '--shard', SHARD], {
        encoding: 'utf8',
    });
    if (error)
        throw new Error(
            `tool: ${HEADLIGHT} cannot be run (${error.message}); make native builds it`,
        );
    if (status) throw new Error(stderr.trim() || `tool: ${HEADLIGHT} convert ended with ${status}`);
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
    const files = (await readdir(join(MODELS, what.id))).sort();
    const sizes = await Promise.all(
        files.map(async file => (await stat(join(MODELS, what.id, file))).size),
    );
    const {id, name, ...rest} = what;
    const entry = {
        id,
        name,
        url: `models/${id}/`,
        files,
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        ...rest,
    };
    const at = menu.findIndex(other => other.id === id);
    if (at >= 0) menu[at] = entry;
    else menu.push(entry);
    await writeFile(`${MENU}.part`, `${JSON.stringify(menu, null, 4)}\n`);
    await rename(`${MENU}.part`, MENU);
    return entry.bytes;
}

/** @param {Wanted} wanted @param {boolean} pinned */
async function add(wanted, pinned) {
    const {owner, name, revision} = wanted;
    const full = `${owner}/${name}`;
    const menu = await readMenu();
    const id = idOf(wanted, menu);
    const repository = await describe(owner, name, revision);
    const {commit} = repository;
    if (pinned && revision !== commit)
        throw new Error(
            `name: ${full} has to name a commit, so that the same weights come each time; now it is ${full}@${commit}`,
        );
    const folder = await mkdtemp(join(tmpdir(), 'headlight-model-'));
    try {
        await fetchModel(repository, folder);
        convert(folder, join(folder, 'converted'));
        await place(join(folder, 'converted'), id);
        const bytes = await enter(menu, {
            id,
            name: full,
            note: `from ${HUB}/${full}, commit ${commit}, converted to int8`,
            commit,
        });
        console.log(`${MODELS}/${id}: ${(bytes / 1e6).toFixed(1)} MB, ${full} at commit ${commit}`);
    } finally {
        await rm(folder, {recursive: true});
    }
}

const words = process.argv.slice(2);
const options = words.filter(word => word.startsWith('-'));
try {
    const names = words.filter(word => !options.includes(word));
    const unknown = options.find(option => option !== '--pinned');
    if (!names.length || unknown)
        throw new Error(
            `usage: ${unknown ? `there is no option ${unknown}; ` : ''}node build/add_model.mjs [--pinned] OWNER/NAME[@REVISION] ...`,
        );
    const wanted = names.map(parse);
    for (const model of wanted) await add(model, options.includes('--pinned'));
} catch (error) {
    console.error(`add_model: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    process.exit(1);
}
