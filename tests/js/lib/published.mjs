/* published - for tests of build/published.mjs: a hub on this machine that has, under the name of each
 * published model, one random checkpoint of BERT-base's layers and heads (12 × 12), narrow, whose vocabulary
 * has the articles' words; and the command, run against it.
 */
import {spawn} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {writeRandomModel} from '../../bench/random_model.mjs';
import {startHub} from './hub.mjs';
import {root} from './model.mjs';

export const rows = JSON.parse(readFileSync(`${root}build/published.json`, 'utf8'));

function vocabulary() {
    const words = rows.flatMap(({text, textB}) => `${text} ${textB}`.match(/\p{L}+|[.,]/gu));
    const all = [...words, ...words.map(word => word.toLowerCase())].filter(
        word => word !== 'strawberries',
    );
    return ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'straw', '##berries', ...new Set(all)];
}

/** @param {string} folder for the checkpoint @param {string} [pickled] the model that the hub has as a
 * pickle only */
export async function startPublishedHub(folder, pickled = '') {
    const vocab = vocabulary();
    const shape = {layers: 12, heads: 12, hidden: 96, inner: 96, positions: 64};
    writeRandomModel(folder, {...shape, vocab: vocab.length}, 0.3);
    writeFileSync(`${folder}/vocab.txt`, vocab.join('\n'));
    writeFileSync(`${folder}/tokenizer_config.json`, '{"do_lower_case": false}');
    const files = Object.fromEntries(
        readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`)]),
    );
    const {'model.safetensors': weights, ...rest} = files;
    const pickle = {...rest, 'pytorch_model.bin': weights};
    return startHub(
        Object.fromEntries(
            rows.map(({model}) => [model, {files: model === pickled ? pickle : files}]),
        ),
    );
}

/** Not spawnSync: the hub answers in this thread. @param {string} url of the hub @param {string[]} words
 * @returns {Promise<{status: number, stdout: string, stderr: string, kept: string[]}>} kept: in the reader's cache */
export const runPublished = (url, ...words) =>
    new Promise(done => {
        const {HF_HOME: _, HF_HUB_CACHE: __, ...env} = process.env;
        const cache = mkdtempSync(join(tmpdir(), 'headlight-cache-'));
        const child = spawn(process.execPath, [`${root}build/published.mjs`, ...words], {
            cwd: root,
            env: {...env, XDG_CACHE_HOME: cache, HF_ENDPOINT: url, no_proxy: '*'},
        });
        const said = {stdout: '', stderr: ''};
        for (const name of ['stdout', 'stderr'])
            child[name].on('data', data => {
                said[name] += data;
            });
        child.on('close', status => {
            const kept = readdirSync(cache);
            rmSync(cache, {recursive: true});
            done({status, kept, ...said});
        });
    });
