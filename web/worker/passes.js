/* passes - the forward passes of one model, as handles: the inputs of all of them are kept (they
 * are small) until they are released, but the tensors of two only, which is enough for two figures
 * read in turn, or for a comparison. An input whose tensors are gone, or that is asked for more
 * than it has kept, is run again: the same bits. Equal inputs share their tensors. While a model
 * loads, a pass has the layers that were there. Part of the worker; what a want may be:
 *   {tensor, layer}                      a tensor of the pass, [layer]
 *   {measure, args}                      a measure of headlight.h, its arguments in their order
 *   {predictions, top}                   the most probable words at positions: 'masks' ([MASK]s and
 *                                        changed tokens), 'all', 'last', or a list
 *   {lens: position, top}                the logit lens at a position (Lens), at that of 'last' or 'masks', or
 *                                        at the first 'word'; 'all': a list, of every position
 *   {split: pass}                        what pairs of tokens add to the similarity with another pass
 *                                        of the model, [T, its T]
 *   {labels: true}                       what a fine-tuned model says (Prediction), null where it was not
 *   {stack: 'decoder', tensor, …}        the same of the decoder's pass, where the input has a target
 *   {nextSentence: true}                 probabilities that B follows A, and not; null where there
 *                                        are none
 * `plain: true` asks the same of the text as typed through the model as it is, without the changes
 * of the input; `against: 'plain'` has a measure compare the pass with that one. Not here: messages
 * (worker.js), memory (wasm.js).
 */
import {INDEXES} from '../base/build.js';
import {asDecoder, decoded, tensorsOf} from './two.js';
import {Refusal, utf16Offsets} from './wasm.js';

/**
 * @import {Model, Token, Put, Facts} from './worker.js'
 * @typedef {import('./wasm.js').Core} Core
 * @typedef {import('./wasm.js').Pass} Native   a pass whose tensors are held
 * @typedef {{position: number, word: string}} Word
 * @typedef {import('./wasm.js').Change} Change
 * @typedef {{text: string, textB: string, words?: Word[], from?: number[], embeds?: boolean}} Source   from: for each token of the
 *     input, that of this text which is taken, -1: none; null where both have as many
 * @typedef {{text: string, textB: string, precision: 'usual' | 'fine' | 'fast', changes: Change[], words:
 *     Word[], embeds?: boolean, appended?: number[],
 *     source?: Source, target?: import('./two.js').Target}} Input   target: of a model of two stacks; appended: ids that a causal model has added at
 *     the end; source: what changes of the kinds patch_token and patch_head take from, a text of its own; textB ''
 *     is no second text; words: to be put in the place of
 *     tokens; embeds: for its embedding, the text is cut as sentence-transformers does
 * @typedef {{tensor?: string, layer?: number, measure?: string, args?: number[], predictions?:
 *     'masks' | 'all' | 'last' | number[], top?: number,
 *   lens?: number | string, split?: number, nextSentence?: boolean, labels?: boolean, plain?: boolean, against?: 'plain', stack?: 'decoder'}} Want
 * @typedef {{label: string, probability: number}} Label
 * @typedef {{task: 'labels', scores: 'softmax' | 'sigmoid' | 'plain', labels: Label[]} | {task: 'token_labels', tokens: Label[]} |
 *     {task: 'answer', answers: {from: number, to: number, probability: number}[], starts: number[]} |
 *     {task: 'replaced', replaced: number[]}} Prediction   of the text, its labels, most probable first
 *     (scores 'plain': numbers of a regression, no probabilities); of each token, its label, or the
 *     probability that it was replaced; or the spans of tokens that answer best, and of each token that an answer
 *     starts there
 * @typedef {{data: Float32Array, shape: number[]}} Tensor
 * @typedef {{id: number, piece: string, probability: number}} Guess
 * @typedef {{index: number, words: Guess[]}} Fill   of a position
 * @typedef {ReturnType<Native['lens']> & {pieces: string[], words: string[], at: number}} Lens   as hl_lens has it,
 *     and how ids and tops read, at position `at`
 * @typedef {(want: Want, look: () => Promise<void>) => unknown} Answer   look: throws when the
 *     request has been cancelled
 * @typedef {{key: string, keep: Set<string>, native: Native, second?: Native, facts: Facts}} Held   second: the decoder's pass
 */

