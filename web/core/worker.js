/* worker - the operations of the engine: one object, one function each, and the few lines that serve messages.
 * Protocol (engine.js is the other side):
 *   -> {id, op, args}      <- {id, value}  |  {id, error: "category: sentence"}  |  {id, progress} any number of times before
 *   -> {id, op: 'cancel'}  the load of this id is given up: it answers with an error
 * A load may be asked for before "start" has answered: its files then come while the wasm is compiled. Runs are numbered by the caller, and who reads a result names its run: so the numbers of a text that was run in
 * between (a cancelled one, say) are never taken for those of another. Typed arrays in values are fresh copies and
 * are transferred. After an error of category "engine" this worker is no longer fit for use. Importing the module
 * has no effect unless it is the script of a worker.
 */
import {BUILD} from './build.js';
import {canRelax, instantiate, Refusal, startCrew, utf16Offsets} from './wasm.js';
import {loadFolder} from './worker_load.js';
import {readOperations} from './worker_read.js';
import {createSessions} from './worker_sessions.js';
import {studyOperations} from './worker_study.js';
import {createFinder} from './worker_words.js';

/**
 * @typedef {{name: string, shape: string[], per_layer: boolean}} TensorInfo
 * @typedef {{family: string, layers: number, heads: number, hidden: number, head_width: number, inner: number,
 *   vocab: number, positions: number, types: number, parameters: number, weight_bytes: number, store: string,
 *   mlm: boolean, nsp: boolean, lowercase: boolean, architecture: string,
 *   special: {unk: number, cls: number, sep: number, pad: number, mask: number},
 *   tensors: TensorInfo[], measures: string[], studies: {name: string, shape: string[]}[], labels: string[], warnings: string[]}} Model
 * @typedef {{id: number, piece: string, type: number, from: number, to: number, sentence: number, word: number,
 *   special: boolean, crossing?: boolean}} Token   crossing: of two texts, of which one looks at the other (own_tokens.js)
 * @typedef {{position: number, word: string, id: number, pieces: string[]}} Put   a word in the place of a token; id -1:
 *   it could not be put in, since it is several pieces, or none that the vocabulary has
 * @typedef {{text: string, textB: string, drop: string[], changes: number[][],
 *   words: {position: number, word: string}[], precision: string}} Input   textB '' is no
 *   second sentence; changes: rows of hl_change
 * @typedef {{puts: Put[], tokens: Token[], texts: string[], dropped: number[], nextSentence: number[] | null, milliseconds: number,
 *   relaxed?: boolean, threads?: number, memory?: number}} Pass   relaxed: by headlight-relaxed.wasm; threads: that shared the work;
 *   memory: all of the engine's, bytes;
 *   texts: A and B, '' for none
 * @typedef {{data: Float32Array, shape: number[]}} Tensor
 * @typedef {{build: string, wasm: string | BufferSource, relaxedUrl: string, crew?: import('./crew.js').CrewUrls}} StartArgs   relaxedUrl:
 *   '', or what may do better
 * @typedef {ReturnType<typeof createOperations>} Operations
 */

const CHANGE_TOKEN = 0;  // HL_CHANGE_TOKEN: a link may name positions that a shorter text does not have

/** The rows of hl_tokens as objects, code points turned into indices of the JavaScript strings.
 * @param {import('./wasm.js').Session} session @param {Model} model @param {string[]} texts
 * @returns {Token[]} */
function readTokens(session, model, texts) {
    const {cls, sep, pad, mask} = model.special;
    const offsets = texts.map(utf16Offsets);
    return session.tokens().map(({id, type, from, to, sentence, word}) => {
        const [start, end] = sentence < 0 ? [0, 0] : [offsets[sentence][from], offsets[sentence][to]];
        const special = sentence < 0 || [cls, sep, pad, mask].includes(id);
        return {id, piece: session.tokenText(id), type, from: start, to: end, sentence, word, special};
    });
}

