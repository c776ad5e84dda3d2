/* hub - a Hugging Face hub on this machine, of two origins as the real one: the hub answers what a
 * repository holds and redirects each file to a store. `repositories`: 'owner/name' or
 * 'owner/name@revision' -> {files: {name: bytes}, closed, api, answers}. api, and answers by the
 * name of a file, replace what is sent: {status, type, body}, or {cut: bytes} (then the connection
 * ends), or {stall: bytes} (then nothing comes; -1: not even a head).
 */
import {createHash} from 'node:crypto';
import {createServer} from 'node:http';

const hex = (kind, text) => createHash(kind).update(text).digest('hex');

function send(response, {status = 200, type = 'application/octet-stream', body, cut, stall}) {
    if (stall < 0) return;
    response.writeHead(status, {'content-type': type, 'content-length': body.length});
    if (cut === undefined && stall === undefined) return response.end(body);
    response.write(body.subarray(0, cut ?? stall), () => {
        if (cut !== undefined) setTimeout(() => response.destroy(), 50);
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

export async function startHub(repositories) {
    const found = (name, revision) =>
        repositories[revision === 'main' ? name : `${name}@${revision}`];
    const commitOf = (name, revision) => hex('sha1', `${name}@${revision}`);
    const revisionsOf = name =>
        Object.keys(repositories)
            .filter(key => key.split('@')[0] === name)
            .map(key => key.split('@')[1] ?? 'main');
    const revisionOf = (name, asked) =>
        revisionsOf(name).find(revision => [revision, commitOf(name, revision)].includes(asked));
    const store = await listening((request, response) => {
        const [name, revision, file] = new URL(request.url, 'http://x').searchParams.getAll('of');
        const {files, answers = {}} = found(name, revision);
        send(response, {body: files[file], ...answers[file]});
    });
    const hub = await listening((request, response) => {
        const {pathname} = new URL(request.url, 'http://x');
        const [, api, name, asked, file] =
            /^(\/api\/models)?\/([^/]+\/[^/]+)\/(?:revision|resolve)\/([^/]+)(?:\/([^/]+))?$/.exec(
                pathname,
            ) ?? [];
        const say = (status, error) =>
            send(response, {
                status,
                type: 'application/json',
                body: Buffer.from(JSON.stringify({error})),
            });
        if (!revisionsOf(name).length) return say(401, 'Invalid username or password.');
        const revision = revisionOf(name, decodeURIComponent(asked));
        if (!revision) return say(404, `Invalid rev id: ${asked}`);
        const {files, closed, api: told} = found(name, revision);
        if (closed) return say(401, 'Access to this model is restricted.');
        if (api)
            return send(
                response,
                told ?? {
                    type: 'application/json',
                    body: Buffer.from(
                        JSON.stringify({sha: commitOf(name, revision), siblings: siblings(files)}),
                    ),
                },
            );
        if (!files[file]) return say(404, 'Entry not found');
        response
            .writeHead(302, {
                location: `${store.url}/?${new URLSearchParams([name, revision, file].map(value => ['of', value]))}`,
            })
            .end();
    });
    return {
        url: hub.url,
        commitOf,
        close() {
            for (const {server} of [hub, store]) {
                server.closeAllConnections();
                server.close();
            }
        },
    };
}
