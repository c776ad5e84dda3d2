#!/usr/bin/env node
/* add_model - puts a model of the Hugging Face hub on the menu of the site: node build/add_model.mjs OWNER/NAME[@REVISION] ...
 * Fetches its folder, converts it to int8 in files of up to 95 MB (headlight convert) under models/, and writes its entry into
 * models/index.json. HUB=address takes another hub; HEADLIGHT=file another command-line tool. Run it before make site.
 */
import {spawnSync} from 'node:child_process';
import {createWriteStream} from 'node:fs';
import {cp, mkdtemp, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';

const HUB = (process.env.HUB ?? 'https://huggingface.co').replace(/\/+$/, '');
const HEADLIGHT = process.env.HEADLIGHT ?? 'build/out/native/headlight';
const MODELS = process.env.MODELS_FOLDER ?? 'models';
const SHARD = '95';   // megabytes; git refuses files above 100
const SMALL = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'vocab.txt', 'special_tokens_map.json'];
const INDEX = 'model.safetensors.index.json';

/** @param {string} text */
function parse(text) {
    const found = /^([\w-][\w.-]*)\/([\w-][\w.-]*)(?:@([\w-][\w.-]*))?$/.exec(text);
    if (!found) throw new Error(`'${text}' is not a model's name; expected is OWNER/NAME or OWNER/NAME@REVISION`);
    const [, owner, name, revision = 'main'] = found;
    return {owner, name, revision, id: name.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+/, '') || 'model'};
}

/** False when there is no such file. @param {string} base @param {string} name @param {string} folder */
async function fetchFile(base, name, folder) {
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`'${name.slice(0, 60)}' is not a plain file name`);
    const answer = await fetch(base + name).catch(error => { throw new Error(`${base + name} cannot be reached (${error.cause?.code ?? error.message})`); });
    if (answer.status === 404) return false;
    if (!answer.ok || !answer.body) throw new Error(`${base + name}: the server answered ${answer.status}` +
        (answer.status === 401 || answer.status === 403 ? '; a gated or private model cannot be published so' : ''));
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(join(folder, name)));
    return true;
}

/** @param {string} base @param {string} folder */
async function fetchModel(base, folder) {
    if (!await fetchFile(base, 'config.json', folder)) throw new Error(`${base} has no config.json; check the name`);
    for (const name of SMALL.slice(1)) await fetchFile(base, name, folder);
    if (await fetchFile(base, 'model.safetensors', folder)) return;
    if (!await fetchFile(base, INDEX, folder)) throw new Error(`${base} has no model.safetensors; only that format is read`);
    const {weight_map: map} = JSON.parse(await readFile(join(folder, INDEX), 'utf8'));
    for (const name of new Set(Object.values(map))) {
        if (!await fetchFile(base, String(name), folder)) throw new Error(`${base} has no ${name}, which its index names`);
    }
}

/** @param {string} id @param {string} name @param {string} note */
async function enter(id, name, note) {
    const files = (await readdir(join(MODELS, id))).sort();
    const sizes = await Promise.all(files.map(async file => (await stat(join(MODELS, id, file))).size));
    const entry = {id, name, url: `models/${id}/`, files, bytes: sizes.reduce((sum, size) => sum + size, 0), note};
    const path = join(MODELS, 'index.json');
    const menu = JSON.parse(await readFile(path, 'utf8'));
    const at = menu.findIndex((/** @type {{id: string}} */ other) => other.id === id);
    if (at >= 0) menu[at] = entry;
    else menu.push(entry);
    await writeFile(path, `${JSON.stringify(menu, null, 4)}\n`);
    return entry.bytes;
}

/** @param {string} from @param {string} to */
async function convert(from, to) {
    const {status, stderr, error} = spawnSync(HEADLIGHT, ['convert', from, to, '--shard', SHARD], {encoding: 'utf8'});
    if (error) throw new Error(`${HEADLIGHT} cannot be run (${error.message}); make native builds it`);
    if (status) throw new Error(stderr.trim());
}

/** @param {string} text */
async function add(text) {
    const {owner, name, revision, id} = parse(text);
    const folder = await mkdtemp(join(tmpdir(), 'headlight-model-'));
    try {
        await fetchModel(`${HUB}/${owner}/${name}/resolve/${revision}/`, folder);
        await convert(folder, join(folder, 'converted'));
        await rm(join(MODELS, id), {recursive: true, force: true});
        await cp(join(folder, 'converted'), join(MODELS, id), {recursive: true});
        const bytes = await enter(id, `${owner}/${name}`, `from ${HUB}/${owner}/${name}, revision ${revision}, converted to int8`);
        console.log(`${MODELS}/${id}: ${(bytes / 1e6).toFixed(1)} MB`);
    } finally {
        await rm(folder, {recursive: true});
    }
}

const names = process.argv.slice(2);
try {
    if (!names.length) throw new Error('usage: node build/add_model.mjs OWNER/NAME[@REVISION] ...');
    names.forEach(parse);
    for (const name of names) await add(name);
} catch (error) {
    console.error(`add_model: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
    process.exit(1);
}