/** Two passes: the last one, and the one that is remembered, to be compared with. */
function createPasses() {
    /** @type {import('./wasm.js').Pass | null} */
    let last = null;
    /** @type {import('./wasm.js').Pass | null} */
    let before = null;
    return {
        last: () => last,
        before: () => before,
        /** @param {import('./wasm.js').Session} session @param {string} precision @param {string[]} keep */
        run(session, precision, keep) {
            const over = last === before ? null : last;
            last = null;
            return last = session.run({precision, keep, over});
        },
        remember() {
            if (before !== last) before?.release();
            before = last;
        },
        forget() { [last, before] = [null, null]; },
    };
}

/** @param {import('./wasm.js').Session} session @param {Model} model @param {Input} input
 * @param {ReturnType<typeof createFinder>} finder @param {ReturnType<typeof createPasses>} passes @returns {Pass} */
function runText(session, model, {text, textB, drop, changes, words, precision}, finder, passes) {
    const found = finder.find(session, model, words);   // first: it forgets the session's text
    const count = session.tokenize(text, textB === '' ? null : textB);
    const texts = [text, textB];
    const tokens = readTokens(session, model, texts);
    const puts = found.filter(({position}) => position < count);
    const rows = puts.filter(({id}) => id >= 0).map(({position, id}) => [CHANGE_TOKEN, position, id]);
    session.change([...changes, ...rows].filter(([kind, position]) => kind !== CHANGE_TOKEN || position < count));
    const before = performance.now();
    const last = passes.run(session, precision, model.tensors.map(({name}) => name).filter(name => !drop.includes(name)));
    const milliseconds = performance.now() - before;
    const dropped = [session.dropped(0), session.dropped(1)];
    const nextSentence = model.nsp && textB !== '' ? last.nextSentence() : null;
    return {puts, tokens, texts, dropped, nextSentence, milliseconds, threads: session.threads()};
}

/** @param {string} build of the page */
function checkBuild(build) {
    if (build !== BUILD) throw new Refusal(`engine: the page is of build ${build} but its worker of build ${BUILD}; a new ` +
        'version is being published: wait a minute and reload the page');
}

/** Starts the wasm, once. @param {(exports: import('./wasm.js').Exports) => void} use */
function createStarter(use) {
    let relaxed = false;
    let started = /** @type {Promise<void>} */ (Promise.resolve());
    /** @param {StartArgs} args */
    async function begin({build, wasm, relaxedUrl, crew}) {
        checkBuild(build);
        relaxed = relaxedUrl !== '' && canRelax();
        use(await startCrew(crew, relaxed) ?? await instantiate(relaxed ? relaxedUrl : wasm));
    }
    return {
        isRelaxed: () => relaxed,
        ready: () => started,
        start: (/** @type {StartArgs} */ args) => started = begin(args),
    };
}

export function createOperations() {
    const {start: use, session, drop} = createSessions();
    const {isRelaxed, ready, start} = createStarter(exports => { use(exports); session(); });
    const [finder, passes] = [createFinder(), createPasses()];
    let [loaded, lastRun] = [/** @type {Model | null} */ (null), 0];   // lastRun: its number; 0 = none since the model was loaded

    const model = () => {
        if (!loaded) throw new Refusal('state: no model is loaded; load one first');
        return loaded;
    };
    const loads = loadOperations(session, next => {
        loaded = next;
        finder.clear();
        passes.forget();
        lastRun = 0;
    });

    return {
        start,
        ...loads,
        /** @param {import('./worker_load.js').Wanted} wanted @param {import('./worker_load.js').Watch} watch */
        load: (wanted, watch) => loadFolder(wanted, async (op, args) => {
            await ready();
            return loads[/** @type {keyof typeof loads} */ (op)](/** @type {any} */ (args));
        }, watch),
        ...readOperations(session, model, passes, run => {
            if (!lastRun) throw new Refusal('state: no text has been run yet; run one first');
            if (run !== lastRun) throw new Refusal('state: another text has been run since; run this one again');
        }),
        ...studyOperations(session, drop),
        /** @param {Input & {run: number}} args @returns {Pass} */
        run({run, ...input}) {
            const [used, shape] = [session(), model()];
            lastRun = 0;
            const pass = runText(used, shape, input, finder, passes);
            lastRun = run;
            return {...pass, relaxed: isRelaxed(), memory: used.memory()};
        },
    };
}

