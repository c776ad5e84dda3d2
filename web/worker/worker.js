/* worker - the other side of engine.js: it holds models and passes under the numbers that the
 * engine gives them, and serves messages one after the other; loads have a queue of their own, so
 * that the layers which have arrived can be used while the rest loads.
 *   -> {id, op, args}      <- any number of {id, progress}, {id, some} (the model that loads, as far
 *                          as it can run), {id, facts} (of a run), {id, part, answer} (of the
 *                          part-th want),
 *                             then {id, value} or {id, error: "category: sentence", about}
 *   -> {id, op: 'cancel', of}  the request `of` is given up: not begun if it waits, else a load
 *                              ends and a run or reading stops
 *                             after the answer it is at; it answers with an error
 * Between two answers of a run the worker looks at its mail: so a dear measure holds up nothing
 * that has been cancelled; and so does "keep", which writes a model into the browser's storage beside
 * whatever else is asked, a piece at a time. A load may be asked for before "start" has answered: its files then come
 * while the wasm is compiled. All buffers of answers are transferred. After an error of category
 * "engine" this worker is no longer fit for use. Importing the module has no effect unless it is
 * the script of a worker. Which passes are held: passes.js.
 */
import {BUILD, INDEXES} from '../base/build.js';
import {HeadlightError, parseError} from '../base/errors.js';
import {GENERATION} from '../base/model_names.js';
import {STORED} from '../files/fetch.js';
import {hubPart, openFolder} from '../files/folder.js';
import {loadModel} from '../files/load.js';
import {SIDES} from '../files/tokenizer_files.js';
import {indexOperations} from './indexes.js';
import {interventionOperations} from './interventions.js';
import {adopt, Passes} from './passes.js';
import {withTwo} from './two.js';
import {canRelax, constants, createCore, instantiate, Refusal, startThreads} from './wasm.js';

/**
 * @typedef {{norm: 'layer' | 'rms', activation: string, norm_first: boolean, norm_bias: boolean,
 *   embedding_norm: boolean, final_norm: boolean, head_norm: boolean, projected: boolean, gated:
 *   boolean, attention_bias: boolean, output_bias: boolean, mlp_bias: boolean, position_rows: number,
 *   rotary: number, buckets: number, scaling?: string, parallel?: boolean}} Block   what a layer is made of, as headlight.h says it
 * @typedef {{mask: 'all' | 'causal' | 'window' | 'causal_window', window: number, norm: boolean, theta: number, stored:
 *   number}} Layer   what varies from layer to layer;
 *     imported attention has neither, nor what is optional in
 * @typedef {{family: string, layers: number, heads: number, key_heads?: number, hidden: number,
 *   embedding?: number, head_width: number, inner: number, block?: Block, per_layer?: Layer[],
 *   precision?: 'fine' | 'fast', moves?: boolean, predicts?: string[], scores?: 'softmax' | 'sigmoid' | 'plain', similarity?: 'cosine' | 'dot' | 'euclidean' | 'manhattan', vocab: number, positions: number, types: number, parameters: number, weight_bytes: number,
 *   whole?: number, codes?: boolean, store: string, mlm: boolean, nsp: boolean, lowercase: boolean, architecture: string, special:
 *   {unk: number, cls: number, sep: number, pad: number, mask: number, bos?: number, eos?: number}, ends?: number[], tensors: import('./wasm.js').TensorInfo[],
 *   patterns: string[], measures: import('./wasm.js').MeasureInfo[], labels: string[], warnings: string[], second?: Second | null, from?: import('../files/folder.js').Origin & {files: string[]}}} Model   moves:
 *       imported attention has the lengths by which what heads move is shown; from: where it was read, and which files; codes: the weights in them are int8; whole: while it loads,
 *       how many layers it will have; those of `layers` are there
 * @typedef {{layers: number, heads: number, key_heads: number, hidden: number, head_width: number, vocab: number, positions:
 *   number, block: Block, per_layer: Layer[], tensors: import('./wasm.js').TensorInfo[], start: number, scaled: boolean}} Second   the
 *     decoder of a model of two stacks
 * @typedef {{id: number, piece: string, type: number, from: number, to: number, sentence: number,
 *     word: number,
 *   special: boolean, crossing?: boolean}} Token   crossing: of two texts, of which one looks at
 *                                                  the other (imported_tokens.js)
 * @typedef {{position: number, word: string, id: number, pieces: string[]}} Put   a word in the
 *     place of a token; id -1:
 *   it could not be put in, since it is several pieces, or none that the vocabulary has
 * @typedef {{puts: Put[], tokens: Token[], texts: string[], dropped: number[], nextSentence:
 *     number[] | null, sentenceOrder?: number[] | null, written?: {count: number, joins: boolean}, prediction?: import('./passes.js').Prediction | null, milliseconds: number, layers?: number,
 *   relaxed?: boolean, threads?: number, memory?: number, target?: import('./two.js').Row[], said?: import('./passes.js').Fill[]}} Facts   of a pass. said: at
 *       each row of a decoder, shown in the form of what is imported; relaxed: by
 *       headlight-relaxed.wasm; threads: that shared the
 *   work; memory: all of the engine's, bytes; texts: A and B, '' for none
 * @typedef {Facts & {pass?: number}} Pass   pass: its handle; none where there is no engine
 * @typedef {import('./passes.js').Tensor} Tensor
 * @import {Input, Want, Answer} from './passes.js'
 * @import {ModelSource} from '../files/folder.js'
 * @typedef {{build: string, wasm: string | BufferSource, relaxedUrl: string, threads?: import('./threads.js').ThreadUrls,
 *   life?: string}} StartArgs   relaxedUrl: '', or what may do better; life: the name of a lock, see live
 * @typedef {{source: ModelSource, model: number, store: 'q8' | 'f32', random?:
 *     import('../files/load.js').Random, some?: boolean}} LoadArgs   some: the layers that can run are told
 * @typedef {{signal: AbortSignal, say: (content: {progress: object} | {some: Model} | {facts: Facts} | {part:
 *     number, answer: unknown}) => void,
 *   look: () => Promise<void>}} Watch   look: throws when the request has been cancelled
 * @typedef {{core: ReturnType<typeof newCore>, passes: Passes | null, keepable?: Keepable |
 *     null, index?: import('./indexes.js').Index, closed?: boolean}} Opened   of a handle; it may be
 *     without a model; keepable: a copy of it may be kept
 * @typedef {ReturnType<typeof createCores>} Cores
 * @typedef {{origin: import('../files/copies.js').Origin, texts: Map<string, Uint8Array<ArrayBuffer>>}}
 *     Keepable
 * @typedef {ReturnType<typeof createOperations>} Operations
 */

