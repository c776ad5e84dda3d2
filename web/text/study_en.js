/* study_en - the words of the corpus desk in English; text/study_zh.js has the same keys. Those of
 * its studies are in files of their own. Fetched with the desk.
 */
import {studiesEn} from './studies_en.js';
import {studyRolesEn} from './study_roles_en.js';

/** @param {number} count */
const thousands = count => count.toLocaleString('en-GB');
/** @param {number} count @param {string} one */
const plural = (count, one) => `${thousands(count)} ${one}${count === 1 ? '' : 's'}`;
/** @param {number} seconds */
const time = seconds =>
    seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;

const deskEn = {
    heading: 'What each head does over a corpus',
    lede:
        'Many texts run through the model, and every head is measured over all of them: numbers with a spread, a count and a test, ' +
        'instead of one picture.',
    rail: 'Corpus and study',
    corpus: 'Corpus',
    corpora: /** @type {Record<string, string>} */ ({
        sentences: 'Sentences with trees',
        pairs: 'Pairs of sentences',
        pronouns: 'Pronouns and what they stand for',
    }),
    own: 'Your own',
    /** @param {string} name */
    ownName: name => `${name} (yours)`,
    ownTitle: 'Open your own corpus',
    file: 'A file…',
    paste: 'Paste…',
    address: 'From an address…',
    pasteLabel: 'One sentence a line; a tab between the sentences of a pair; or CoNLL-U',
    pasted: 'Pasted text',
    addressLabel: 'Address of a text file (https)',
    addressHint:
        'The other site must allow pages to read it (CORS). The file comes to this page and nowhere else.',
    use: 'Use this',
    back: 'Cancel',
    drop: 'Drop a corpus: sentences, pairs, TSV, CoNLL-U, marked mentions, GAP',
    fetching: 'Reading the corpus',
    /** @param {string} done @param {string} total */
    bytes: (done, total) => (total ? `${done} of ${total}` : done),
    /** @param {number} bytes */
    size: bytes =>
        bytes < 1e6
            ? `${Math.max(1, Math.round(bytes / 1000))} kB`
            : `${(bytes / 1e6).toFixed(1)} MB`,
    formats: /** @type {Record<string, string>} */ ({
        auto: 'Guess',
        lines: 'One sentence a line',
        pairs: 'Pairs, tab between them',
        tsv: 'TSV with named columns',
        conllu: 'CoNLL-U',
        coref: 'Marked mentions',
        gap: 'GAP (pronouns)',
    }),
    /** @param {string} format @param {number} items */
    summary: (format, items) => `${format}, ${plural(items, 'item')}`,
    readAs: 'Read it otherwise',
    format: 'Format',
    columnNames: /** @type {Record<string, string>} */ ({
        a: 'Sentence A',
        b: 'Sentence B',
        label: 'Label',
    }),
    noColumn: 'none',
    model: 'Model',
    study: 'Study',
    lacks: /** @type {Record<string, string>} */ ({
        relations: 'This corpus has no syntactic relations; CoNLL-U has.',
        pairs: 'This corpus has no pairs of sentences.',
        mentions: 'This corpus has no marked mentions; the mentions format and GAP’s TSV have.',
        labels: 'This corpus has no labels; choose a column of labels under “Read it otherwise”.',
        other: 'There is no second model; open one from a folder.',
    }),
    noCorpus: 'Choose a corpus first.',
    run: 'Run',
    again: 'Run again',
    cancel: 'Cancel',
    limit: 'Items',
    /** @param {number} limit */
    limitName: limit => (limit ? `at most ${thousands(limit)}, drawn at random` : 'all'),
    /** @param {number} items */
    few: items =>
        `Few: these are only ${plural(items, 'item')}. With fewer than 20, what they say may be chance.`,
    second: 'Second model',
    secondFolder: 'Open a folder…',
    baseline: 'Also with random weights',
    noBaseline: 'no',
    baselineHint:
        'What position and chance alone give, from a model that was never trained, set beside; takes twice as long.',
    drawn: /** @type {Record<string, {name: string, hint: string}>} */ ({
        random: {
            name: 'random weights',
            hint: 'All weights are drawn, the word embeddings too: a model that knows nothing.',
        },
        'random-layers': {
            name: 'random layers, own embeddings',
            hint: 'The layers are drawn, the embeddings are the model’s own: what the layers have learned is what is above this.',
        },
    }),
    /** @param {number} workers @param {string} each @param {string} all */
    memory: (workers, each, all) =>
        workers > 1
            ? `${workers} workers, each with its own copy of the model (${each}): ${all} of memory.`
            : `One worker with its own copy of the model (${each}).`,
    waiting: 'Waiting for the model',
    loading: 'Loading the model',
    /** @param {number} part @param {number} parts */
    running: (part, parts) => (parts > 1 ? `Running, part ${part + 1} of ${parts}` : 'Running'),
    /** @param {number} done @param {number} total */
    steps: (done, total) => `${thousands(done)} of ${thousands(total)}`,
    /** @param {number} rate @param {number} left */
    rate: (rate, left) =>
        `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second, ${time(left)} left`,
    notYet: 'Nothing has been run yet.',
    /** @param {{items: number, corpus: string, model: string, seconds: number, workers: number, cut:
     *     number, tokens: number}} what */
    of: ({items, corpus, model, seconds, workers, cut, tokens}) =>
        `${plural(items, 'item')} of ${corpus}, ${model}; ` +
        `${plural(tokens, 'token')}${cut ? `, ${plural(cut, 'text')} cut to the model’s length` : ''}; ${time(seconds)} on ${plural(workers, 'worker')}.`,
    /** @param {string} what */
    stale: what => `These results are of ${what}. Run again for what is chosen now.`,
    staleSettings: 'The settings have changed since. Run again for what is chosen now.',
    /** @param {string} title */
    finished: title => `${title}: finished.`,
    problem: 'This did not work:',
    close: 'Close',
    save: 'Save results',
    csv: 'CSV',
    json: 'JSON',
    svg: 'SVG',
    /** @param {string} name */
    saved: name => `Saved ${name}.`,
    table: 'The numbers as a table',
    map: {
        layer: 'Layer',
        head: 'Head',
        rest: 'Point at a head for its numbers; press it to see it at work.',
        /** @param {string} place */
        name: place => `Head ${place}`,
        none: 'no number',
    },
};

export const studyEn = {code: 'en', ...deskEn, ...studiesEn, ...studyRolesEn};
