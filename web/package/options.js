/* options - checks what programmers pass to the package before the worker gets it: an unknown
 * option, or a value of the wrong kind, is refused with what is allowed ("state: sentence"), never
 * reinterpreted. TypeScript says the same earlier.
 */
import {fileError, HeadlightError, reason, stateError} from '../base/errors.js';
import {placeOf} from '../base/model_names.js';
import {checkTarget} from './kinds.js';

/** @import {ModelInfo} from './head-light' */

/** @param {unknown} value in the words of a program */
const written = value =>
    value === undefined
        ? 'undefined'
        : typeof value === 'number'
          ? String(value)
          : (JSON.stringify(value) ?? typeof value);

/** @param {string} what @param {unknown} value @param {string} expected @returns {never} */
function refuse(what, value, expected) {
    throw stateError(`${what} is ${written(value)}; ${expected} was expected`);
}

/** An object with only these keys. @param {string} call @param {unknown} options
 * @param {string[]} allowed @param {string} [expected] */
function checkKeys(call, options, allowed, expected = 'an object') {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
        refuse(`what ${call} was given as options`, options, expected);
    for (const key of Object.keys(/** @type {object} */ (options))) {
        if (!allowed.includes(key))
            throw stateError(`${call} has no option '${key}'; it takes: ${allowed.join(', ')}`);
    }
}

/** @param {string} what @param {unknown} value @param {string[]} names */
function checkName(what, value, names) {
    if (!names.includes(/** @type {string} */ (value)))
        refuse(what, value, `one of ${names.join(', ')}`);
}

/** A whole number from 0 to below `end`. @param {string} what @param {unknown} value
 * @param {number} end */
function checkIndex(what, value, end) {
    const fits = Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
    if (!fits)
        refuse(
            what,
            value,
            end === Infinity ? 'a whole number from 0 on' : `a whole number from 0 to ${end - 1}`,
        );
}

/** @param {string} what @param {unknown} value */
function checkCount(what, value, most = Infinity) {
    if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > most)
        refuse(what, value, `a whole number from 1 ${most === Infinity ? 'on' : `to ${most}`}`);
}

/** A list of objects that have these fields and no others.
 * @param {string} name of the option @param {unknown} list
 * @param {Record<string, (what: string, value: any) => void>} fields
 * @param {string[]} [optional] names of them that may be missing */
function checkRows(name, list, fields, optional = []) {
    const form = `{${Object.keys(fields)
        .map(key => (optional.includes(key) ? `${key}?` : key))
        .join(', ')}}`;
    if (!Array.isArray(list)) refuse(name, list, `a list of ${form}`);
    for (const row of /** @type {any[]} */ (list)) {
        const keys = typeof row === 'object' && row !== null ? Object.keys(row) : [];
        const missing = Object.keys(fields).some(
            key => !keys.includes(key) && !optional.includes(key),
        );
        if (!keys.length || missing || keys.some(key => !Object.hasOwn(fields, key)))
            refuse(`an entry of ${name}`, row, form);
        for (const key of keys)
            if (row[key] !== undefined || !optional.includes(key))
                fields[key](`the ${key} in ${name}`, row[key]);
    }
}

/** @param {string} what @param {unknown} value */
function checkString(what, value) {
    if (typeof value !== 'string') refuse(what, value, 'a string');
}

/** @param {string} what @param {unknown} value @param {string} [expected] */
function checkFunction(what, value, expected = 'a function') {
    if (value !== undefined && typeof value !== 'function') refuse(what, value, expected);
}

/** A list of whole numbers, each from 0 to below `end`; absent: none. @param {string} name of the option
 * @param {any} list @param {string} of what it is a list @param {string} one of them @param {number} end */
function checkIndexes(name, list, of, one, end) {
    if (list !== undefined && !Array.isArray(list)) refuse(name, list, `a list of ${of}`);
    for (const index of list ?? []) checkIndex(one, index, end);
}

/** @param {number} end @returns {(what: string, value: any) => void} */
const below = end => (what, value) => checkIndex(what, value, end);

/** @param {string} what @param {unknown} value */
function checkFlag(what, value) {
    if (typeof value !== 'boolean') refuse(what, value, 'true or false');
}

/** @param {any} signal absent: what was asked cannot be cancelled */
function checkSignal(signal) {
    const fits =
        typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
    if (signal !== undefined && signal !== null && !fits)
        refuse('the signal', signal, 'an AbortSignal');
}

/** A file of a browser, or what node_engine.js makes of one. @param {any} one */
const isFile = one =>
    typeof one?.name === 'string' && typeof one.size === 'number' && Boolean(one.stream);

const isAddress = (/** @type {unknown} */ given) =>
    given instanceof URL || (typeof given === 'string' && given !== '');