/** Slot 0 holds the model that runs texts.
 * @param {(slot?: number) => import('./wasm.js').Session} session @param {(model: Model | null) => void} setModel */
function loadOperations(session, setModel) {
    let drawn = false;
    const done = (/** @type {number} */ slot) => {
        const {patterns, measures, ...model} = session(slot).describe();
        Object.assign(model, {measures: patterns, studies: measures});
        if (slot === 0) setModel(model);
        return model;
    };
    return {
        /** @param {{kind: import('./wasm.js').TextKind, bytes: Uint8Array, slot?: number}} args
         * @returns {string[]} for the index, the names of the weight files in order */
        loadText({kind, bytes, slot = 0}) {
            if (kind === 'config' && slot === 0) setModel(null);
            const files = session(slot).loadText(kind, bytes);
            return kind === 'index' ? Array.from({length: files}, (_, file) => session(slot).fileName(file)) : [];
        },
        /** @param {{store: string, slot?: number, randomLayers?: boolean}} args randomLayers: drawn once all have been read */
        loadBegin({store, slot, randomLayers = false}) {
            drawn = randomLayers;
            session(slot).loadBegin(store);
        },
        /** All at once: the weights are drawn, none are read. @param {{store: string, slot?: number}} args @returns {Model} */
        loadRandom({store, slot = 0}) {
            session(slot).loadRandom(store);
            return done(slot);
        },
        /** @param {{file: number, size: number, slot?: number}} args */
        loadFile({file, size, slot}) { session(slot).loadFile(file, size); },
        /** @param {{bytes: Uint8Array, slot?: number}} args */
        loadBytes({bytes, slot}) { session(slot).loadBytes(bytes); },
        /** @param {{slot?: number}} [args] @returns {Model} */
        loadEnd({slot = 0} = {}) {
            session(slot).loadEnd();
            if (drawn) session(slot).randomiseLayers();
            return done(slot);
        },
    };
}

/** Does one request. A trap is reported as of category "engine": after it nothing here can be trusted.
 * @param {Operations} operations @param {{id: number, op: string, args: any}} request
 * @param {import('./worker_load.js').Watch} watch */
export async function answer(operations, {id, op, args}, watch) {
    try {
        if (!Object.hasOwn(operations, op)) throw new Refusal(`state: there is no operation '${op}'`);
        return {id, value: await operations[/** @type {keyof Operations} */ (op)](args, watch)};
    } catch (error) {
        if (error instanceof Refusal) return {id, error: error.message};
        return {id, error: `engine: the computation stopped unexpectedly (${error}); load the model again, ` +
            'and please report this'};
    }
}

/** What of an answer can be handed over instead of copied. @param {any} value */
const transferables = value => value?.data instanceof Float32Array ? [value.data.buffer] : [];

/** @param {{onmessage: any, postMessage: (message: any, transfer?: Transferable[]) => void}} port */
export function serve(port) {
    const operations = createOperations();
    /** @type {Map<number, AbortController>} */
    const doing = new Map();
    port.onmessage = async (/** @type {MessageEvent} */ {data}) => {
        const {id, op} = data;
        if (op === 'cancel') return doing.get(id)?.abort();
        const controller = new AbortController();
        doing.set(id, controller);
        const reply = await answer(operations, data, {signal: controller.signal,
            report: progress => { port.postMessage({id, progress}); }});
        doing.delete(id);
        port.postMessage(reply, transferables(reply.value));
    };
}

if ('WorkerGlobalScope' in globalThis) serve(/** @type {any} */ (globalThis));
