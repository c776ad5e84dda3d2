#!/usr/bin/env node
/* published - small files of published models' attention, for the figures of the articles: node
 * build/published.mjs [FOLDER] [--only NAME] [--kept PLACE]. For each row of build/published.json (a model of the
 * Hugging Face hub, perhaps as OWNER/NAME@REVISION, and a text) the checkpoint is loaded from the hub
 * into our own WebAssembly, as float32, run once, and forgotten; what stays in FOLDER
 * (build/out/published) is
 *
 *     NAME.safetensors   attention.N [H, T, T], float16; tokens, sentences and model in the metadata: what
 *                        "imported attention" reads (web/save/attention.js writes both)
 *     index.json         a row a file: {name, model, bytes, sha256, asked, text, textB, figures: {"vig1.1":
 *                        {value, picked, from, to}}}
 *
 * figures: of each step of a lesson that names the file (web/lessons/data/), the number that the model
 * has there, the tokens to pin, and the words that the number lies between. build/site.mjs puts the
 * folder into the site; without it the site has an empty index, and the page shows no button. What
 * cannot be had is said in a line, is left out, and makes the exit status 1; the index has the
 * others. --kept: a folder or an address that an earlier run's files are at (published_kept.mjs): those that are
 * still what is asked for are taken from there, and the hub is asked for the others. HF_ENDPOINT=address takes another hub than huggingface.co.
 */