/** @param {any} source */
export function checkSource(source) {
    if (Array.isArray(source)) {
        const other = source.findIndex(one => !isFile(one));
        if (source.length && other < 0) return;
        throw fileError(
            `${source.length ? `entry ${other} of the list` : 'the list'} that load was given is ` +
                `${written(source.length ? source[other] : source)}; the files of a model's folder were expected`,
        );
    }
    const name = source?.url ?? source?.hub ?? source;
    if (!isAddress(name))
        throw fileError(
            `load was given ${written(source)}; org/name of the Hugging Face hub, the address of a model's folder, or its files, was expected`,
        );
}

/** The ids of the site's menu, which are no names of the hub. */
const MENU = typeof HEADLIGHT_MENU === 'object' ? HEADLIGHT_MENU : [];
const ALONE = /^\w[\w.-]{0,95}(@\w[\w./-]{0,199})?$/;

/** @param {string} text */
export const isOfMenu = text => MENU.includes(text);

/** A string is org/name or org/name@revision of the hub, the name of one that has no organisation
 * there, or an address. @param {import('./head-light').Source} source
 * @returns {import('../files/folder.js').ModelSource} */
export function sourceOf(source) {
    if (Array.isArray(source)) return {files: source};
    if (typeof source !== 'string' && !(source instanceof URL)) return source;
    const text = String(source);
    if (ALONE.test(text) && !isOfMenu(text)) return {hub: text};
    return placeOf(text) ?? {url: text};
}

/** What progress calls a model: as the program named it. @param {any} source @returns {string} */
export const nameOf = source =>
    Array.isArray(source)
        ? (source[0]?.webkitRelativePath?.split('/')[0] ?? '')
        : String(source.hub ?? source.url ?? source);

const MOST_THREADS = 8; // TEAM_MOST of the C side

/** Where worker and wasm come from. @param {any} options of load */
export function checkSurroundings(options) {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
        refuse('what load was given as options', options, 'an object such as {store: "f32"}');
    const {workerUrl, wasmUrl, wasmBytes, makeWorker} = options;
    for (const [name, url] of Object.entries({workerUrl, wasmUrl}))
        if (url !== undefined && !isAddress(url))
            refuse(name, url, 'an address, as a string or a URL,');
    checkFunction('makeWorker', makeWorker, 'a function that makes a worker');
    if (options.threads !== undefined) checkCount('threads', options.threads, MOST_THREADS);
    const isBytes = wasmBytes instanceof ArrayBuffer || ArrayBuffer.isView(wasmBytes);
    if (wasmBytes !== undefined && !isBytes)
        refuse(
            'wasmBytes',
            wasmBytes,
            "an ArrayBuffer or a Uint8Array with headlight.wasm's bytes",
        );
}

/** @param {any} options of load, without those of the surroundings */
export function checkLoad(options) {
    checkKeys('load', options, ['store', 'random', 'signal', 'onProgress', 'progress_callback']);
    if (options.store !== undefined) checkName('the store', options.store, ['q8', 'f32']);
    if (options.random !== undefined) checkName('random', options.random, ['layers', 'all']);
    for (const name of ['onProgress', 'progress_callback']) checkFunction(name, options[name]);
    checkSignal(options.signal);
}

/** What `run` takes: a text, or a list, whose second texts, if any, are a list as long.
 * @param {unknown} text @param {any} options @returns {[string, any][] | null} null: no list */
export function checkList(text, options) {
    if (!Array.isArray(text)) return null;
    const {pair, target} = options ?? {};
    for (const [name, list] of Object.entries({pair, target}))
        if (list !== undefined && !(Array.isArray(list) && list.length === text.length))
            refuse(`the ${name}`, list, `a list of ${text.length} texts, as the first ones are,`);
    return text.map((one, i) => [
        one,
        {...options, ...(pair && {pair: pair[i]}), ...(target && {target: target[i]})},
    ]);
}

/** @param {string} call @param {unknown} text */
export function checkText(call, text) {
    if (typeof text !== 'string')
        throw new HeadlightError(
            'text',
            `${call} was given ${written(text)}; a text was expected, and a second one as {pair}`,
        );
}

const PAIR = "an object such as {pair: 'a second text'}";

/** @param {any} options */
export function checkTokenize(options) {
    checkKeys('tokenize', options, ['pair', 'signal'], PAIR);
    if (options.pair !== undefined) checkString('the pair', options.pair);
    checkSignal(options.signal);
}

