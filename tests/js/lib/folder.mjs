/* folder - a model folder on a local server for the tests of files.js and load.js: what was asked
 * for, what arrived, and how a refusal is checked.
 */
import {openFolder} from '../../../web/files/folder.js';
import {loadModel} from '../../../web/files/load.js';
import {serveRoutes} from './fakes.mjs';

export const WEIGHTS = Buffer.from(Array.from({length: 3000}, (_, i) => i % 251));
export const GOOD = {
    '/m/config.json': '{"model_type": "bert"}',
    '/m/tokenizer_config.json': '{}',
    '/m/vocab.txt': '[PAD]\n[UNK]\n',
    '/m/model.safetensors': WEIGHTS,
};

/** Loads a folder into a recorder in place of the worker. */
export async function load(source, options = {}) {
    const sent = [];
    const progress = [];
    const folder = await openFolder(source, {
        stallMs: 5000,
        onProgress: step => progress.push(step),
        ...options,
    });
    const send = async (op, args) => {
        sent.push(op === 'loadBytes' ? {op, bytes: Buffer.from(args.bytes)} : {op, ...args});
        if (options.answer?.[op]) return options.answer[op](args);
        return op === 'loadEnd' ? {warnings: []} : [];
    };
    const model = await loadModel(folder, send, {store: 'q8'});
    const weights = Buffer.concat(
        sent.filter(({op}) => op === 'loadBytes').map(({bytes}) => bytes),
    );
    return {model, sent, progress, weights};
}

export async function withServer(t, routes) {
    const server = await serveRoutes(routes);
    t.after(server.close);
    return {server, source: {url: `${server.url}/m/`}};
}

export const status =
    (code, body = '', headers = {}) =>
    (_, response) =>
        response.writeHead(code, headers).end(body);