const REPORT_MS = 50; // progress is told at most so often
const LOOK_MS = 15; // a load goes on so long before other messages are served
const WORTH = 8e6; // bytes still to come: fewer are not worth a look at the layers before them

/** @param {string} build of the page */
function checkBuild(build) {
    if (build !== BUILD)
        throw new Refusal(
            `engine: the page is of build ${build} but its worker of build ${BUILD}; a new ` +
                'version is being published: wait a minute and reload the page',
        );
}

/** Starts the wasm, once. @param {import('./threads.js').MakeHelper} [makeHelper] */
function createStarter(makeHelper) {
    let relaxed = false;
    let running = /** @type {import('./wasm.js').Exports | null} */ (null);
    let started = /** @type {Promise<import('./wasm.js').Exports | null>} */ (
        Promise.resolve(null)
    );
    /** @param {StartArgs} args */
    async function begin({build, wasm, relaxedUrl, threads}) {
        checkBuild(build);
        relaxed = relaxedUrl !== '' && canRelax();
        const exports =
            (await startThreads(threads, relaxed, makeHelper)) ??
            (await instantiate(relaxed ? relaxedUrl : wasm));
        createCore(exports).close(); // says at once when there is too little memory
        return (running = exports);
    }
    return {
        isRelaxed: () => relaxed,
        /** Where it has been waited for. */
        exports: () => /** @type {import('./wasm.js').Exports} */ (running),
        async ready() {
            const exports = await started;
            if (!exports) throw new Refusal('state: the engine has not been started');
            return exports;
        },
        async start(/** @type {StartArgs} */ args) {
            await (started = begin(args));
        },
    };
}

/** @param {import('./wasm.js').Exports} wasm @returns {import('./wasm.js').Core & {two?: import('./two.js').Two}} */
const newCore = wasm => {
    const core = createCore(wasm);
    return INDEXES ? withTwo(wasm, core) : core;
};