const PATCHED = ['hidden', 'context', 'embeddings', 'embeddings_projected']; // what patches are from
const LIVING = 2; // passes of a core whose tensors are held
const MOST_MASKS = 8; // positions of 'masks'
const ANSWERS = 3; // that a model for questions gives
const TASKS = /** @type {const} */ (['labels', 'token_labels', 'answer', 'replaced']);
const PRECISIONS = ['usual', 'fine', 'fast'];
const FIELDS = ['predictions', 'lens', 'split', 'labels', 'nextSentence', 'measure', 'tensor'];

/** @param {Input} input @returns {Input} */
const plainOf = ({source, ...input}) => ({...input, changes: [], words: []});

/** @param {Input} input */
function keyOf(input) {
    const {text, textB, precision, changes, words, source, target} = input;
    const {embeds = false, appended = []} = input;
    const parts = [text, textB, precision, changes, words, embeds, appended, source, target];
    return JSON.stringify(parts);
}

/** Ids that a tokenizer adds; an unknown word is a word. @param {Model} model */
const specialsOf = ({special: {unk, ...others}}) => Object.values(others);

/** @param {{id: number}[]} tokens */
const idsOf = tokens => tokens.map(({id}) => id).join();

/** The rows of hl_tokens, or others, code points turned into indices of the JavaScript strings.
 * @param {Core} core @param {Model} model @param {string[]} texts @param {ReturnType<Core['tokens']>} [rows]
 * @returns {Token[]} */
function readTokens(core, model, texts, rows = core.tokens()) {
    const specials = specialsOf(model);
    const offsets = texts.map(utf16Offsets);
    return rows.map(({id, type, from, to, sentence, word}) => {
        const [start, end] =
            sentence < 0 ? [0, 0] : [offsets[sentence][from], offsets[sentence][to]];
        const special = sentence < 0 || specials.includes(id);
        return {id, piece: core.tokenText(id), type, from: start, to: end, sentence, word, special};
    });
}

/** The ids of a text and what was written after it, as they read. @param {Core} core
 * @param {Input} input @returns {string} */
function cutAnew(core, {text, textB, appended = []}) {
    const tail = appended
        .map(id => core.tokenText(id).replace(/[␣▁]/g, ' ').replaceAll('⏎', '\n'))
        .join('');
    if (textB === '') core.tokenize(text + tail, null);
    else core.tokenize(text, textB + tail);
    return idsOf(core.tokens());
}

/** Makes an input the core's, with its changes: here it may be refused, before any pass has been
 * given up for it. What a model has written is added by its ids, since the whole text cut anew may have
 * other tokens; joins: it would have these. @param {Core} core @param {Model} model @param {Put[]} found the words of
 * the input @param {Input} input
 * @returns {Pick<Facts, 'puts' | 'tokens' | 'texts' | 'dropped' | 'written'>} */
function prepare(core, model, found, input) {
    const {text, textB, changes, embeds, appended = []} = input;
    const anew = appended.length ? cutAnew(core, input) : '';
    core.tokenize(text, textB === '' ? null : textB, embeds);
    if (appended.length) core.append(appended);
    const texts = [text, textB];
    const tokens = readTokens(core, model, texts);
    const written = appended.length && {count: appended.length, joins: anew === idsOf(tokens)};
    const dropped = [0, 1].map(core.dropped);
    const count = tokens.length;
    const puts = found.filter(({position}) => position < count);
    const rows = puts
        .filter(({id}) => id >= 0)
        .map(({position, id}) => /** @type {Change} */ (['token', position, id]));
    // a link may name positions that a shorter text does not have
    const asked = [...changes, ...rows].filter(
        ([kind, a, b]) => (kind !== 'token' || a < count) && (kind !== 'swap' || b < count),
    );
    core.change(asked);
    return {puts, tokens, texts, dropped, ...(written && {written})};
}

/** ALBERT's. @param {Model} model */
const saysOrder = ({predicts}) => predicts?.includes('sentence_order');

/** One forward pass of what has been prepared. @param {Core} core @param {Model} model
 * @param {ReturnType<typeof prepare>} prepared @param {Input} input
 * @param {Set<string>} keep @param {Native | null} over whose memory it may take
 * @returns {{native: Native, facts: Facts}} */
