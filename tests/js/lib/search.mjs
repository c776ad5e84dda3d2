/* search - an index with its labels shuffled among the words of each sentence, for tests of what
 * bars claim: the file's own bytes, with its checks made anew by C's rule.
 */
const BLOCK = 1 << 18;
const MASK = (1n << 64n) - 1n;
const STEP = 0xbf58476d1ce4e5b9n,
    LAST = 0x94d049bb133111ebn;

/** As index_hash of src/search/index.c. */
function hash(bytes) {
    const sums = Array.from({length: 8}, (_, i) => (0x9e3779b97f4a7c15n * BigInt(i + 1)) & MASK);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    for (; at + 64 <= bytes.length; at += 64)
        for (let i = 0; i < 8; i++) {
            sums[i] = ((sums[i] ^ view.getBigUint64(at + 8 * i, true)) * STEP) & MASK;
            sums[i] ^= sums[i] >> 32n;
        }
    for (; at < bytes.length; at++)
        sums[at % 8] = ((sums[at % 8] ^ BigInt(bytes[at])) * LAST) & MASK;
    return sums.reduce((all, sum) => {
        const next = ((all ^ sum) * LAST) & MASK;
        return next ^ (next >> 29n);
    }, BigInt(bytes.length));
}

const TYPES = {
    I8: Int8Array,
    U8: Uint8Array,
    I16: Int16Array,
    U16: Uint16Array,
    F16: Uint16Array,
    I32: Int32Array,
    F32: Float32Array,
    I64: BigInt64Array,
};

/** Its tensors, Map name -> typed array. @param {Buffer} file */
export function tensorsOf(file) {
    const size = Number(file.readBigUInt64LE(0));
    const {__metadata__: _, ...header} = JSON.parse(file.subarray(8, 8 + size).toString());
    const read = ({dtype, data_offsets: [begin, end]}) =>
        new TYPES[dtype](Uint8Array.from(file.subarray(8 + size + begin, 8 + size + end)).buffer);
    return new Map(Object.entries(header).map(([name, entry]) => [name, read(entry)]));
}

/** A float of 16 bits. @param {number} bits */
export function halfOf(bits) {
    const [power, rest] = [(bits >> 10) & 31, bits & 1023];
    return power ? 2 ** (power - 15) * (1 + rest / 1024) : rest / 2 ** 24;
}

/** Numbers of 0..1 by a seed (mulberry32). */
function random(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** The tokens of each word, by sentence. */
function wordsOf(sentences, words) {
    let at = 0;
    return sentences.map(tokens => {
        const groups = new Map();
        for (const end = at + tokens; at < end; at++)
            if (words[at] >= 0) groups.set(words[at], [...(groups.get(words[at]) ?? []), at]);
        return [...groups.values()];
    });
}

/** @param {Buffer} whole @param {number} seed */
export function shuffled(whole, seed) {
    const file = Buffer.from(whole);
    const size = Number(file.readBigUInt64LE(0));
    const header = JSON.parse(file.subarray(8, 8 + size).toString());
    const of = (name, Type) => {
        const [begin, end] = header[name].data_offsets.map(offset => 8 + size + offset);
        return {begin, end, values: new Type(Uint8Array.from(file.subarray(begin, end)).buffer)};
    };
    const lengths = of('sentences', Int32Array).values.filter((_, i) => i % 4 === 0);
    const groups = wordsOf(Array.from(lengths), of('words', Int32Array).values);
    const labels = ['tags', 'relations'].map(name => of(name, Int16Array));
    const draw = random(seed);
    for (const words of groups) {
        const order = words.map((_, i) => i);
        for (let i = order.length - 1; i > 0; i--) {
            const k = Math.floor(draw() * (i + 1));
            [order[i], order[k]] = [order[k], order[i]];
        }
        const before = labels.map(({values}) => words.map(([first]) => values[first]));
        for (const [i, word] of words.entries())
            for (const token of word)
                for (const [l, {values}] of labels.entries()) values[token] = before[l][order[i]];
    }
    for (const {begin, values} of labels) Buffer.from(values.buffer).copy(file, begin);
    return checked(file, header, size);
}

/** The same file with the checks of its tensors. */
function checked(file, header, size) {
    const tensors = Object.entries(header)
        .filter(([name]) => name !== '__metadata__' && name !== 'checks')
        .sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0]);
    let at = 8 + size + header.checks.data_offsets[0];
    for (const [
        name,
        {
            data_offsets: [begin, end],
        },
    ] of tensors)
        for (let from = begin; from < end; from += BLOCK, at += 8) {
            const bytes = file.subarray(8 + size + from, 8 + size + Math.min(from + BLOCK, end));
            if (name === 'tags' || name === 'relations') file.writeBigUInt64LE(hash(bytes), at);
        }
    return file;
}