/** The cores (sessions of headlight.h) of the wasm instance, by handle: of models, of parts of studies, of indexes; each is opened when
 * first named.
 * @param {() => import('./wasm.js').Exports} exports */
function createCores(exports) {
    /** @type {Map<number, Opened>} */
    const opened = new Map();
    const open = (/** @type {number} */ handle) => {
        const found = opened.get(handle) ?? {core: newCore(exports()), passes: null};
        opened.set(handle, found);
        return found;
    };
    return {
        open,
        core: (/** @type {number} */ handle) => open(handle).core,
        /** The passes of a model that is loaded. @param {number} handle */
        passes(handle) {
            const passes = opened.get(handle)?.passes;
            if (!passes) throw new Refusal('state: no model is loaded; load one first');
            return passes;
        },
        /** @param {number} handle */
        close(handle) {
            const found = opened.get(handle);
            if (found) found.closed = true;
            found?.index?.close();
            found?.core.close();
            opened.delete(handle);
        },
    };
}

/** @param {(content: {progress: object}) => void} say @returns {import('../files/folder.js').OnProgress} */
function seldom(say) {
    let last = -Infinity;
    return progress => {
        const now = performance.now();
        const ended = INDEXES && progress.one?.ended;
        if (now - last < REPORT_MS && progress.done !== progress.total && !ended) return;
        last = now;
        say({progress});
    };
}

/** What load.js throws becomes a Refusal. @param {unknown} error */
function refused(error) {
    const {category, message, name, about} = /** @type {HeadlightError} */ (error);
    if (category) return Object.assign(new Refusal(`${category}: ${message}`), {about});
    return name === 'AbortError' ? new Refusal(`state: ${message}`) : error;
}

/** Is it the fault of a copy in this browser, which has been dropped by now? The server has the
 * whole. A page that is left while it keeps a copy may leave a part of one (Firefox).
 * @param {unknown} error @param {import('../files/folder.js').Folder} folder */
const isOfCopy = (error, folder) =>
    error instanceof HeadlightError &&
    (error.message.includes(STORED) ||
        (folder.saved() && ['file', 'weights', 'config', 'vocab'].includes(error.category)));

/** A whole folder goes into a core of this worker: files are fetched here, so that their bytes
 * pass from the network into the wasm's memory without a detour through the page.
 * @param {LoadArgs} args
 * @param {(op: string, args: object) => Promise<any>} call an operation of this worker
 * @param {Watch} watch @returns {Promise<{info: Model, keepable: Keepable | null}>} */
async function loadFolder({source, model, some, ...how}, call, {signal, say, look}) {
    let left = 0;
    let looked = performance.now();
    const tell = seldom(say);
    /** @type {import('../files/folder.js').OnProgress} */
    const onProgress = progress => {
        left = progress.total - progress.done;
        tell(progress);
    };
    const send = async (/** @type {string} */ op, /** @type {object} */ args) => {
        try {
            const value = await call(op, {...args, model});
            if (performance.now() - looked > LOOK_MS) {
                await look(); // bytes that are here already would come before all mail
                looked = performance.now();
            }
            const ready = some && !how.random && left > WORTH && (await call('some', {model}));
            if (ready) say({some: ready});
            return value;
        } catch (error) {
            throw error instanceof Refusal ? parseError(error.message) : error;
        }
    };
    const copies = how.store === 'q8' && !how.random;
    /** @returns {Promise<{info: Model, keepable: Keepable | null}>} */
    const load = async (/** @type {boolean} */ again) => {
        let folder = null;
        try {
            folder = await openFolder(source, {signal, onProgress, copies});
            const info = await loadModel(folder, send, how);
            const origin = /** @type {import('../files/copies.js').Origin} */ (info.from);
            return {info, keepable: folder.keeps() ? {origin, texts: folder.texts} : null};
        } catch (error) {
            if (again || !folder || !isOfCopy(error, folder)) throw refused(error);
            return load(true);
        }
    };
    return load(false);
}