import {mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {HUB} from '../web/base/model_names.js';
import {load} from '../web/package/node.js';
import {FORMATS} from '../web/save/attention.js';
import {holds, pinnedBy, readSeen} from '../web/lessons/seen.js';
import {WASM} from './bundle.mjs';
import {askedOf, keptAt, sha256} from './published_kept.mjs';

const LIST = 'build/published.json';
const LESSONS = 'web/lessons/data/';
const FOLDER = 'build/out/published';
const host = (process.env.HF_ENDPOINT || HUB).replace(/\/+$/, '');
/** One model may take so long; a checkpoint of BERT-base has 440 MB. */
const PATIENCE = 1000 * (Number(process.env.HUB_PATIENCE) || 600);

/** @typedef {{name: string, model: string, text: string, textB: string}} Row
 * @typedef {{id: string, seen: import('../web/lessons/seen.js').Seen, picked: number[] | undefined}} Figure */

/** The rows of the list. @returns {Promise<Row[]>} */
export const publishedRows = async () => JSON.parse(await readFile(LIST, 'utf8'));

/** The steps that show a file, by its name. @returns {Promise<Map<string, Figure[]>>} */
export async function publishedFigures() {
    const figures = new Map();
    for (const file of (await readdir(LESSONS)).filter(name => name.endsWith('.json'))) {
        const {steps = []} = JSON.parse(await readFile(LESSONS + file, 'utf8'));
        for (const [i, {published, seen}] of steps.entries()) {
            if (!published) continue;
            const {name, state = {}} = published;
            const id = `${file.replace('.json', '')}.${i}`;
            const figure = {id, seen: published.seen ?? seen, picked: state.picked};
            figures.set(name, [...(figures.get(name) ?? []), figure]);
        }
    }
    return figures;
}

/** What numbers are read from: the result of a run, all of it at once.
 * @param {import('../web/package/head-light').Model} model @param {import('../web/package/head-light').Result} result */
async function sourceOf({info}, result) {
    const layers = await result.tensors(
        Array.from({length: info.layers}, (_, layer) => ({name: 'attention', layer})),
    );
    const {data} = await result.measure('patterns');
    const size = info.layers * info.heads;
    return {
        tokens: result.tokens.map(({token, ...rest}) => ({...rest, piece: token})),
        tensor: name => layers[Number(name.split('.')[1])],
        measure: name => {
            const at = info.patterns.indexOf(name) * size;
            return at < 0 ? null : data.subarray(at, at + size);
        },
        model: info,
    };
}

/** The numbers of a file's figures. @param {Awaited<ReturnType<typeof sourceOf>>} source
 * @param {Figure[]} figures */
function numbersOf(source, figures) {
    const rows = figures.map(({id, seen, picked}) => {
        const value = readSeen(source, seen);
        if (value === null) throw new Error(`lesson: the number of ${id} cannot be read`);
        if (!holds(value, seen))
            console.log(`published: ${id} has ${value.toFixed(3)}, not what its article says`);
        const {query = -1, keys = []} = seen;
        const piece = at => source.tokens[at]?.piece ?? '';
        const words = {from: piece(query), to: keys.map(piece).join(' + ')};
        return [id, {value, picked: picked ?? pinnedBy(source.tokens, seen), ...words}];
    });
    return Object.fromEntries(rows);
}

/** Writes the file of a row, and gives its entry of the index.
 * @param {Row} row @param {Figure[]} figures @param {string} folder */
async function make({name, model: hub, text, textB}, figures, folder) {
    const model = await load(
        {hub, host},
        {store: 'f32', wasmBytes: await readFile(WASM), signal: AbortSignal.timeout(PATIENCE)},
    );
    try {
        const source = await sourceOf(model, await model.run(text, {pair: textB}));
        const {layers, heads} = model.info;
        const parts = await FORMATS.half.make({
            model: hub,
            ...{tokens: source.tokens, layers, heads},
            read: async layer => source.tensor(`attention.${layer}`).data,
        });
        const bytes = Buffer.concat(parts);
        await writeFile(`${folder}/${name}.safetensors`, bytes);
        const entry = {name, model: hub, bytes: bytes.length, sha256: sha256(bytes)};
        return {
            ...{...entry, asked: askedOf({name, model: hub, text, textB}, figures), text, textB},
            figures: numbersOf(source, figures),
        };
    } finally {
        await model.dispose();
    }
}

/** @param {string[]} words of the command line */
function parse(words) {
    const rest = [...words];
    const [only, kept] = ['--only', '--kept'].map(name => {
        const at = rest.indexOf(name);
        return at < 0 ? '' : rest.splice(at, 2)[1];
    });
    const odd = rest.find(word => word.startsWith('-')) ?? rest[1];
    if (odd !== undefined || only === undefined || kept === undefined)
        throw new Error(
            `usage: ${odd ? `'${odd}' is not understood` : '--only and --kept need a value'}; node build/published.mjs [FOLDER] [--only NAME] [--kept PLACE]`,
        );
    return {folder: rest[0] ?? FOLDER, only, kept};
}

/** After each file, so that one who is cut short leaves an index that is right.
 * @param {object[]} index @param {string} folder */
const writeIndex = (index, folder) => writeFile(`${folder}/index.json`, JSON.stringify(index));

/** Where checkpoints lie while they are read: 440 MB each, of which none is kept unless a place for them is named. */
async function ownCache() {
    const {HF_HOME: home, HF_HUB_CACHE: named} = process.env;
    if (home || named) return '';
    return (process.env.HF_HUB_CACHE = await mkdtemp(join(tmpdir(), 'headlight-published-')));
}

async function main() {
    const {folder, only, kept: place} = parse(process.argv.slice(2));
    const all = await publishedRows();
    const rows = all.filter(({name}) => !only || name === only);
    if (!rows.length)
        throw new Error(
            `name: '${only}' is not in ${LIST}; it has ${all.map(({name}) => name).join(', ')}`,
        );
    const figures = await publishedFigures();
    const kept = await keptAt(place, line => console.log(`published: ${line}`));
    await rm(folder, {recursive: true, force: true});
    await mkdir(folder, {recursive: true});
    const index = [];
    await writeIndex(index, folder);
    const cache = await ownCache();
    for (const row of rows) {
        const asked = figures.get(row.name) ?? [];
        const had = kept.get(row.name);
        const isKept = had?.entry.asked === askedOf(row, asked);
        try {
            if (isKept) await writeFile(`${folder}/${row.name}.safetensors`, had.bytes);
            const entry = isKept ? had.entry : await make(row, asked, folder);
            index.push(entry);
            await writeIndex(index, folder);
            const from = isKept ? ', kept' : '';
            console.log(
                `${folder}/${row.name}.safetensors: ${entry.bytes} bytes, ${row.model}${from}`,
            );
        } catch (error) {
            const {message} = /** @type {Error} */ (error);
            console.error(`published: left out ${row.name}: ${message.split('\n')[0]}`);
        }
        if (cache) await rm(cache, {recursive: true, force: true});
    }
    if (index.length < rows.length) {
        console.error(
            `published: ${index.length} of ${rows.length} files are made; the page has no button for the others`,
        );
        process.exitCode = 1;
    }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
    await main().catch(error => {
        console.error(`published: ${error.message}`);
        process.exit(2);
    });