function compute(core, model, prepared, {textB, precision}, keep, over) {
    const before = performance.now();
    const native = core.run({precision, keep: [...keep], over});
    const milliseconds = performance.now() - before;
    return {
        native,
        facts: {
            ...prepared,
            milliseconds,
            layers: core.layers(),
            nextSentence: model.nsp && textB !== '' ? native.nextSentence() : null,
            sentenceOrder: saysOrder(model) && textB !== '' ? native.nextSentence() : null,
            prediction: predictionOf(native, model, prepared.tokens),
            threads: core.threads(),
            memory: core.memory(),
        },
    };
}

/** The labels of a row, most probable first. @param {Model} model @param {Float32Array} row
 * @returns {Label[]} */
const ranked = ({labels}, row) =>
    Array.from(row, (probability, i) => ({label: labels[i], probability})).sort(
        (a, b) => b.probability - a.probability,
    );

/** What a model was fine-tuned for; null where it was not. @param {Native} native
 * @param {Model} model @param {Token[]} tokens @returns {Prediction | null} */
function predictionOf(native, model, tokens) {
    const task = TASKS.find(name => model.predicts?.includes(name));
    if (!task) return null;
    const all = native.classify();
    if (task === 'answer') {
        // a text of added tokens only has no answer
        const {spans, probabilities} = tokens.some(({special}) => !special)
            ? native.answers(ANSWERS)
            : {spans: [], probabilities: []};
        const list = Array.from(probabilities, (probability, i) => ({
            from: spans[2 * i],
            to: spans[2 * i + 1],
            probability,
        }));
        const starts = [...all].filter((_, i) => i % 2 === 0);
        return {task, answers: list, starts};
    }
    if (task === 'replaced') return {task, replaced: [...all]};
    const count = model.labels.length;
    if (task === 'labels')
        return {task, scores: model.scores ?? 'softmax', labels: ranked(model, all)};
    return {
        task,
        tokens: tokens.map((_, i) => ranked(model, all.slice(i * count, (i + 1) * count))[0]),
    };
}

/** The positions of a want. @param {'masks' | 'all' | 'last' | number[]} which @param {Facts} facts
 * @param {Input} input @param {Model} model */
function positionsOf(which, {tokens}, {changes, words}, {special: {mask}}) {
    if (Array.isArray(which)) return which;
    if (which === 'all') return tokens.map((_, index) => index);
    if (which === 'last') return [tokens.length - 1];
    const changed = [
        ...changes.filter(([kind]) => kind === 'token').map(([, position]) => position),
        ...words.map(({position}) => position),
    ];
    return tokens
        .flatMap(({id}, index) =>
            (mask >= 0 && id === mask) || changed.includes(index) ? [index] : [],
        )
        .slice(0, MOST_MASKS);
}

/** Where the lens is: a position of the text, else the first of those asked for, else (and for 'word') the first word.
 * @param {number | string} which @param {Facts} facts @param {Input} input @param {Model} model */
function lensAt(which, facts, input, model) {
    const {tokens} = facts;
    if (typeof which === 'number' && which < tokens.length) return which;
    const causal = model.predicts?.includes('next_word');
    const first = tokens.findIndex(({special}) => !special);
    const [at = Math.max(0, first)] =
        which === 'word' ? [] : positionsOf(causal ? 'last' : 'masks', facts, input, model);
    return at;
}

/** The tensors that a want is answered from. @param {Want} want @param {Model} model */
function needsOf({tensor, measure, lens}, {measures, tensors}) {
    if (tensor !== undefined) return [tensor];
    if (lens !== undefined) return ['hidden'];
    const needs = measures.find(({name}) => name === measure)?.needs ?? [];
    return needs.filter(need => tensors.some(({name}) => name === need));
}

/** What must be kept of a pass to answer, and of the plain one; null: that is not needed.
 * @param {Want[]} want @param {Model} model */
function keptFor(want, model) {
    const keep = new Set(/** @type {string[]} */ ([]));
    let plain = /** @type {Set<string> | null} */ (null);
    for (const one of want) {
        const fields = FIELDS.filter(field => field in one);
        if (fields.length !== 1)
            throw new Refusal(
                `state: a want names one of ${FIELDS.join(', ')}; ${JSON.stringify(one)} names ${fields.length}`,
            );
        if (one.plain || one.against) plain ??= new Set();
        for (const name of needsOf(one, model)) {
            if (!one.plain) keep.add(name);
            if (one.plain || one.against) plain?.add(name);
        }
    }
    return {keep, plain};
}

