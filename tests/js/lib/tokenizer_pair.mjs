// tokenizer_pair - the same texts through our tokenizer (build/out/native/tokenize_driver) and
// through the Rust library (npm tokenizers), and the first difference between the two. Used by
// tokenizer_parity.test.mjs.
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {inflateRawSync} from 'node:zlib';
import {
    AddedToken,
    Tokenizer,
    WordPiece,
    bertNormalizer,
    bertPreTokenizer,
    bertProcessing,
} from 'tokenizers';

const root = new URL('../../../', import.meta.url).pathname;
const folder = `${root}build/out/test/`;
const SPECIAL = ['[UNK]', '[CLS]', '[SEP]', '[MASK]', '[PAD]'];

export function buildDriver() {
    mkdirSync(folder, {recursive: true});
    execFileSync('make', ['-s', 'build/out/native/tokenize_driver'], {cwd: root, stdio: 'inherit'});
}

export function write(name, content) {
    writeFileSync(folder + name, content);
    return folder + name;
}

const models = new Map();
async function model(file) {
    if (!models.has(file)) models.set(file, await WordPiece.fromFile(file));
    return models.get(file);
}

// A vocab.txt for both sides. config: do_lower_case, strip_accents, tokenize_chinese_chars.
export async function fromVocab(file, config) {
    const lowercase = config.do_lower_case ?? true;
    const tokenizer = new Tokenizer(await model(file));
    tokenizer.setNormalizer(
        bertNormalizer({
            cleanText: true,
            handleChineseChars: config.tokenize_chinese_chars ?? true,
            lowercase,
            stripAccents: config.strip_accents ?? lowercase,
        }),
    );
    tokenizer.setPreTokenizer(bertPreTokenizer());
    const [sep, cls] = ['[SEP]', '[CLS]'].map(piece => [piece, tokenizer.tokenToId(piece)]);
    tokenizer.setPostProcessor(bertProcessing(sep, cls));
    // those that vocab.txt lacks get the next ids, in this order
    const named = ['[UNK]', '[SEP]', '[PAD]', '[CLS]', '[MASK]'];
    tokenizer.addAddedTokens(named.map(piece => new AddedToken(piece, true, {normalized: false})));
    return {tokenizer, file, config: write('tokenizer_config.json', JSON.stringify(config))};
}

// A tokenizer.json for both sides; `parts` replaces members of it.
export function fromJson(name, vocab, parts = {}) {
    const ids = Object.fromEntries([...SPECIAL, ...vocab].map((piece, id) => [piece, id]));
    const step = (kind, id, type_id) => ({[kind]: {id, type_id}});
    const [cls, a, sep] = [
        step('SpecialToken', '[CLS]', 0),
        step('Sequence', 'A', 0),
        step('SpecialToken', '[SEP]', 0),
    ];
    const special = id => ({id, ids: [ids[id]], tokens: [id]});
    const file = {
        version: '1.0',
        truncation: null,
        padding: null,
        added_tokens: SPECIAL.map((content, id) =>
            added(id, content, {special: true, normalized: false}),
        ),
        normalizer: {
            type: 'BertNormalizer',
            clean_text: true,
            handle_chinese_chars: true,
            strip_accents: null,
            lowercase: true,
        },
        pre_tokenizer: {type: 'BertPreTokenizer'},
        post_processor: {
            type: 'TemplateProcessing',
            single: [cls, a, sep],
            pair: [cls, a, sep, step('Sequence', 'B', 1), step('SpecialToken', '[SEP]', 1)],
            special_tokens: {'[CLS]': special('[CLS]'), '[SEP]': special('[SEP]')},
        },
        decoder: null,
        model: {
            type: 'WordPiece',
            unk_token: '[UNK]',
            continuing_subword_prefix: '##',
            max_input_chars_per_word: 100,
            vocab: ids,
        },
        ...parts,
    };
    return wholeJson(name, file);
}

// The same of a whole file.
export function wholeJson(name, file) {
    const text = JSON.stringify(file);
    return {tokenizer: Tokenizer.fromString(text), file: write(`${name}.json`, text), config: ''};
}

export const added = (id, content, flags = {}) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: true,
    special: false,
    ...flags,
});

// texts: strings, or pairs [a, b]. Returns one Int32Array of rows of six for each.
export function ours({file, config}, texts, maxTokens) {
    const records = texts.flatMap(text => {
        const [a, b] = (Array.isArray(text) ? text : [text, null]).map(s =>
            s === null ? null : Buffer.from(s),
        );
        const sizes = Buffer.from(new Int32Array([a.length, b ? b.length : -1]).buffer);
        return b ? [sizes, a, b] : [sizes, a];
    });
    const out = execFileSync(
        `${root}build/out/native/tokenize_driver`,
        [file, config, String(maxTokens)],
        {input: Buffer.concat(records), maxBuffer: 2 ** 31 - 1},
    );
    const numbers = new Int32Array(out.buffer, out.byteOffset, out.length / 4);
    const encodings = [];
    for (let at = 0; at < numbers.length; at += 3 + 6 * numbers[at]) {
        encodings.push(numbers.subarray(at + 3, at + 3 + 6 * numbers[at]));
    }
    return encodings;
}

// How many tokens stay of two texts: as tests/golden/truncation.json has it of 0.23.3. The npm package, 0.23.2, is asked for
// whole pairs only.
function keptOf(counts, limit) {
    const longer = counts[0] <= counts[1] ? 1 : 0;
    if (counts[0] + counts[1] <= limit) return counts;
    const shorter = Math.min(counts[1 - longer], Math.floor(limit / 2));
    return longer ? [shorter, limit - shorter] : [limit - shorter, shorter];
}

