/* The corpora that ship: sentences.conllu and long.conllu are valid CoNLL-U with whole trees in which
 * relations and word classes agree, pairs.tsv and pronouns.txt keep their notation, index.json and
 * README.md tell the truth about them. Not here: how the program reads such files. Rules:
 * universaldependencies.org/format.html and /guidelines.html. */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, root} from './lib/model.mjs';

const FOLDER = join(import.meta.dirname, '../../corpora');
const read = file => readFileSync(join(FOLDER, file), 'utf8');
const lines = text => text.replace(/\n+$/, '').split('\n');
const UPOS = new Set(
    'ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ VERB'.split(' '),
);

// Which word classes may stand in a relation. English: those of UD v2 that the corpus uses; any
// other is a fault.
const ANY = [...UPOS].join(' ');
const NOMINAL = 'NOUN PROPN PRON NUM ADJ DET';
const RELATIONS = {
    root: ANY,
    conj: ANY,
    fixed: ANY,
    parataxis: ANY,
    ccomp: ANY,
    xcomp: ANY,
    advcl: 'VERB ADJ NOUN',
    acl: 'VERB',
    'acl:relcl': 'VERB ADJ NOUN',
    csubj: 'VERB',
    nsubj: NOMINAL,
    'nsubj:pass': NOMINAL,
    obj: NOMINAL,
    iobj: NOMINAL,
    obl: `${NOMINAL} ADV`,
    'obl:unmarked': 'NOUN PROPN',
    'obl:agent': NOMINAL,
    nmod: NOMINAL,
    'nmod:poss': 'NOUN PROPN PRON',
    appos: NOMINAL,
    amod: 'ADJ VERB',
    advmod: 'ADV PART ADP',
    nummod: 'NUM',
    det: 'DET',
    'det:predet': 'DET',
    case: 'ADP PART ADV ADJ',
    mark: 'SCONJ PART',
    aux: 'AUX',
    'aux:pass': 'AUX',
    cop: 'AUX',
    cc: 'CCONJ ADV',
    'cc:preconj': 'CCONJ',
    compound: 'NOUN NUM',
    'compound:prt': 'ADP',
    flat: 'PROPN',
    expl: 'PRON',
    vocative: 'NOUN PROPN',
    discourse: 'INTJ',
    punct: 'PUNCT',
};
const CLASSES = Object.fromEntries(
    Object.entries(RELATIONS).map(([name, classes]) => [name, new Set(classes.split(' '))]),
);
const LEAVES = new Set(
    'det case mark aux aux:pass cop cc punct compound:prt expl nummod'.split(' '),
);

/** @param {string} block  @returns the sentence: comments, words, ranges (multiword tokens), and
 *                        what is wrong in form */
function parseSentence(block) {
    const faults = [],
        words = [],
        ranges = [],
        comments = {};
    for (const line of block.split('\n')) {
        const comment = /^# (\w+) = (.+)$/.exec(line);
        if (comment) comments[comment[1]] = comment[2];
        if (line.startsWith('#')) continue;
        const cells = line.split('\t');
        if (cells.length !== 10 || cells.some(c => c === '' || c !== c.trim()))
            faults.push(`columns: ${line}`);
        const [id, form, lemma, upos, , , head, deprel, , misc] = cells;
        const range = /^(\d+)-(\d+)$/.exec(id);
        const word = {id: Number(id), form, lemma, upos, head: Number(head), deprel, misc};
        if (range) ranges.push({from: Number(range[1]), to: Number(range[2]), form, misc});
        else words.push(word);
        if (range && range[1] !== String(words.length + 1)) faults.push(`range: ${line}`);
        if (!range && id !== String(words.length)) faults.push(`id: ${line}`);
        if (!range && lemma === '_') faults.push(`no lemma: ${line}`);
        if (misc !== '_' && misc !== 'SpaceAfter=No') faults.push(`misc: ${line}`);
    }
    for (const {from, to, form} of ranges) {
        if (
            words
                .slice(from - 1, to)
                .map(w => w.form)
                .join('') !== form
        )
            faults.push(`its words do not spell ${form}`);
    }
    return {comments, words, ranges, faults};
}

/** The text that forms, ranges and SpaceAfter spell. */
function spell({words, ranges}) {
    let text = '';
    for (let i = 0; i < words.length; i++) {
        const range = ranges.find(r => r.from === i + 1);
        const {form, misc} = range ?? words[i];
        text += form + (misc === 'SpaceAfter=No' ? '' : ' ');
        if (range) i = range.to - 1;
    }
    return text.trimEnd();
}