/** @param {unknown} options @param {ModelInfo} info @param {string} [call] */
export function checkSimilarity(options, info, call = 'similarity') {
    checkKeys(call, options, ['precision', 'signal']);
    const {precision, signal} = /** @type {{precision?: unknown, signal?: unknown}} */ (options);
    checkSignal(signal);
    if (precision !== undefined) checkName('the precision', precision, PRECISIONS);
    if (!info.predicts.includes('embedding'))
        throw stateError(
            `this model makes no embeddings of texts; ${call} needs a sentence-transformers folder, ` +
                'with modules.json and 1_Pooling/config.json',
        );
}

const PRECISIONS = ['usual', 'fast', 'fine'];
const RUN = [
    ...['pair', 'target', 'write', 'precision', 'keep', 'ablate', 'ablateMlps', 'replace'],
    ...['swap', 'patch', 'positions', 'types', 'appended', 'signal'],
];

/** @param {unknown} keep @param {ModelInfo} info */
function checkKeep(keep, info) {
    if (!Array.isArray(keep)) refuse('keep', keep, 'a list of names of tensors');
    const tensors = [...info.tensors, ...(info.second?.tensors ?? [])];
    const names = [...new Set(tensors.map(tensor => tensor.name))];
    for (const name of /** @type {any[]} */ (keep)) {
        const [, map, layer, head] = /^(attention|scores)\.(\d+)(?:\.(\d+))?$/.exec(name) ?? [];
        checkName('a tensor to keep', map ?? name, names);
        if (layer) checkIndex('the layer of a map to keep', Number(layer), info.layers);
        if (head) checkIndex('the head of a map to keep', Number(head), info.heads);
    }
}

/** @param {any} patch @param {ModelInfo} info */
function checkPatch(patch, info) {
    checkKeys('patch', patch, ['text', 'pair', 'tokens', 'heads', 'from']);
    const {text, pair = '', tokens = [], heads = [], from = []} = patch;
    checkString('the text to patch from', text);
    checkString('the pair of the text to patch from', pair);
    checkRows('tokens', tokens, {layer: below(info.layers), position: below(Infinity)});
    checkRows('heads', heads, {layer: below(info.layers), head: below(info.heads)});
    if (!Array.isArray(from) || from.some(n => !Number.isInteger(n) || n < -1))
        refuse(
            'from',
            from,
            'a list with a token of the other text for each of this one, -1: none',
        );
}

/** @param {any} options @param {ModelInfo} info */
export function checkRun(options, info) {
    checkKeys('run', options, RUN, PAIR);
    const {pair, precision, keep = [], ablate = [], replace = [], swap = []} = options;
    checkSignal(options.signal);
    if (pair !== undefined) checkString('the pair', pair);
    checkTarget(options, info);
    if (precision !== undefined) checkName('the precision', precision, PRECISIONS);
    checkKeep(keep, info);
    const place = {
        layer: below(info.layers),
        head: below(info.heads),
        neuron: below(info.headWidth),
    };
    checkRows('ablate', ablate, place, ['neuron']);
    const {ablateMlps, appended} = options;
    checkIndexes('ablateMlps', ablateMlps, 'layers', 'a layer of ablateMlps', info.layers);
    checkRows('replace', replace, {position: below(Infinity), token: checkString});
    checkRows('swap', swap, {position: below(Infinity), with: below(Infinity)});
    if (options.patch !== undefined) checkPatch(options.patch, info);
    checkIndexes('appended', appended, 'ids of tokens', 'an appended id', info.vocab);
    for (const name of ['positions', 'types'])
        if (options[name] !== undefined) checkFlag(`the option ${name}`, options[name]);
}

/** @param {string} call @param {unknown} requests @param {any} options */
export function checkReading(call, requests, options) {
    checkKeys(call, options, ['signal']);
    checkSignal(options.signal);
    if (!Array.isArray(requests)) refuse(`what ${call} was given`, requests, 'a list of {name, …}');
    for (const request of /** @type {any[]} */ (requests))
        if (typeof request !== 'object' || request === null)
            refuse(`an entry of ${call}`, request, '{name, …}');
}

/** @param {any} request @param {ModelInfo} info */
export function checkTensor({name, layer, ...more}, info) {
    const names = info.tensors.map(tensor => tensor.name);
    checkName('the tensor', name, names);
    checkKeys('a tensor', more, []);
    if (info.tensors[names.indexOf(name)].perLayer) checkIndex('the layer', layer, info.layers);
    else if (layer !== undefined)
        refuse(`the layer of ${name}`, layer, 'none (this tensor is not of a layer)');
}

/** @param {unknown} hide absent: nothing */
function checkHidden(hide = []) {
    if (!Array.isArray(hide)) refuse('hide', hide, "a list of 'specials', 'first' or both");
    for (const what of /** @type {any[]} */ (hide))
        checkName('what to hide', what, ['specials', 'first']);
}

/** @param {any} request @param {ModelInfo} info @param {number} count of tokens
 * @returns {{arguments: string[], compares: boolean}} what the measure needs */
