/* hub_env - the environment's names for the Hugging Face hub, as Python's huggingface_hub
 * reads them: HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, HF_TOKEN (or the file that `hf auth login` writes),
 * HF_HUB_OFFLINE.
 */
import {readFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {stateError} from '../base/errors.js';
import {HUB} from '../base/model_names.js';

/** @typedef {Record<string, string | undefined>} Environment */

const isTrue = (/** @type {string | undefined} */ value) =>
    /^(1|on|yes|true)$/i.test(value?.trim() ?? '');

/** @param {string} path @param {Environment} env */
const expanded = (path, env) =>
    path
        .replace(/^~(?=$|[/\\])/, homedir())
        .replace(/\$\{?(\w+)\}?/g, (whole, name) => env[name] ?? whole);

/** @param {Environment} env */
const homeOf = env =>
    expanded(env.HF_HOME || join(env.XDG_CACHE_HOME || join('~', '.cache'), 'huggingface'), env);

/** A token, for the hub alone; '' for none. @param {Environment} env @param {string} home */
async function tokenOf(env, home) {
    const said = env.HF_TOKEN || env.HUGGING_FACE_HUB_TOKEN;
    if (said) return said.trim();
    if (isTrue(env.HF_HUB_DISABLE_IMPLICIT_TOKEN)) return '';
    const path = expanded(env.HF_TOKEN_PATH || join(home, 'token'), env);
    return (await readFile(path, 'utf8').catch(() => '')).trim();
}

/** @param {Environment} env */
function hostOf({HF_ENDPOINT: said}) {
    if (!said) return HUB;
    if (/^https?:\/\/[^\s/]+\/*$/.test(said)) return said.replace(/\/+$/, '');
    throw stateError(`HF_ENDPOINT is '${said}'; the address of a hub was expected, such as ${HUB}`);
}

/** @param {Environment} [env] */
export function hubEnvironment(env = process.env) {
    const home = homeOf(env);
    return {
        host: hostOf(env),
        cache: expanded(env.HF_HUB_CACHE || env.HUGGINGFACE_HUB_CACHE || join(home, 'hub'), env),
        offline: isTrue(env.HF_HUB_OFFLINE || env.TRANSFORMERS_OFFLINE),
        token: () => tokenOf(env, home),
    };
}