/** What is known of a model that loads. @param {Pick<Cores, 'open'>} cores */
function createDescriber({open}) {
    const show = (/** @type {Opened} */ opened, /** @type {Model} */ info) => {
        if (opened.passes) opened.passes.model = info;
        else opened.passes = new Passes(opened.core, info);
        return info;
    };
    return {
        /** All of it is there. @param {number} model */
        done: model => show(open(model), /** @type {Model} */ (open(model).core.describe())),
        /** Is there more of it that can run than when this was asked last?
         * @param {{model: number}} args @returns {Model | null} */
        some({model}) {
            const opened = open(model);
            const layers = opened.core.layers();
            if (layers <= (opened.passes?.model.layers ?? 0)) return null;
            const info = /** @type {Model} */ (opened.core.describe());
            return show(opened, {...info, layers, whole: info.layers});
        },
    };
}

/** The steps of a load, also one by one for files that are read elsewhere (load_in_page.js).
 * @param {Cores} cores */
function loadOperations({open, core}) {
    const {done, some} = createDescriber({open});
    return {
        some,
        /** @param {{kind: import('./wasm.js').TextKind, bytes: Uint8Array, model: number}} args
         * @returns {string[]} the files to come: of the index, those of the weights in order; after config.json, what
         *     only a model that says the next token has, and one of two stacks */
        loadText({kind, bytes, model}) {
            if (kind === 'config') {
                open(model).passes?.drop();
                open(model).passes = null;
            }
            const files = core(model).loadText(kind, bytes);
            const more = files > 1 ? [GENERATION] : [];
            if (kind === 'config') return INDEXES && core(model).two ? [...more, SIDES[0]] : more;
            return kind === 'index'
                ? Array.from({length: files}, (_, file) => core(model).fileName(file))
                : [];
        },
        /** @param {{store: string, model: number, saved?: boolean}} args   saved: see loadSaved of
         *     wasm.js */
        loadBegin({store, model, saved = false}) {
            if (saved) core(model).loadSaved();
            else core(model).loadBegin(store);
        },
        /** All at once: the weights are drawn, none are read.
         * @param {{store: string, model: number}} args @returns {Model} */
        loadRandom({store, model}) {
            core(model).loadRandom(store);
            return done(model);
        },
        /** @param {{file: number, size: number, model: number}} args */
        loadFile({file, size, model}) {
            core(model).loadFile(file, size);
        },
        /** @param {{sha256: string, model: number}} args */
        loadCheck({sha256, model}) {
            core(model).loadCheck(sha256);
        },
        /** @param {{bytes: Uint8Array, model: number}} args */
        loadBytes({bytes, model}) {
            core(model).loadBytes(bytes);
        },
        /** @param {{model: number, randomLayers?: boolean}} args randomLayers: are drawn now that
         *     all have been read @returns {Model} */
        loadEnd({model, randomLayers = false}) {
            core(model).loadEnd();
            if (randomLayers) core(model).randomiseLayers();
            return done(model);
        },
    };
}

/** Writes a model of the hub into the browser's storage, between whatever else is asked.
 * @param {Opened} opened @param {Watch} watch @returns {Promise<import('../files/copies.js').Mark>} */
async function keep(opened, {look}) {
    const {keepable, core} = opened;
    if (!keepable) throw new Refusal('state: there is nothing to keep of this model');
    opened.keepable = null;
    const size = core.saveBegin();
    const body = new ReadableStream(
        {
            async pull(controller) {
                await look();
                if (opened.closed) throw new Error('the model has been given back');
                const bytes = core.saveBytes();
                if (bytes.length) controller.enqueue(bytes);
                else controller.close();
            },
        },
        {highWaterMark: 0},
    );
    const {host, name, commit, revision} = keepable.origin;
    const parts = [...keepable.texts].map(([text, bytes]) => ({
        name: text,
        size: bytes.length,
        body: bytes,
    }));
    try {
        const {createCopies} = await hubPart();
        return await createCopies().keep({host, name, commit, revision}, [
            ...parts,
            {name: 'model.safetensors', size, body},
        ]);
    } catch (error) {
        throw refused(error);
    }
}

/** Answers one by one. @param {Answer} answer @param {Want[]} want @param {Watch} watch */
async function tell(answer, want, {say, look}) {
    for (const [part, one] of want.entries()) {
        await look();
        say({part, answer: await answer(one, look)});
    }
}

/** Runs, readings and their end. @param {Cores} cores
 * @param {() => boolean} isRelaxed */
