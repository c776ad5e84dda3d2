/* hub - a Hugging Face hub on this machine, of two origins as the real one: the hub answers what a
 * repository holds and redirects each file to a store. The redirect carries a token that dies after
 * 2 seconds of `now`, a clock that only tests and breaks move on; the store refuses preflights, and
 * lets no other origin read Content-Range. `repositories`: 'owner/name' or 'owner/name@revision' ->
 * {files: {name: bytes}, closed, api, discussions, answers, token, moved}. token: without it the repository is
 * closed; moved: the name under which it is now, to which is redirected. api, and answers by the name of a
 * file, replace what is sent; an answer may be a function of {attempt, from, body} (attempt counts from 1;
 * from: where the asked part begins; body: what would be sent):
 *   {status, type, headers, body}   another answer
 *   {cut: bytes}                    then the connection ends
 *   {stall: bytes}                  then nothing comes; -1: not even a head
 *   {partless: true}                parts are not known here: the whole is sent
 *   {gzip: true}                    packed on the way
 *   {length: bytes}                 as the header says, whatever is sent
 *   {take: response => {}}          the test answers itself
 */
import {createHash} from 'node:crypto';
import {createServer} from 'node:http';
import {gzipSync} from 'node:zlib';

const TOKEN_SECONDS = 2;
const OPEN = {'access-control-allow-origin': '*'};
const hex = (kind, text) => createHash(kind).update(text).digest('hex');

function send(response, {status = 200, type = 'application/octet-stream', headers, ...answer}) {
    const {body, stall, length = body?.length, gzip, take} = answer;
    if (take) return take(response);
    const {cut = length > body?.length ? body.length : undefined} = answer;
    if (stall < 0) return;
    const sent = gzip ? gzipSync(body) : body;
    response.writeHead(status, {
        ...OPEN,
        'content-type': type,
        'content-length': gzip ? sent.length : length,
        ...(gzip && {'content-encoding': 'gzip'}),
        ...headers,
    });
    if (cut === undefined && stall === undefined) return response.end(sent);
    response.write(sent.subarray(0, cut ?? stall), () => {
        if (cut !== undefined) setTimeout(() => response.destroy(), 20); // after it has left
    });
}

async function listening(answer) {
    const server = createServer(answer);
    await new Promise(done => {
        server.listen(0, '127.0.0.1', done);
    });
    return {server, url: `http://127.0.0.1:${server.address().port}`};
}

/** As the hub does: the size of each file, and the SHA-256 of large ones (here: of weights). */
const siblings = files =>
    Object.entries(files).map(([rfilename, body]) => ({
        rfilename,
        size: body.length,
        ...(rfilename.endsWith('.safetensors') && {
            lfs: {size: body.length, sha256: hex('sha256', body)},
        }),
    }));

const json = (value, status = 200) => ({
    status,
    type: 'application/json',
    body: Buffer.from(JSON.stringify(value)),
});

/** A file as the store sends it, or the part that is asked for. */
function part(body, range, {partless = false}) {
    const [, first, last] = /^bytes=(\d+)-(\d+)?$/.exec(range ?? '') ?? [];
    if (first === undefined || partless) return {body};
    const [from, end] = [Number(first), Math.min(Number(last ?? body.length - 1), body.length - 1)];
    if (from >= body.length) return {status: 416, body: Buffer.alloc(0)};
    return {
        status: 206,
        headers: {'content-range': `bytes ${from}-${end}/${body.length}`},
        body: body.subarray(from, end + 1),
    };
}

/** The store: files by address and token. */
function createStore(found, clock, requests) {
    const attempts = new Map();
    return (request, response) => {
        const query = new URL(request.url, 'http://x').searchParams;
        const [name, revision, file] = query.getAll('of');
        const {range = '', authorization} = request.headers;
        requests.push({method: request.method, file, range, ...(authorization && {authorization})});
        if (request.method !== 'GET' || clock.now - Number(query.get('token')) > TOKEN_SECONDS)
            return send(response, {status: 403, body: Buffer.from('no')});
        const {files, answers = {}} = found(name, revision);
        const attempt = (attempts.get(request.url.split('&token')[0]) ?? 0) + 1;
        attempts.set(request.url.split('&token')[0], attempt);
        const from = Number(/^bytes=(\d+)/.exec(request.headers.range ?? '')?.[1] ?? 0);
        const answer =
            typeof answers[file] === 'function'
                ? answers[file]({attempt, from, body: files[file]})
                : answers[file];
        const {cut, stall} = answer ?? {};
        if (cut !== undefined || stall !== undefined) clock.now += TOKEN_SECONDS + 1;
        send(response, {...part(files[file], request.headers.range, answer ?? {}), ...answer});
    };
}

export async function startHub(repositories) {
    const clock = {now: 0};
    const requests = [];
    const found = (name, revision) =>
        repositories[revision === 'main' ? name : `${name}@${revision}`];
    const commitOf = (name, revision) =>
        found(name, revision)?.commit ?? hex('sha1', `${name}@${revision}`);
    const revisionsOf = name =>
        Object.keys(repositories)
            .filter(key => key.split('@')[0] === name)
            .map(key => key.split('@')[1] ?? 'main');
    const revisionOf = (name, asked) =>
        revisionsOf(name).find(revision => [revision, commitOf(name, revision)].includes(asked));
    const store = await listening(createStore(found, clock, requests));
    const hub = await listening((request, response) => {
        const {pathname} = new URL(request.url, 'http://x');
        requests.push({method: request.method, path: decodeURIComponent(pathname)});
        if (request.method !== 'GET') return send(response, {status: 403, body: Buffer.from('no')});
        const [, api, name, kind, asked = 'main', file] =
            /^(\/api\/models)?\/([^/]+(?:\/[^/]+)?)\/(revision|resolve|discussions)(?:\/([^/]+))?(?:\/(.+))?$/.exec(
                pathname,
            ) ?? [];
        const say = (status, error) => send(response, json({error}, status));
        if (!revisionsOf(name).length) return say(401, 'Invalid username or password.');
        const {moved, token} = found(name, 'main') ?? {};
        if (moved) {
            const location = request.url.replace(`/${name}/`, `/${moved}/`);
            return response.writeHead(307, {...OPEN, location}).end();
        }
        if (token && request.headers.authorization !== `Bearer ${token}`)
            return say(401, 'Invalid username or password.');
        if (kind === 'discussions')
            return send(response, json({discussions: found(name, 'main').discussions ?? []}));
        const revision = revisionOf(name, decodeURIComponent(asked));
        if (!revision) return say(404, `Invalid rev id: ${asked}`);
        const {files, closed, gated, api: told} = found(name, revision);
        if (closed || (gated && !api)) return say(401, 'Access to this model is restricted.');
        const sha = commitOf(name, revision);
        if (api)
            return send(
                response,
                (typeof told === 'function' ? told() : told) ??
                    json({sha, siblings: siblings(files)}),
            );
        if (!files[file]) return say(404, 'Entry not found');
        const of = [name, revision, file].map(value => ['of', value]);
        response
            .writeHead(302, {
                ...OPEN,
                location: `${store.url}/?${new URLSearchParams([...of, ['token', clock.now]])}`,
            })
            .end();
    });
    return {
        url: hub.url,
        clock,
        requests,
        commitOf,
        close() {
            for (const {server} of [hub, store]) {
                server.closeAllConnections();
                server.close();
            }
        },
    };
}