/** One root, heads in range, no cycle. */
function treeFaults(words) {
    const faults = [];
    if (words.filter(w => w.head === 0).length !== 1) faults.push('not one root');
    for (const w of words) {
        if (!(w.head >= 0 && w.head <= words.length)) return [...faults, `head: ${w.form}`];
        if ((w.head === 0) !== (w.deprel === 'root')) faults.push(`root: ${w.form}`);
        let at = w,
            steps = 0;
        while (at.head !== 0 && steps <= words.length)
            [at, steps] = [words[at.head - 1], steps + 1];
        if (steps > words.length) faults.push(`cycle: ${w.form}`);
    }
    return faults;
}

/** What a relation asks of its word, its head and their order. Heads are known to be in range. */
function relationFaults(words) {
    const faults = [];
    const depends = (head, ...names) =>
        words.some(w => w.head === head.id && names.includes(w.deprel));
    for (const w of words) {
        const head = words[w.head - 1];
        const fault = why =>
            faults.push(`${why}: ${w.form} <-${w.deprel}- ${head?.form ?? 'root'}`);
        if (!UPOS.has(w.upos) || !CLASSES[w.deprel]?.has(w.upos)) fault(`class ${w.upos}`);
        if ((w.upos === 'PUNCT') !== (w.deprel === 'punct')) fault('punctuation');
        if (!head) continue;
        const predicate = head.upos === 'VERB' || depends(head, 'cop');
        if (LEAVES.has(head.deprel) && !['fixed', 'advmod', 'compound'].includes(w.deprel))
            fault('dependent of a function word');
        if (/^(nsubj|csubj|expl|ccomp)/.test(w.deprel) && !predicate) fault('head is no predicate');
        if (/^(obj|iobj)$/.test(w.deprel) && head.upos !== 'VERB') fault('object of no verb');
        if (w.deprel === 'nsubj:pass' && !depends(head, 'aux:pass')) fault('no passive auxiliary');
        if (w.deprel === 'nsubj' && depends(head, 'aux:pass')) fault('active subject of a passive');
        if (/^(det|amod|nummod)/.test(w.deprel) && !/^(NOUN|PROPN|PRON)$/.test(head.upos))
            fault('head is no noun');
        if (
            w.deprel === 'case' &&
            w.id > head.id &&
            !["'s", "'"].includes(w.form) &&
            !/^Wh/.test(words[0].form)
        )
            fault('case after its head');
        if (/^(det|nummod|mark|cop|aux)/.test(w.deprel) && w.id > head.id && head.form !== 'Who')
            fault('after its head');
        if (/^(conj|fixed|flat|appos|acl|compound:prt)/.test(w.deprel) && w.id < head.id)
            fault('before its head');
        if (/^(nmod|case)/.test(w.deprel) && !/^(NOUN|PROPN|PRON|NUM|ADJ|DET|ADV)$/.test(head.upos))
            fault('head is no nominal');
        if (w.deprel === 'conj' && !depends(w, 'cc', 'punct')) fault('no conjunction');
    }
    return faults;
}

const crosses = (a, b) =>
    Math.min(a.id, a.head) < Math.min(b.id, b.head) &&
    Math.min(b.id, b.head) < Math.max(a.id, a.head) &&
    Math.max(a.id, a.head) < Math.max(b.id, b.head);
const crossing = words => words.some(a => words.some(b => crosses(a, b)));

/** @param {string} text of a CoNLL-U file @param {number[]} lengths of a sentence, in words  @returns {{sentences: any[], faults: string[]}} */
function checkConllu(text, [least, most] = [6, 20]) {
    const faults = [],
        seen = new Set();
    if (!text.endsWith('\n\n') || /\r|\n\n\n|^\n/.test(text))
        faults.push('one empty line after each sentence');
    const sentences = text.trimEnd().split('\n\n').map(parseSentence);
    for (const s of sentences) {
        const {sent_id: id, text: written} = s.comments;
        const own = [...s.faults, ...treeFaults(s.words)];
        if (!own.length) own.push(...relationFaults(s.words));
        if (spell(s) !== written) own.push(`text is not what the forms spell: ${spell(s)}`);
        for (const key of [id, written])
            if (!key || seen.has(key)) own.push(`missing or twice: ${key}`);
        seen.add(id).add(written);
        const length = s.words.filter(w => w.upos !== 'PUNCT').length;
        if (length < least || length > most) own.push(`${length} words`);
        faults.push(...own.map(fault => `${id}: ${fault}`));
    }
    return {sentences, faults};
}