function shortened(encoding, most) {
    const sentences = encoding.getSequenceIds();
    const count = number => sentences.filter(sentence => sentence === number).length;
    const counts = [count(0), count(1)];
    const left = keptOf(counts, most - (sentences.length - counts[0] - counts[1]));
    const stays = sentences.map(sentence => sentence === null || left[sentence]-- > 0);
    const read = name => () => encoding[name]().filter((_, i) => stays[i]);
    const names = [
        'getIds',
        'getOffsets',
        'getWordIds',
        'getTypeIds',
        'getSequenceIds',
        'getTokens',
    ];
    return {getNSequences: () => 2, ...Object.fromEntries(names.map(name => [name, read(name)]))};
}

// Throws at the first difference in ids, types, offsets, sentence or word. Returns how many tokens
// were compared.
export async function compare(pair, texts, maxTokens = 1 << 30) {
    const pairs = Array.isArray(texts[0]); // encodeBatch takes none
    if (maxTokens < 1 << 30 && !pairs)
        pair.tokenizer.setTruncation(maxTokens, {strategy: 'LongestFirst'});
    const theirs = pairs
        ? (await Promise.all(texts.map(([a, b]) => pair.tokenizer.encode(a, b)))).map(encoding =>
              shortened(encoding, maxTokens),
          )
        : await pair.tokenizer.encodeBatch(texts);
    pair.tokenizer.disableTruncation();
    const mine = ours(pair, texts, maxTokens);
    if (mine.length !== texts.length)
        throw new Error(`${mine.length} encodings of ${texts.length} texts`);
    let tokens = 0;
    theirs.forEach((encoding, i) => {
        tokens += mine[i].length / 6;
        const place = difference(encoding, mine[i]);
        if (place !== null) throw new Error(explain(texts[i], encoding, mine[i], place));
    });
    return tokens;
}

function difference(encoding, rows) {
    const ids = encoding.getIds(),
        offsets = encoding.getOffsets(),
        words = encoding.getWordIds();
    const single = encoding.getNSequences() < 2; // then all types are 0, and sentences go with words
    const types = single ? null : encoding.getTypeIds(),
        sentences = single ? null : encoding.getSequenceIds();
    for (let k = 0; k < ids.length; k++) {
        const r = 6 * k,
            word = words[k] ?? -1;
        const type = types ? types[k] : 0,
            sentence = sentences ? (sentences[k] ?? -1) : Math.min(word, 0);
        const same =
            rows[r] === ids[k] &&
            rows[r + 1] === type &&
            rows[r + 2] === offsets[k][0] &&
            rows[r + 3] === offsets[k][1] &&
            rows[r + 4] === sentence &&
            rows[r + 5] === word;
        if (!same) return k;
    }
    return rows.length === 6 * ids.length ? null : ids.length;
}

function explain(text, encoding, rows, k) {
    const theirs = [
        encoding.getIds()[k],
        encoding.getTypeIds()[k],
        ...(encoding.getOffsets()[k] ?? []),
        encoding.getSequenceIds()[k],
        encoding.getWordIds()[k],
        encoding.getTokens()[k],
    ];
    const from = Math.max(0, Math.min(theirs[2] ?? 0, rows[6 * k + 2] ?? 0) - 10);
    const near = Array.isArray(text)
        ? JSON.stringify(text).slice(0, 200)
        : [...text].slice(from, from + 40).join('');
    const codes = [...near].map(c => c.codePointAt(0).toString(16)).join(' ');
    return (
        `token ${k}: ours ${rows.subarray(6 * k, 6 * k + 6).join(' ')}, theirs ${theirs.join(' ')} (id type from to ` +
        `sentence word), near ${JSON.stringify(near)} = ${codes}`
    );
}

// The files of a ZIP archive as strings.
function readZip(file) {
    const zip = readFileSync(file);
    let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from('PK\x05\x06')) + 16);
    const texts = [];
    while (zip.readUInt32LE(at) === 0x02014b50) {
        const size = zip.readUInt32LE(at + 20);
        const [name, extra, comment] = [28, 30, 32].map(offset => zip.readUInt16LE(at + offset));
        const local = zip.readUInt32LE(at + 42);
        const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
        const bytes = zip.subarray(start, start + size);
        texts.push((zip.readUInt16LE(at + 10) ? inflateRawSync(bytes) : bytes).toString('utf8'));
        at += 46 + name + extra + comment;
    }
    return texts.filter(Boolean);
}

// UDHR in 388 languages, and the test sentences of UD, in the folder of shared data.
export function realTexts(shared) {
    const texts = readZip(`${shared}text/udhr2.zip`);
    for (const corpus of readdirSync(`${shared}ud`)) {
        for (const file of readdirSync(`${shared}ud/${corpus}`).filter(name =>
            name.endsWith('-test.conllu'),
        )) {
            const lines = readFileSync(`${shared}ud/${corpus}/${file}`, 'utf8').split('\n');
            texts.push(
                ...lines.filter(line => line.startsWith('# text = ')).map(line => line.slice(9)),
            );
        }
    }
    return texts;
}

/** Characters for `make test`: all up to U+30FF, where most have rules of their own, and of the others one in
 * eight; all of them with LONG. @param {string[]} characters */
export const sampled = characters =>
    process.env.LONG
        ? characters
        : characters.filter((c, i) => c.codePointAt(0) < 0x3100 || i % 8 === 0);