export function checkMeasure({name, ...options}, info, count) {
    const found = info.measures.find(measure => measure.name === name);
    if (!found)
        refuse(
            'the measure',
            name,
            `one of ${info.measures.map(measure => measure.name).join(', ')}`,
        );
    const measure = /** @type {NonNullable<typeof found>} */ (found);
    // what is left out is one option
    const names = measure.arguments
        .filter(one => one !== 'without_special')
        .map(one => one.replace('without_first', 'hide'));
    const given = names.length ? names.join(', ') : 'nothing';
    for (const key of Object.keys(options))
        if (!names.includes(key))
            throw stateError(`the measure ${name} has no option '${key}'; it takes ${given}`);
    const ends = {layer: info.layers, head: info.heads, word: info.vocab};
    for (const key of names) {
        if (key === 'size') checkCount('the size', options.size, 512);
        else if (key === 'hide') checkHidden(options.hide);
        else
            checkIndex(
                `the ${key}`,
                options[key],
                ends[/** @type {keyof typeof ends} */ (key)] ?? count,
            );
    }
    return measure;
}

/** @param {unknown} positions @param {any} options @param {number} count of tokens */
export function checkPredict(positions, options, count) {
    checkKeys('predict', options, ['top', 'signal']);
    checkSignal(options.signal);
    if (options.top !== undefined) checkCount('the number of predictions', options.top);
    if (Array.isArray(positions))
        for (const position of positions) checkIndex('a position', position, count);
    else if (positions !== 'masks' && positions !== 'all')
        refuse('what predict was given', positions, "'masks', 'all' or a list of positions");
}

/** What goes to the worker as JSON: a function, a cycle or 10n would be found there only, too late for what the
 * worker holds. @param {string} what @param {unknown} value */
function checkJson(what, value) {
    try {
        JSON.stringify(structuredClone(value));
    } catch (error) {
        throw stateError(
            `${what} cannot be written as JSON (${reason(error).split('\n')[0]}); texts, numbers, lists and objects of these were expected`,
        );
    }
}

/** @param {unknown} corpus @param {any} options @param {ModelInfo} info */
export function checkIndexing(corpus, options, info) {
    if (typeof corpus !== 'string' && !(corpus instanceof Uint8Array))
        refuse('the corpus', corpus, 'a text, or the bytes of one,');
    checkKeys('index', options, ['layers', 'format', 'columns', 'names', 'onProgress', 'signal']);
    checkIndexes('layers', options.layers, 'layers', 'a layer of layers', info.layers);
    const {format, columns, names} = options;
    checkJson('what says how the corpus is read', {format, columns, names});
}

const TEXTS = 'a text, or a list of two';

/** What a question takes is checked by C. @param {any} question @param {unknown} text @param {any} options */
export function checkIntervene(question, text, options) {
    if (typeof question !== 'object' || question === null || Array.isArray(question))
        refuse('the question', question, "an object such as {intervention: 'decides'}");
    checkJson('the question', question);
    const texts = Array.isArray(text) ? text : [text];
    if (!texts.length || texts.length > 2 || texts.some(one => typeof one !== 'string'))
        refuse('the text', text, TEXTS);
    checkKeys('intervene', options, ['csv', 'signal', 'onProgress']);
    checkSignal(options.signal);
    checkFunction('onProgress', options.onProgress);
}

/** What it takes is checked by the index. @param {unknown} question */
export function checkQuestion(question) {
    if (typeof question !== 'object' || question === null || Array.isArray(question))
        refuse('the question', question, "an object such as {ask: 'head', layer: 1, head: 8}");
    checkJson('the question', question);
}

/** @param {unknown} file */
export function checkFile(file) {
    if (!(file instanceof Uint8Array)) refuse('the index', file, 'a Uint8Array of its file');
}

/** @param {unknown} position @param {any} options @param {number} count of tokens */
export function checkLens(position, options, count) {
    checkKeys('lens', options, ['top', 'signal']);
    checkSignal(options.signal);
    if (position !== 'all') checkIndex('the position', position, count);
    if (options.top !== undefined) checkCount('the number of predictions', options.top);
}

/** @param {any} options @param {ModelInfo} info @returns {any} them */
export function checkContinue(options, info) {
    checkKeys('continue', options, [...RUN, 'tokens', 'onToken']);
    const {tokens, onToken, ...rest} = options;
    checkRun(rest, info);
    if (tokens !== undefined) checkCount('the number of tokens', tokens);
    checkFunction('onToken', onToken);
    if (!info.predicts.includes('next_word'))
        throw stateError(
            'this model does not say the next token; continue needs a causal model, such as mini-gpt-en',
        );
    return options;
}