function countRelations(sentences) {
    const counts = new Map();
    for (const {words} of sentences)
        for (const {deprel} of words) counts.set(deprel, (counts.get(deprel) ?? 0) + 1);
    return counts;
}

/** @param {string} text  one marked text  @returns the mentions before the pronoun and whether each
 *                                        is its antecedent */
function candidates(text) {
    const bare = text.replace(/\[[A-Za-z ]+\|\d\*?\]/g, 'word');
    assert.doesNotMatch(bare, /[[\]|*]/, `broken mark: ${text}`);
    assert.match(bare, /^[A-Z\w][^\t]*(?:[.!?]\t[A-Z\w][^\t]*)?[.!?]$/, text);
    const mentions = [...text.matchAll(/\[([^|]+)\|(\d)(\*?)\]/g)].map(
        ([, words, entity, star]) => ({words, entity, star}),
    );
    const pronouns = mentions.filter(m => m.star);
    assert.equal(pronouns.length, 1, `one pronoun: ${text}`);
    assert.match(pronouns[0].words, /^(he|she|it|they|him|her|them|his|its|their)$/i, text);
    const before = mentions.slice(0, mentions.indexOf(pronouns[0]));
    const right = before.map(m => m.entity === pronouns[0].entity);
    assert.equal(right.filter(Boolean).length, 1, `one antecedent: ${text}`);
    assert.ok(new Set(mentions.map(m => m.entity)).size > 1, `another candidate: ${text}`);
    return right;
}

test('sentences.conllu: form, trees, relations', () => {
    const {sentences, faults} = checkConllu(read('sentences.conllu'));
    assert.deepEqual(faults, []);
    assert.ok(sentences.length >= 220);
    assert.ok(
        sentences.filter(({words}) => crossing(words)).length <= 0.02 * sentences.length,
        'mostly projective',
    );
    const repeats = sentences.filter(({words}) => {
        const nouns = words.filter(w => w.upos === 'NOUN').map(w => w.form);
        return new Set(nouns).size < nouns.length;
    });
    assert.ok(repeats.length >= 5, 'some sentences with a repeated noun');
    assert.ok(sentences.filter(s => s.ranges.length).length >= 15, 'some with multiword tokens');
});

test('sentences.conllu: enough of each relation, and README.md counts them right', () => {
    const counts = countRelations(checkConllu(read('sentences.conllu')).sentences);
    const wanted = {nsubj: 200, obj: 120, amod: 120, advmod: 100, det: 150, case: 150};
    for (const [name, n] of Object.entries(wanted))
        assert.ok((counts.get(name) ?? 0) >= n, `${name}: ${counts.get(name)}`);
    const written = read('README.md').split('Relations:')[1].split('\n## ')[0];
    const table = [...written.matchAll(/ ([a-z:]+) \| (\d+) (?=\|)/g)].map(([, name, n]) => [
        name,
        Number(n),
    ]);
    assert.deepEqual(Object.fromEntries(table), Object.fromEntries(counts));
});

test('long.conllu: form, trees, relations; each sentence has what the syntactic roles are about', () => {
    const {sentences, faults} = checkConllu(read('long.conllu'), [20, 28]);
    assert.deepEqual(faults, []);
    assert.equal(sentences.filter(({words}) => crossing(words)).length, 0, 'projective');
    const short = new Set(checkConllu(read('sentences.conllu')).sentences.map(spell));
    for (const sentence of sentences) {
        const relations = new Set(sentence.words.map(({deprel}) => deprel));
        for (const wanted of ['nsubj', 'obj', 'amod', 'advmod'])
            assert.ok(relations.has(wanted), `${sentence.comments.sent_id}: ${wanted}`);
        assert.ok(!short.has(spell(sentence)));
    }
});

test('texts.txt: a sentence a line, none twice, 20,000 tokens and as many as README.md says', () => {
    const sentences = lines(read('texts.txt')).filter(Boolean);
    assert.equal(new Set(sentences).size, sentences.length);
    for (const line of sentences) {
        assert.match(line, /^["\p{Lu}].*[.?!,":]$|^Ludo$|^Harriet Poole$|^you asked /u, line);
        assert.ok(line.split(' ').length <= 45, line);
    }
    const ids = execFileSync(headlight, ['tokenize', join(root, 'models/mini2-en')], {
        input: sentences.join('\n'),
        encoding: 'utf8',
    });
    const counts = [sentences.join(' '), ids.replaceAll('\n', ' ').trim()].map(text =>
        text.split(' ').length.toLocaleString('en'),
    );
    assert.ok(read('README.md').includes(`${counts[0]} words, ${counts[1]} tokens`), `${counts}`);
});

