// unicode_table - writes build/unicode_exceptions.h: where the Rust library `tokenizers` and
// utf8proc disagree. It asks the npm package `tokenizers` about every Unicode scalar value and
// compares with unicode_dump.c. Run by `make unicode-table` (after an update of either); a
// difference it has no words for stops it.
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {
    AddedToken,
    bertNormalizer,
    bertPreTokenizer,
    nfdNormalizer,
    nfkdNormalizer,
    stripAccentsNormalizer,
    Tokenizer,
    WordPiece,
} from 'tokenizers';

const [dump, target] = process.argv.slice(2);
const off = {cleanText: false, handleChineseChars: false, stripAccents: false, lowercase: false};
const clean = bertNormalizer({...off, cleanText: true});
const strip = bertNormalizer({...off, stripAccents: true});
const lower = bertNormalizer({...off, lowercase: true});
const split = bertPreTokenizer();
const nfd = nfdNormalizer();
const nfkd = nfkdNormalizer();
const marks = stripAccentsNormalizer();
const text = cp => String.fromCodePoint(cp);
const hex = cp => `0x${cp.toString(16).toUpperCase().padStart(4, '0')}`;

const rows = execFileSync(dump, {encoding: 'utf8', maxBuffer: 1 << 28})
    .trim()
    .split('\n')
    .map(line => {
        const [own, compatible] = line.split(' | ');
        const [cp, category, klass, lowered, ...parts] = own.split(' ');
        const whole = list => String.fromCodePoint(...list.map(p => parseInt(p, 16)));
        return {
            cp: parseInt(cp, 16),
            category,
            klass: +klass,
            lowered: parseInt(lowered, 16),
            decomposed: whole(parts),
            compatible: whole(compatible.split(' ')),
        };
    });

// One mark of each combining class that both sides order alike, to find a mark's class by what it
// swaps with.
const probes = new Map();
for (const {cp, klass} of rows) {
    const first = '\u0334'; // of class 1
    const moves = () =>
        klass === 1 || nfd.normalizeString(`a${text(cp)}${first}`) === `a${first}${text(cp)}`;
    if (klass && cp < 0x1000 && !probes.has(klass) && moves()) probes.set(klass, text(cp));
}
// True when the library orders the mark as its class says; false when it takes it for a starter.
function ordersAlike(row) {
    const mark = text(row.cp);
    let moved = false;
    for (const [klass, probe] of probes) {
        if (probe === mark) continue;
        const after = nfd.normalizeString(`a${probe}${mark}`) === `a${mark}${probe}`;
        const before = nfd.normalizeString(`a${mark}${probe}`) === `a${probe}${mark}`;
        moved ||= after || before;
        if (after === (row.klass < klass && row.klass > 0) && before === row.klass > klass)
            continue;
        if (moved) throw new Error(`U+${hex(row.cp)}: another combining class than ${row.klass}`);
        return false;
    }
    return true;
}

// \w of a regular expression: what may not stand before an added token that must be a single word.
const tokenizer = new Tokenizer(WordPiece.init({'[UNK]': 0}));
tokenizer.addAddedTokens([new AddedToken('@@', false, {singleWord: true, normalized: false})]);
async function wordCharacters() {
    const found = new Set();
    const size = 8; // few: the library looks through all that stands before each
    for (let i = 0; i < rows.length; i += size) {
        const some = rows.slice(i, i + size).filter(({cp}) => cp !== 0x40);
        const encoding = await tokenizer.encode(
            some.map(({cp}) => `${text(cp)}@@ `).join(''),
            null,
        );
        const ends = new Set(
            encoding.getIds().flatMap((id, k) => (id === 1 ? [encoding.getOffsets()[k][1]] : [])),
        );
        some.forEach(({cp}, k) => ends.has(k * 4 + 3) || found.add(cp));
    }
    return found;
}
const words = await wordCharacters();

// \p{L} and \p{N} of a regular expression in a tokenizer.json, which is another engine's.
function matcher(pattern) {
    const pre_tokenizer = {
        type: 'Split',
        pattern: {Regex: pattern},
        behavior: 'Isolated',
        invert: false,
    };
    const model = {type: 'WordPiece', unk_token: 'a', continuing_subword_prefix: '', vocab: {a: 0}};
    const file = {version: '1.0', added_tokens: [], pre_tokenizer};
    file.model = {...model, max_input_chars_per_word: 1};
    const split = Tokenizer.fromString(JSON.stringify(file)).getPreTokenizer();
    return ({cp}) => split.preTokenizeString(`\u0001${text(cp)}\u0001`).length === 3;
}
const isLetter = matcher('\\p{L}'),
    isNumber = matcher('\\p{N}');

