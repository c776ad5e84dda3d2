/* page - the English words that the page has from the start: title, controls, states, errors, and
 * the head view's own (head.js), which come with it. Those of the other views, of dialogs and
 * studies: views.js, dialogs.js, studies.js. English is the model of the other languages: they have
 * the same keys, and functions of as many arguments.
 */
import {element} from './element.js';
import {head} from './head.js';

/** @typedef {import('preact').ComponentChildren} Node */
/** @param {number} count */
const tokens = count => `${count} ${count === 1 ? 'token' : 'tokens'}`;
const SENTENCE = ['A', 'B'];

export const page = {
    code: 'en',
    name: 'English',
    /** @param {boolean} causal it reads from left to right */
    pageTitle: causal => `Headlight: see what ${causal ? 'a GPT' : 'BERT'}’s attention heads do`,
    /** @param {boolean} causal */
    heading: causal => `What ${causal ? 'a GPT' : 'BERT'} pays attention to`,
    /** @param {Node} word @returns {Node} */
    question: word => ['What does ', word, ' mean?'],
    ...element.words,
    weight: 'Weight',
    moved: 'Moved (share)',
    shows: {
        legend: 'Show',
        names: {weight: 'Weight', moved: 'Moved'},
        titles: {
            weight: 'Attention weights',
            moved: 'What each head moves: weight times the length of the value',
        },
        imported: 'There are weights only here, no values, so it cannot say what is moved.',
    },
    position: 'No.',
    headWord: 'head',
    oneHead: 'Head',

    views: 'Views',
    controls: 'Text, layer and heads',
    oneBased: 'Count layers and heads from 1',
    textA: 'Sentence A',
    textB: 'Sentence B',
    textBNone: 'a second sentence, if you like',
    show: 'Show',
    model: 'Model',
    modelMore: ['Add', ' a model'], // a phone shows the first part
    modelOther: 'Another model…',
    modelFolder: 'Open a folder…',
    /** @param {string} name */
    modelLocal: name => `${name} (your folder)`,
    layer: 'Layer',
    play: 'Play layers',
    /** @param {number} layer */
    layerName: layer => `Layer ${layer}`,
    /** Between things that are listed. */
    comma: ', ',
    /** @param {string} name of a layer */
    layerComing: name => `${name} is loading`,
    heads: 'Heads',
    headsAll: 'All',
    headsNone: 'Only one',
    headsNoneHint: 'Hides all heads but one',
    headsHint: 'Double-click or Shift+Enter: solo.',
    /** @param {number} head */
    headChip: head => `Head ${head}`,
    filter: 'Pairs',
    filterHint: 'Weights are those of the whole text, not rescaled to the part shown.',
    filterNeedsB: 'Needs a sentence B.',
    filters: {all: 'All', aa: 'A→A', ab: 'A→B', ba: 'B→A', bb: 'B→B'},
    filterNames: {
        all: 'All tokens',
        aa: 'A looks at A',
        ab: 'A looks at B',
        ba: 'B looks at A',
        bb: 'B looks at B',
    },

    theme: 'Appearance',
    themes: {auto: 'Auto', light: 'Light', dark: 'Dark'},
    language: 'Language',
    share: 'Copy link',
    shared: 'Link copied',
    shareFailed: 'Copy the address of this page instead.',
    modesLabel: 'What to look at',
    modes: {text: 'Text', corpus: 'Corpus'},
    save: {
        label: 'Save',
        folderHint: 'A link cannot carry your folder; a saved web page shows what you see.',
        importedHint: 'A link cannot carry your file; a saved web page can.',
    },
    gallery: {file: 'gallery.html', text: 'Headlight in other pages'},
    imported: {
        close: 'Back to the model',
        open: 'Load attention from Python…',
        drop: 'Drop a file of attention, or a model’s folder or files',
        /** @param {number} count @param {string} name */
        read: (count, name) => `${count} ${count === 1 ? 'token' : 'tokens'} read from ${name}`,
    },

    /** @param {string} name */
    loading: name => `Loading ${name}`,
    /** @param {string} done @param {string} total */
    bytes: (done, total) => (total ? `${done} of ${total}` : done),
    /** @param {number} bytes */
    megabytes: bytes => `${(bytes / 1e6).toFixed(1)} MB`,
    /** @param {number} bytes */
    size: bytes =>
        bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`,
    /** @param {string} amount a second */
    rate: amount => `${amount}/s`,
    /** @param {number} seconds */
    left: seconds =>
        seconds < 90
            ? `about ${Math.ceil(seconds)} s left`
            : `about ${Math.ceil(seconds / 60)} min left`,
    /** @param {number} failures */
    again: failures => `Connection lost; resuming in a moment (attempt ${failures + 1}).`,
    /** @param {number} count @param {number} all */
    layersThere: (count, all) => `${count} of ${all} layers can be explored`,
    cancel: 'Cancel',
    /** @param {string} name */
    loadInstead: name => `Load ${name}`,
    preparing: 'Starting',
    precomputed: 'This figure was computed in advance.',
    coming: 'Loading the model:',
    /** @param {boolean} text another text is waited for @param {string} amount */
    awaited: (text, amount) =>
        `${text ? 'Your text' : 'This'} appears once the model has loaded (${amount}).`,
    help: 'How to read this picture',
    pointHint: 'Point at the picture: its numbers appear here.',
    computing: 'Computing…',
    /** @param {number} count @param {number} ms */
    ready: (count, ms) =>
        `${tokens(count)}, computed in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
    precision: {
        fine: 'Precision: fine',
        fast: 'Precision: fast',
        f32: 'Precision: float32',
        both: 'Precision: fine here',
    },
    /** @param {number} count @param {number} sentence @param {number} most */
    dropped: (count, sentence, most) =>
        `${tokens(count)} of sentence ${SENTENCE[sentence]} ${count === 1 ? 'was' : 'were'} cut: ` +
        `the model reads at most ${most}.`,
    problem: 'This did not work:',
    problemKept: 'The figure still shows what was there before.',
    retry: 'Try again',
    close: 'Close',

    /** @param {number} shown @param {number} all */
    tableCut: (shown, all) => `(the first ${shown} of ${all} rows; the saved files have all)`,
    tableTitle: 'The numbers as a table',
    canvasHelp:
        'Arrow keys move between tokens, Enter pins one, Shift+Enter adds one, M masks it, Escape unpins.',

    ...head,
    footer: 'Everything is computed on your device; no text leaves it.',
};