function passOperations(cores, isRelaxed) {
    /** What answers for a pass, by its handle.
     * @type {Map<number, {model: number, open: (want: Want[]) => Answer, release: () => void}>} */
    const known = new Map();
    return {
        /** @param {{model: number, pass: number, input: Input, keep: string[], want: Want[], over?:
         *     number}} args @param {Watch} watch */
        async run({model, pass, input, keep, want, over}, watch) {
            const passes = cores.passes(model);
            passes.add(pass, input, keep);
            try {
                const {facts, answer} = passes.open(pass, want, over);
                known.set(pass, {
                    model,
                    open: more => passes.open(pass, more).answer,
                    release: () => passes.release(pass),
                });
                watch.say({facts: {...facts, relaxed: isRelaxed()}});
                await tell(answer, want, watch);
            } finally {
                if (!known.has(pass)) passes.release(pass);
            }
        },
        /** @param {{pass: number, want: Want[]}} args @param {Watch} watch */
        async read({pass, want}, watch) {
            const found = known.get(pass);
            if (!found) throw new Refusal(`state: there is no pass ${pass}; it has been released`);
            await tell(found.open(want), want, watch);
        },
        /** @param {{model: number, text: string, textB: string}} args */
        tokenize: ({model, text, textB}) => cores.passes(model).tokenize(text, textB),
        /** Attention from elsewhere, under the handle of a pass.
         * @param {{pass: number} & Parameters<typeof adopt>[1]} args */
        adopt({pass, ...input}) {
            const {answer} = adopt(cores.core(pass), input);
            known.set(pass, {model: 0, open: () => answer, release: () => cores.close(pass)});
        },
        /** Of a model, its passes too. @param {{pass?: number, model?: number}} args */
        release({pass = 0, model = 0}) {
            known.get(pass)?.release();
            known.delete(pass);
            if (!model) return;
            for (const [number, {model: of}] of known) if (of === model) known.delete(number);
            cores.close(model);
        },
    };
}

/** Studies over a corpus: a corpus or a part goes into the core of a handle, steps are run, the
 * answer comes out as text.
 * @param {(model: number) => import('./passes.js').Core} core */
const studyOperations = core => ({
    /** Keeps a corpus. @param {{model: number, bytes: Uint8Array}} args */
    corpus({model, bytes}) {
        core(model).loadText('corpus', bytes);
    },
    /** Adds a part to the study of a core, or begins the study from it.
     * @param {{model: number, text: string}} args */
    part({model, text}) {
        core(model).loadText('part', new TextEncoder().encode(text));
    },
    /** @param {{model: number, options: object, other: number}} args other: the model that it is
     *     compared with, 0: none
     * @returns {{steps: number, items: number}} */
    studyBegin: ({model, options, other}) =>
        core(model).studyBegin(options, other ? core(other) : null),
    /** @param {{model: number, first: number, count: number}} args */
    studyStep({model, first, count}) {
        core(model).studyStep(first, count);
    },
    /** @param {{model: number, ask: object}} args @returns {string} JSON */
    studyAnswer: ({model, ask}) => core(model).studyAnswer(ask),
});

/** What the .wasm file with everything can: the site's page has none of it (base/build.js).
 * @param {Parameters<typeof interventionOperations>} from
 * @returns {ReturnType<typeof indexOperations> & ReturnType<typeof interventionOperations>} */
const more = (...from) =>
    /** @type {any} */ (
        INDEXES && {...indexOperations(...from), ...interventionOperations(...from)}
    );

/** @param {import('./threads.js').MakeHelper} [makeHelper] of Node */
export function createOperations(makeHelper) {
    const {isRelaxed, exports, ready, start} = createStarter(makeHelper);
    const cores = createCores(exports);
    const loads = loadOperations(cores);
    const passes = passOperations(cores, isRelaxed);
    return {
        start,
        /** Before all but "start" and "load". */
        ready,
        ...loads,
        /** @param {LoadArgs} args @param {Watch} watch */
        async load(args, watch) {
            try {
                const {info, keepable} = await loadFolder(
                    args,
                    async (op, step) => {
                        await ready();
                        return loads[/** @type {keyof typeof loads} */ (op)](
                            /** @type {any} */ (step),
                        );
                    },
                    watch,
                );
                cores.open(args.model).keepable = keepable;
                return info;
            } catch (error) {
                passes.release({model: args.model});
                throw error;
            }
        },
        /** @param {{model: number}} args @param {Watch} watch */
        keep: ({model}, watch) => keep(cores.open(model), watch),
        ...passes,
        ...studyOperations(cores.core),
        ...more(exports, cores),
        /** What can be measured, also where there is no model. @returns {Pick<Model, 'patterns' | 'measures'>} */
        constants: () => constants(exports()),
    };
}