const isAlike = {
    DROPPED: ({cp, category}) => {
        const ours =
            (['Cc', 'Cf', 'Co'].includes(category) && ![9, 10, 13].includes(cp)) || cp === 0xfffd;
        return ours === (clean.normalizeString(`a${text(cp)}b`) === 'ab');
    },
    PUNCTUATION: ({cp, category}) => {
        const ours = category[0] === 'P' || (cp < 0x80 && 'SP'.includes(category[0]));
        return ours === (split.preTokenizeString(`a${text(cp)}b`).length === 3);
    },
    ACCENT: row =>
        row.decomposed !== text(row.cp) ||
        nfd.normalizeString(text(row.cp)) !== text(row.cp) ||
        (row.category === 'Mn') === (strip.normalizeString(text(row.cp)) === ''),
    NFD: row => {
        const theirs = nfd.normalizeString(text(row.cp));
        if (theirs !== row.decomposed && theirs !== text(row.cp))
            throw new Error(`${hex(row.cp)}: another decomposition`);
        if (theirs !== row.decomposed) return false;
        return (
            theirs !== text(row.cp) || (!/^M/.test(row.category) && !row.klass) || ordersAlike(row)
        );
    },
    WORD: ({cp, category}) => /^[LM]|N[dl]|Pc/.test(category) === words.has(cp),
    LETTER: row => (row.category[0] === 'L') === isLetter(row),
    NUMBER: row => (row.category[0] === 'N') === isNumber(row),
    MARK: ({cp, category}) =>
        (category[0] === 'M') === (marks.normalizeString(`a${text(cp)}b`) === 'ab'),
    NFKD: ({cp, decomposed, compatible}) => {
        const theirs = nfkd.normalizeString(text(cp));
        if (compatible === decomposed || theirs === compatible) return true;
        if (theirs !== nfd.normalizeString(text(cp)))
            throw new Error(`${hex(cp)}: another compatibility decomposition`);
        return false;
    },
};
const bits = Object.fromEntries(Object.keys(isAlike).map((name, i) => [name, 1 << i]));

// Ranges of neighbours with the same answer.
function ranges(items, same) {
    const out = [];
    for (const item of items) {
        const last = out.at(-1);
        if (last && last.last + 1 === item.cp && same(last, item)) last.last = item.cp;
        else out.push({...item, first: item.cp, last: item.cp});
    }
    return out;
}

const differing = rows
    .map(row => ({cp: row.cp, what: Object.keys(bits).filter(name => !isAlike[name](row))}))
    .filter(({what}) => what.length);
const lowered = rows
    .map(row => ({cp: row.cp, ours: row.lowered, theirs: lower.normalizeString(text(row.cp))}))
    .filter(({cp, ours, theirs}) => cp !== 0x130 && theirs !== text(ours))
    .map(({cp, ours, theirs}) => {
        if (ours !== cp || [...theirs].length !== 1)
            throw new Error(`${hex(cp)}: another lower case`);
        return {cp, distance: theirs.codePointAt(0) - cp};
    });
const table = ranges(differing, (a, b) => a.what.join() === b.what.join());
const late = ranges(lowered, (a, b) => a.distance === b.distance);

writeFileSync(
    target,
    `/* unicode_exceptions - generated by build/unicode_table.mjs (make unicode-table); do not edit.
 * Where the Rust library tokenizers and utf8proc disagree: code points whose property is turned over
 * (EXCEPT_NFD: no decomposition and combining class 0; EXCEPT_NFKD: no compatibility decomposition), and letters that got their lower case after Unicode 15.
 */
#ifndef UNICODE_EXCEPTIONS_H
#define UNICODE_EXCEPTIONS_H

#include <stdint.h>

enum { ${Object.entries(bits)
        .map(([name, bit]) => `EXCEPT_${name} = ${bit}`)
        .join(', ')} };

static const struct unicode_exception {
    int32_t first, last;
    uint16_t what;
} unicode_exceptions[] = {
${lines(table.map(r => `{${hex(r.first)}, ${hex(r.last)}, ${r.what.reduce((sum, name) => sum + bits[name], 0)}}`))}
};

static const struct late_lower {
    int32_t first, last, distance;
} unicode_late_lower[] = {
${lines(late.map(({first, last, distance}) => `{${hex(first)}, ${hex(last)}, ${distance}}`))}
};

#endif
`,
);

function lines(items) {
    const out = ['   '];
    for (const item of items) {
        if (out.at(-1).length + item.length > 116) out.push('   ');
        out[out.length - 1] += ` ${item},`;
    }
    return out.join('\n');
}
const count = name => differing.filter(({what}) => what.includes(name)).length;
console.log(
    Object.keys(bits)
        .map(name => `${name} ${count(name)}`)
        .join(', '),
    `LOWER ${lowered.length};`,
    `${table.length} + ${late.length} ranges`,
);
