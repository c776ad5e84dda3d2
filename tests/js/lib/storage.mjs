/* storage - the browser's Cache API as a map, with the rules of Cache.put: what was written counts
 * only when all of it has come. */

/** put reads the whole body and keeps it only at its end; at most `room` bytes, each part when
 * `pace` lets it. */
export function createStorage({room = Infinity, pace = async () => {}} = {}) {
    const entries = new Map();
    const cache = {
        async match(url) {
            const entry = entries.get(url);
            return entry && new Response(entry.body, {headers: entry.headers});
        },
        async put(url, response) {
            const parts = [];
            let size = 0;
            for await (const part of response.body) {
                await pace();
                size += part.length;
                if (size > room) throw new DOMException('full', 'QuotaExceededError');
                parts.push(Buffer.from(part));
            }
            entries.set(url, {
                body: Buffer.concat(parts),
                headers: Object.fromEntries(response.headers),
            });
        },
        async keys() {
            return [...entries.keys()].map(url => new Request(url));
        },
        async delete(url) {
            return entries.delete(url);
        },
    };
    const names = [];
    return {
        entries,
        names,
        async open(name) {
            names.push(name);
            return cache;
        },
    };
}