/** Does one request. A trap is reported as of category "engine": after it nothing here can be
 * trusted. `ended`: a thread that helped has ended, with a part of the pass.
 * @param {Operations} operations @param {{id: number, op: string, args: any}} request
 * @param {Watch} watch
 * @returns {Promise<{id: number, value: unknown} | {id: number, error: string, about?: object, ended?:
 *     boolean}>} */
export async function answer(operations, {id, op, args}, watch) {
    let wasm = /** @type {import('./wasm.js').Exports | null} */ (null);
    try {
        if (!Object.hasOwn(operations, op))
            throw new Refusal(`state: there is no operation '${op}'`);
        if (op !== 'start' && op !== 'load') wasm = await operations.ready();
        return {id, value: await operations[/** @type {keyof Operations} */ (op)](args, watch)};
    } catch (error) {
        if (error instanceof Refusal) {
            const {about} = /** @type {{about?: object}} */ (error);
            return {id, error: error.message, ...(about && {about})};
        }
        const ended = wasm?.hl_threads?.() === 0;
        const said = ended ? 'a thread has ended; it goes on with one' : error;
        return {
            id,
            ended,
            error:
                `engine: the computation stopped unexpectedly (${said}); load the model again, ` +
                'and please report this',
        };
    }
}

/** The buffers of an answer. @param {any} value @returns {Transferable[]} */
const buffersOf = value => (value?.data instanceof Float32Array ? [value.data.buffer] : []);

/** Lets messages in that have come meanwhile. @returns {Promise<void>} */
const mail = () =>
    new Promise(done => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => {
            port1.close();
            done();
        };
        port2.postMessage(null);
    });

/**
 * @typedef {{onmessage: any, postMessage: (message: any, transfer?: Transferable[]) => void}} Port
 * @typedef {{id: number, op: string, args: any, controller: AbortController}} Request
 */

const CANCELLED = new Refusal('state: this has been cancelled');

/** How an operation sends parts of its answer, and hears that it is cancelled.
 * @param {Port} port @param {Request} request @returns {Watch} */
const watchOf = (port, {id, controller: {signal}}) => ({
    signal,
    say: content =>
        port.postMessage({id, ...content}, 'answer' in content ? buffersOf(content.answer) : []),
    async look() {
        await mail();
        if (signal.aborted) throw CANCELLED;
    },
});

/** Says that it lives, and holds a lock of that name for as long as it does (engine.js).
 * @param {Port} port @param {{id: number, args: StartArgs}} request */
function live(port, {id, args: {life = ''}}) {
    const say = (/** @type {boolean} */ locked) => port.postMessage({id, locked});
    const hold = () => {
        say(true);
        return new Promise(() => {});
    };
    say(false);
    // none without a secure context; refused in a frame without an origin
    if (life) globalThis.navigator?.locks?.request(life, hold).catch(() => {});
}

/** @param {Port} port @param {import('./threads.js').MakeHelper} [makeHelper] of Node */
export function serve(port, makeHelper) {
    const operations = createOperations(makeHelper);
    /** Of some operations, and of the others; in each, the first is being done. @type {Record<string, Request[]>} */
    const lines = {start: [], load: [], keep: [], other: []};

    /** @param {Request[]} line */
    async function answerFirst(line) {
        const [request] = line;
        const reply = request.controller.signal.aborted
            ? {id: request.id, error: CANCELLED.message}
            : await answer(operations, request, watchOf(port, request));
        line.shift();
        port.postMessage(reply);
        if (line.length) answerFirst(line);
    }

    port.onmessage = (/** @type {MessageEvent} */ {data}) => {
        const {id, op, args} = data;
        if (op === 'cancel') {
            const all = Object.values(lines).flat();
            all.find(request => request.id === data.of)?.controller.abort();
            return;
        }
        const request = {id, op, args, controller: new AbortController()};
        if (op === 'start') live(port, data);
        const line = lines[Object.hasOwn(lines, op) ? op : 'other'];
        line.push(request);
        if (line.length === 1) answerFirst(line);
    };
}

if ('WorkerGlobalScope' in globalThis) serve(/** @type {any} */ (globalThis));