test('the check finds a broken file', () => {
    const good =
        lines(read('sentences.conllu'))
            .slice(0, 60)
            .join('\n')
            .split('\n\n')
            .slice(0, 4)
            .join('\n\n') + '\n\n';
    assert.deepEqual(checkConllu(good).faults, []);
    const breaks = {
        'a column less': [/\t_\n/, '\n'],
        'an id twice': [/\n2\t/, '\n1\t'],
        'two roots': [/\t\d+\tdet\t/, '\t0\tdet\t'],
        'a head too far': [/\t\d+\tdet\t/, '\t99\tdet\t'],
        'a head of its own': [/\n1(\t.*\t)\d+(\t[a-z:]+\t_)/, '\n1$11$2'],
        'no such relation': ['\tnsubj\t', '\tsubj\t'],
        'no such class': ['\tNOUN\t', '\tNN\t'],
        'another text': ['text = ', 'text = x'],
        'a subject as determiner': ['\tnsubj\t', '\tdet\t'],
        'no empty line at the end': [/\n\n$/, '\n'],
        'a sentence twice': [good, good + good],
        'a space missing': ['SpaceAfter=No', '_'],
    };
    for (const [name, [from, to]] of Object.entries(breaks)) {
        const broken = good.replace(from, to);
        assert.notEqual(broken, good, name);
        assert.notEqual(checkConllu(broken).faults.length, 0, name);
    }
});

test('pairs.tsv: three labels in equal parts', () => {
    const [header, ...rows] = lines(read('pairs.tsv')).map(line => line.split('\t'));
    assert.deepEqual(header, ['sentence1', 'sentence2', 'label']);
    assert.ok(rows.length >= 110);
    assert.equal(
        new Set(rows.map(row => row.slice(0, 2).join('\t'))).size,
        rows.length,
        'no pair twice',
    );
    const counts = {paraphrase: 0, related: 0, unrelated: 0};
    for (const row of rows) {
        assert.equal(row.length, 3, row.join(' | '));
        assert.ok(Object.hasOwn(counts, row[2]), row[2]);
        counts[row[2]]++;
        for (const sentence of row.slice(0, 2)) {
            assert.match(sentence, /^[A-Z][\w ,']+\.$/);
            const n = sentence.split(' ').length;
            assert.ok(n >= 6 && n <= 30, sentence);
        }
        assert.notEqual(row[0], row[1]);
    }
    for (const n of Object.values(counts))
        assert.ok(n >= 0.3 * rows.length, JSON.stringify(counts));
});

test('pronouns.txt: one pronoun, one antecedent, neither first nor last as a rule', () => {
    const texts = lines(read('pronouns.txt'));
    const all = texts.map(candidates);
    assert.ok(texts.length >= 60);
    assert.equal(new Set(texts).size, texts.length, 'no text twice');
    const share = some => some.length / texts.length;
    const first = share(all.filter(right => right[0])),
        last = share(all.filter(right => right.at(-1)));
    assert.ok(
        first > 0.3 && first < 0.5 && last > 0.3 && last < 0.5,
        `first ${first}, last ${last}`,
    );
    const pairs = share(texts.filter(text => text.includes('\t')));
    assert.ok(pairs > 0.4 && pairs < 0.6, `${pairs} in two sentences`);
    for (const mark of ['[it|1*', '[it|1]', '[it|7*]']) {
        assert.throws(() => candidates(`The [cat|1] saw a [dog|2] and ${mark} ran.`), mark);
    }
});

test('index.json: items and bytes are those of the files', () => {
    const items = {
        conllu: t => checkConllu(t).sentences.length,
        tsv: t => lines(t).length - 1,
        coref: t => lines(t).length,
        lines: t => lines(t).filter(Boolean).length,
    };
    const index = JSON.parse(read('index.json'));
    assert.deepEqual(
        index.map(entry => entry.id),
        ['sentences', 'pairs', 'pronouns', 'long', 'texts'],
    );
    for (const {file, format, items: n, bytes} of index) {
        assert.equal(items[format](read(file)), n, file);
        assert.equal(statSync(join(FOLDER, file)).size, bytes, file);
    }
});