/** @param {string} name 'attention', or 'attention.3' of a layer, 'attention.3.5' of a head */
const isMap = name => /^(attention|scores)(\.|$)/.test(name);

/** Of maps of one layer: those of the layer that a want names in their place. @param {Set<string>} keep
 * @param {Want[]} want */
function mapsOfLayer(keep, want) {
    const {layer} =
        want.find(({tensor}) => [...keep].some(name => name.startsWith(`${tensor}.`))) ?? {};
    return new Set(
        [...keep].map(name =>
            name.replace(/\.\d+/, it => (layer === undefined ? it : `.${layer}`)),
        ),
    );
}

/** What measures of such maps have in place of all layers, and heads. @param {Set<string>} keep */
function sizesOf(keep) {
    const [, layer, head] = [...keep].find(name => name.includes('.'))?.split('.') ?? [];
    return {...(layer && {layers: 1}), ...(head && {heads: 1})};
}

/** A measure with the shape of its result. @param {Native} native @param {Native | null} other
 * @param {Want} want @param {number} T
 * @param {Pick<Model, 'layers' | 'heads' | 'hidden' | 'head_width' | 'patterns' | 'measures'>}
 *     model @returns {Tensor} */
function measureOf(native, other, {measure = '', args = []}, T, model) {
    const info = model.measures.find(({name}) => name === measure);
    if (!info) throw new Refusal(`state: there is no measure '${measure}'`);
    const {layers: L, heads: H} = model;
    /** @type {Record<string, number>} */
    const sizes = {
        L,
        H,
        T,
        N: L * H,
        M: model.patterns.length,
        D: model.hidden,
        d: model.head_width,
        S: args[info.arguments.indexOf('size')],
    };
    return {
        data: native.measure(measure, args, other),
        shape: info.shape.map(letter => sizes[letter] ?? Number(letter)),
    };
}

/** The passes of a core with its model. */
export class Passes {
    /** layers: that the pass had when it was run. @type {Map<number, {input: Input, keep: Set<string>, layers?: number}>} */
    #inputs = new Map();
    /** The one used last comes first. @type {Held[]} */
    #held = [];
    #core;
    /** Of words, since searching a vocabulary takes some hundredths of a second. @type {Map<string, Omit<Put, 'position' | 'word'>>} */
    #words = new Map();
    /** Which text patches are from. */
    #source = '';

    /** @param {Core} core @param {Model} model */
    constructor(core, model) {
        this.#core = core;
        /** Another one when more of it is there. */
        this.model = model;
    }

    /** Takes an input under a number; nothing is computed. @param {number} pass @param {Input} input
     * @param {string[]} keep */
    add(pass, input, keep) {
        if (!PRECISIONS.includes(input.precision)) {
            throw new Refusal(
                `state: the precision is '${input.precision}'; it must be said: one of ${PRECISIONS.join(', ')}`,
            );
        }
        for (const name of keep) this.#checkTensor(name.split('.')[0]);
        this.#inputs.set(pass, {input, keep: new Set(keep)});
    }

    /** The tokens of a text, without a pass. @param {string} text
     * @param {string} textB '' is no second text */
    tokenize(text, textB) {
        this.#core.tokenize(text, textB === '' ? null : textB);
        return readTokens(this.#core, this.model, [text, textB]);
    }

    /** The text of an input, with its changes, becomes the core's. @param {Input} input */
    prepare(input) {
        const words = input.words.map(({position, word}) => ({
            position,
            word,
            ...this.#find(word),
        }));
        return prepare(this.#core, this.model, words, input);
    }

    /** The vocabulary entry of a word; id -1: it is no single token. @param {string} word */
    #find(word) {
        const known = this.#words.get(word);
        if (known) return known;
        const ids = this.#core.findWord(word);
        const id = ids.length === 1 ? ids[0] : -1;
        const found = {id, pieces: ids.map(this.#core.tokenText)};
        this.#words.set(word, found);
        return found;
    }

    /** What a pass answers to wants, ready to be asked one by one. @param {number} pass
     * @param {Want[]} want
     * @param {number} [over] the pass whose tensors may be given up for it
     * @returns {{facts: Facts, answer: Answer}} */
    open(pass, want, over) {
        const entry = this.#inputs.get(pass);
        if (!entry) throw new Refusal(`state: there is no pass ${pass}; it has been released`);
        const {keep, plain} = keptFor(want, this.model);
        const split = this.#inputs.get(want.find(one => one.split)?.split ?? 0);
        for (const name of keep) this.#checkTensor(name);
        for (const name of keep)
            if (!INDEXES || ![...entry.keep].some(one => one.startsWith(`${name}.`)))
                entry.keep.add(name);
        if (INDEXES) entry.keep = mapsOfLayer(entry.keep, want);
        const layers = entry.layers ?? this.#core.layers();
        const other = split ?? (plain && {input: plainOf(entry.input), keep: plain});
        const before = other && this.#hold(other.input, other.keep, layers, null, null);
        const given = over === undefined ? null : this.#inputs.get(over);
        const held = this.#hold(
            entry.input,
            entry.keep,
            layers,
            before,
            given ? keyOf(given.input) : null,
        );
        entry.layers = layers;
        return {
            facts: held.facts,
            answer: (one, look) =>
                this.#answer(
                    one.plain && before ? before : held,
                    one.against || one.split !== undefined ? before : null,
                    one,
                    {input: entry.input, look},
                ),
        };
    }

    /** Drops an input, and tensors that no other input can need. @param {number} pass */
    release(pass) {
        this.#inputs.delete(pass);
        const keys = new Set(
            [...this.#inputs.values()].flatMap(({input}) => [keyOf(input), keyOf(plainOf(input))]),
        );
        for (const held of this.#held) if (!keys.has(held.key)) held.native.release();
        this.#held = this.#held.filter(({key}) => keys.has(key));
    }

    /** Their tensors are gone: the weights that they were of are. */
    drop() {
        this.#held = [];
        this.#source = '';
    }

    /** @param {string} name */
    #checkTensor(name) {
        const tensors = INDEXES ? tensorsOf(this.model) : this.model.tensors;
        if (!tensors.some(tensor => tensor.name === name))
            throw new Refusal(`state: this model has no tensor '${name}'`);
    }

    /** The tensors of an input: those that are there, else they are computed. @param {Input} input
     * @param {Set<string>} keep @param {number} layers
     * @param {Held | null} beside must stay
     * @param {string | null} given key of the pass that is given up @returns {Held} */
    #hold(input, keep, layers, beside, given) {
        const key = keyOf(input);
        const there = this.#held.find(held => held.key === key);
        const same = there?.facts.layers === layers;
        if (
            there &&
            same &&
            [...keep].every(
                name => there.keep.has(name) || (INDEXES && there.keep.has(name.split('.')[0])),
            )
        )
            return this.#first(there);
        if (layers !== this.#core.layers())
            throw new Refusal(
                `state: this pass had ${layers} layers, and more have come; run its text again`,
            );
        if (input.source) this.#patchFrom(input.source, input.precision, beside);
        const others = this.#held.filter(held => held !== beside);
        const gone =
            this.#held.find(held => held === there) ??
            others.find(held => held.key === given) ??
            (this.#held.length < LIVING ? null : others[others.length - 1]);
        // of another layer's maps nothing is taken over
        const also = there?.keep ?? [];
        const all = new Set([
            ...keep,
            ...(INDEXES ? [...also].filter(name => !isMap(name)) : also),
        ]);
        const prepared = this.prepare(input);
        this.#held = this.#held.filter(held => held !== gone);
        const over = gone?.native ?? null;
        const made = compute(this.#core, this.model, prepared, input, all, over);
        const held = {key, keep: all, ...made};
        if (!INDEXES || !input.target) return this.#first(held);
        return this.#first(
            decoded(this.#core, held, input.target, (text, rows) =>
                readTokens(this.#core, this.model, [text], rows),
            ),
        );
    }

    /** Runs what patches are from, unless it is there; in the memory of a pass that must not stay.
     * @param {Source} source @param {Input['precision']} precision @param {Held | null} beside */
    #patchFrom(source, precision, beside) {
        if (!INDEXES) return; // the page's .wasm cannot
        const key = JSON.stringify([source, precision, this.#core.layers()]);
        if (key === this.#source) return;
        const {from, words = [], ...texts} = source;
        const input = {...texts, words, precision, changes: []};
        const prepared = this.prepare(input);
        const gone = this.#held.filter(held => held !== beside).pop();
        const over = this.#held.length < LIVING ? null : (gone ?? null);
        this.#held = this.#held.filter(held => held !== over);
        const keep = new Set(PATCHED);
        const made = compute(this.#core, this.model, prepared, input, keep, over?.native ?? null);
        this.#core.patchFrom(made.native, from ?? null);
        this.#source = key;
    }

    /** @param {Held} held */
    #first(held) {
        this.#held = [held, ...this.#held.filter(other => other !== held)];
        return held;
    }

    /** @param {Held} held @param {Held | null} other @param {Want} want @param {{input: Input, look: () => Promise<void>}} asked   input:
     * whose changed tokens count as masks @param {Model} [model] of which the pass is @returns {Promise<unknown>} */
    async #answer(held, other, want, asked, model = this.model) {
        if (INDEXES && want.stack) return this.#answer(...asDecoder(held, want, asked, model));
        const {native, facts, keep} = held;
        const {input, look} = asked;
        const {tensor, layer = 0, predictions, nextSentence, labels} = want;
        const top = Math.min(want.top ?? 5, this.model.vocab);
        if (tensor !== undefined) return native.tensor(tensor, layer);
        if (want.lens === 'all') {
            const all = [];
            for (let at = 0; at < facts.tokens.length; at++) {
                if (at) await look();
                all.push(this.#lens(native, at, top, model));
            }
            return all;
        }
        if (want.lens !== undefined)
            return this.#lens(native, lensAt(want.lens, facts, input, model), top, model);
        if (want.split !== undefined && other)
            return {
                data: native.split(other.native),
                shape: [facts.tokens.length, other.facts.tokens.length],
            };
        if (want.measure === 'zeroing')
            for (let key = 0; key < facts.tokens.length; key++) {
                native.measure('zeroed', [want.args?.[0] ?? 0, key]);
                await look(); // each key is a layer
            }
        if (nextSentence) return facts.nextSentence;
        if (labels) return facts.prediction;
        if (predictions === undefined)
            return measureOf(native, other?.native ?? null, want, facts.tokens.length, {
                ...model,
                layers: facts.layers ?? model.layers,
                ...(INDEXES && sizesOf(keep)),
            });
        const positions = positionsOf(predictions, facts, input, model);
        return this.#fills(native, positions, top, look);
    }

    /** @param {Native} native @param {number[]} positions @param {number} top @param {() => Promise<void>} look */
    async #fills(native, positions, top, look) {
        /** @type {Fill[]} */
        const fills = [];
        for (const index of positions) {
            if (fills.length) await look(); // a text may have hundreds of positions
            const {ids, probabilities} = native.predictions(index, top);
            const words = Array.from(ids, (id, i) => ({
                id,
                piece: this.#core.tokenText(id),
                probability: probabilities[i],
            }));
            fills.push({index, words});
        }
        return fills;
    }

    /** @param {Native} native @param {number} position @param {number} top @param {Model} model @returns {Lens} */
    #lens(native, position, top, {layers}) {
        const found = native.lens(position, top, layers);
        const pieces = (/** @type {Int32Array} */ ids) => Array.from(ids, this.#core.tokenText);
        return {...found, pieces: pieces(found.ids), words: pieces(found.tops), at: position};
    }
}

/** Attention from elsewhere as a pass: in a core of its own, which needs no model.
 * @param {Core} core
 * @param {{layers: number, heads: number, tokens: number} & Omit<import('./wasm.js').Attention, 'sizes'>} input */
export function adopt(core, {layers, heads, tokens, ...given}) {
    const native = core.adopt({sizes: [layers, heads, tokens], ...given});
    const {patterns, measures} = core.constants();
    const model = {layers, heads, hidden: 0, head_width: 0, patterns, measures};
    return {
        answer(/** @type {Want} */ want) {
            if (want.measure === undefined)
                throw new Refusal(
                    'state: attention from elsewhere has measures only, no tensors and no predictions',
                );
            return measureOf(native, null, want, tokens, model);
        },
    };
}
