/* Types of the package `head-light`. Letters of sizes: L layers, H heads, T tokens, D hidden width.
 * Layers, heads and positions count from 0. What fails throws a HeadlightError; a cancelled call
 * throws a DOMException named AbortError. For TypeScript 4.7 and newer, with or without the types
 * of the browser (lib dom) or of Node. The element <head-light> of the site: element.d.ts. */

/** A class of the browser or of Node, where the project has its types. */
type Global<Name extends string, Otherwise> = typeof globalThis extends {
    [name in Name]: {prototype: infer Type};
}
    ? Type
    : Otherwise;
type AnySignal = Global<'AbortSignal', {readonly aborted: boolean}>;
type AnyURL = Global<'URL', {readonly href: string}>;
type AnyFile = Global<'File', {readonly name: string; readonly size: number}>;
type AnyWorker = Global<
    'Worker',
    {
        postMessage(message: any, transfer: any[]): void;
        terminate(): void;
        onmessage: any;
        onerror: any;
        onmessageerror: any;
    }
>;

declare global {
    /** As lib esnext.disposable has it, for projects without. */
    interface SymbolConstructor {
        readonly asyncDispose: unique symbol;
    }
}

/** Every error of this package, whether it arises in the caller's thread, the worker or the model. */
export class HeadlightError extends Error {
    /** Where to look: the model's config, its vocabulary or weights, the text, too little memory,
     * a call that does not fit, the network, the file that was given, or the engine itself. */
    readonly category:
        | 'config'
        | 'vocab'
        | 'weights'
        | 'text'
        | 'memory'
        | 'state'
        | 'network'
        | 'file'
        | 'engine';
    constructor(category: string, sentence: string);
}

/** A model in Hugging Face layout: a repository of the Hugging Face hub, 'org/name', 'org/name@revision' or a
 * name that the hub knows without an organisation, 'gpt2' (as {hub, host}: of another hub); the address of
 * a folder (a relative one begins with './' or ends with '/'); in Node also a path, which comes before a
 * repository of that name; the File objects of a folder; or an address with what is in the folder, which
 * saves requests for files that are not there. What comes from the hub is kept: in Node in the cache of
 * huggingface_hub (HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE), in a browser as int8 in its
 * storage. */
export type Source =
    | string
    | AnyURL
    | AnyFile[]
    | {url: string; files?: string[]; bytes?: number}
    | {hub: string; host?: string};

export interface CommonOptions {
    /** How the weights are kept: as int8 with one scale per row (default), or as float32. */
    store?: 'q8' | 'f32';
    /** A control: weights drawn at random, of the layers over the model's own embeddings, or all of them. */
    random?: 'layers' | 'all';
    /** Cancels the load. */
    signal?: AnySignal;
    /** Bytes of the download so far, over all files; total 0: not known. */
    onProgress?: (progress: {file: string; done: number; total: number}) => void;
    /** The same by the statuses of transformers.js. */
    progress_callback?: (progress: LoadProgress) => void;
}

/** `loaded` and `total` in bytes, total 0: not known; `progress` in percent; `name`, `model`: as `load` was given it.
 * A file is initiated, downloaded (unless it lies on this machine), and done; progress_total is of all files. */
export type LoadProgress =
    | {status: 'initiate' | 'download' | 'done'; name: string; file: string}
    | {
          status: 'progress';
          name: string;
          file: string;
          loaded: number;
          total: number;
          progress: number;
      }
    | {
          status: 'progress_total';
          name: string;
          loaded: number;
          total: number;
          progress: number;
          files: Record<string, {loaded: number; total: number}>;
      }
    | {status: 'ready'; model: string};

export interface LoadOptions extends CommonOptions, EngineOptions {}

export interface EngineOptions {
    /** The address of this package's worker.js, if it does not lie beside the script (browsers
     * only). */
    workerUrl?: string | AnyURL;
    /** The address of this package's headlight.wasm, if it does not lie beside the script. */
    wasmUrl?: string | AnyURL;
    /** headlight.wasm itself, instead of its address. */
    wasmBytes?: ArrayBuffer | Uint8Array;
    /** Makes the worker instead of `new Worker(workerUrl, {type: 'module'})`. */
    makeWorker?: () => Pick<
        AnyWorker,
        'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'
    >;
    /** Threads that share a pass, at most 8; results have the same bits with any number. By default as
     * many as there are cores, at most 4. In browsers only pages that are cross-origin isolated have
     * more than one, and so does nobody who names wasmUrl, wasmBytes or makeWorker. */
    threads?: number;
}

/** Loads a model; a worker (in Node a thread) holds it until it is disposed of. */
export function load(source: Source, options?: LoadOptions): Promise<Model>;

/** `await using model = await load(...)` disposes of it at the end of the block. */
export interface Model {
    readonly info: ModelInfo;
    /** Runs a text, or with `pair` two: [CLS] text [SEP] pair [SEP] in BERT. What exceeds the
     * model's length is cut off, from the longer text first: see `dropped` of the result. */
    run(text: string, options?: RunOptions): Promise<Result>;
    /** Several texts, one after the other; `pair` and `target` are then lists as long, or absent. */
    run(
        texts: string[],
        options?: Omit<RunOptions, 'pair' | 'target'> & {
            pair?: string[];
            target?: (string | number[])[];
        },
    ): Promise<Result[]>;
    /** The tokens that `run` would see. */
    tokenize(text: string, options?: {pair?: string; signal?: AnySignal}): Promise<Token[]>;
    tokenize(texts: string[], options?: {pair?: string[]; signal?: AnySignal}): Promise<Token[][]>;
    /** How similar two texts are to a sentence-transformers model (info.predicts has 'embedding'): the
     * cosine of their embeddings, -1 to 1, each text truncated at its max_seq_length. One embedding:
     * tensor('sentence_embedding') of a result. */
    similarity(
        a: string,
        b: string,
        options?: {precision?: RunOptions['precision']; signal?: AnySignal},
    ): Promise<number>;
    /** What this model makes of each token of a corpus, to be searched: one sentence a line, pairs with a
     * tab, TSV with named columns, or CoNLL-U, which gives parts of speech and relations too. */
    index(corpus: string | Uint8Array, options?: IndexOptions): Promise<CorpusIndex>;
    /** What becomes of a prediction when a part of the text or of the model is changed: a pass for each change,
     * always in fine. Answers come one after the other. */
    intervene(
        question: InterventionQuestion,
        text: string | [string, string],
        options: InterventionOptions & {csv: true},
    ): Promise<string>;
    intervene(
        question: InterventionQuestion,
        text: string | [string, string],
        options?: InterventionOptions,
    ): Promise<InterventionAnswer>;
    /** What each pair of tokens adds to that similarity, [T of a, T of b]: the cells sum to it. Only where
     * embeddings are means of the tokens, compared by cosine or dot product. */
    split(
        a: string,
        b: string,
        options?: {precision?: RunOptions['precision']; signal?: AnySignal},
    ): Promise<Tensor & {tokens: string[][]}>;
    /** Goes on with a text, the most probable token each time (info.predicts has 'next_word'), up to 20
     * tokens or `tokens`, or the end of the text that the model says. `result` is the last run: it has seen
     * all of them, but for the end of the text. To go on from there: `appended`, with the ids of `written`. */
    continue(
        text: string,
        options?: RunOptions & {tokens?: number; onToken?: (written: Prediction) => void},
    ): Promise<{written: Prediction[]; result: Result}>;
    /** Ends the worker. Calls that are still pending fail. */
    dispose(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

export interface IndexOptions {
    /** Layers whose vectors are kept, for the questions `like` and `context`; none by default. */
    layers?: number[];
    /** Found out by default: 'lines', 'pairs', 'tsv', 'conllu', 'coref', 'gap'. */
    format?: string;
    /** Names of the columns of a TSV file. */
    columns?: {a?: string; b?: string; label?: string};
    /** What the index calls the model and the corpus, beside their SHA-256. */
    names?: {model?: string; corpus?: string};
    /** Items of the corpus so far. */
    onProgress?: (progress: {done: number; total: number}) => void;
    signal?: AnySignal;
}

/** Opens the file of an index, of `save` or of `headlight index`; takes no model. */
export function openIndex(
    file: Uint8Array,
    options?: EngineOptions & {
        /** Another index of the same corpus in the same tokens, of random layers or of another checkpoint:
         * each bar of an answer then has `beside`, what the same question finds there. */
        beside?: Uint8Array;
    },
): Promise<CorpusIndex>;

/** decides: each token masked or removed, each head and each MLP off in turn. patch: each token's row at each
 * layer and each head's context from the text `from`. agree: readings of attention beside the tokens of decides, of the
 * word that stands there. effect: the outputs with each head and MLP off, or with `changes`. why_off: the weight of a link without each that
 * wrote it. edge: what a head reads without what one head or MLP below wrote into it; edge_link: its link then. docs/methods.md says what the numbers are. */
export interface InterventionQuestion {
    intervention: 'decides' | 'patch' | 'agree' | 'effect' | 'why_off' | 'edge' | 'edge_link';
    /** The position whose word or label it is about; else the first [MASK], the last token, where an answer starts, a token whose label
     * is another than most. */
    at?: number;
    /** A word or its id, or a label ('replaced' or 'original' of a discriminator); else the most probable one. */
    word?: string | number;
    /** Less whose ln p the word's is taken. */
    against?: string | number;
    parts?: ('tokens' | 'heads' | 'mlps')[];
    /** Of decides; 'removed' where the model has no [MASK]. */
    how?: 'masked' | 'removed';
    /** Of patch: the other text, and one pair of tokens where the texts have not as many. */
    from?: string;
    tokens?: [number, number];
    /** Of effect: made together, as ['head', 1, 8], ['no_types']; with how many words, which measures, and each head and MLP alone, too. */
    changes?: [kind: string, ...numbers: number[]][];
    top?: number;
    measures?: string[];
    apart?: boolean;
    /** Of effect without changes: how far the words of all tokens move, which takes as long as some passes. */
    moved?: boolean;
    /** Of decides and effect: what stands in the place of heads and MLPs that are off; means of your own, ['head', 1, 8, [numbers]]. */
    by?: 'zero' | 'mean';
    means?: (string | number | number[])[][];
    /** Of why_off and edge_link; of edge the reader alone. */
    layer?: number;
    head?: number;
    query?: number;
    key?: number;
    /** Of edges: else all, of a link q and k. */
    into?: ('q' | 'k' | 'v')[];
    precision?: 'fine';
    names?: {model?: string};
}

export interface InterventionOptions {
    /** The effects as a table. */
    csv?: boolean;
    signal?: AnySignal;
    /** Passes so far. */
    onProgress?: (progress: {done: number; total: number}) => void;
}

export interface ChangedWords {
    position: number;
    token: string;
    words: {word: string; id: number; before: number; after: number}[];
}

/** One of the values logProbability, logRatio (both in nats), score, similarity: the target as the text is. */
export interface InterventionAnswer {
    intervention: string;
    word?: string;
    label?: string;
    against?: string;
    position?: number;
    start?: number;
    logProbability?: number | null;
    logRatio?: number | null;
    score?: number;
    similarity?: number;
    /** Of patch: the target of the text that is patched from, how many changes did nothing, and why there are no shares. */
    from?: number | null;
    unchanged?: number;
    note?: string;
    how?: 'masked' | 'removed';
    pair?: [number, number];
    tokens: string[] | [string[], string[]];
    identity: {
        headlight: string;
        model: {name: string; sha256: string};
        store: 'q8' | 'f32';
        precision: 'fine';
    };
    steps: [number, number];
    /** The largest first. change: what the change adds to the target; recovered: its share of `from` less the target. */
    effects: {
        kind:
            | 'token'
            | 'removed'
            | 'head'
            | 'mlp'
            | 'patch_token'
            | 'patch_head'
            | 'together'
            | 'no_positions'
            | 'no_types';
        layer?: number;
        head?: number;
        into?: 'q' | 'k' | 'v';
        text?: 'A' | 'B';
        position?: number;
        token?: string;
        change: number | null;
        recovered?: number | null;
        weight?: number;
        moved?: number;
        zeroed?: number;
        rollout?: number;
        nearness?: number;
        key?: number;
        query?: number;
    }[];
    /** Of agree: how many tokens are compared, by which readings ('decided' the last, the size of the change), and
     * their rank correlations; null: fewer than four tokens. */
    compared?: number;
    readings?: string[];
    correlations?: (number | null)[][] | null;
    /** Of why_off, and of edges without the measure: the link, its tokens, and its numbers by the measure `why`. */
    layer?: number;
    head?: number;
    query?: number;
    queryToken?: string;
    key?: number;
    keyToken?: string;
    weight?: number;
    contrast?: number;
    meanQuery?: number;
    /** Of effect: what `moved` is of; of `changes` what is said before and after. */
    outputs?: 'words' | 'labels' | 'vectors';
    changes?: [kind: string, ...numbers: number[]][];
    most?: ChangedWords;
    words?: ChangedWords[];
    labels?: {label: string; before: number; after: number}[];
    follows?: {before: number; after: number};
    measures?: Record<string, {before: (number | null)[]; after: (number | null)[]}>;
}

/** An index of a corpus. How it is made, and what its answers count: docs/search.md. */
export interface CorpusIndex {
    readonly info: {
        layers: number;
        heads: number;
        hidden: number;
        headWidth: number;
        tokens: number;
        sentences: number;
        firstItem: number;
        items: number;
        model: string;
        modelSha256: string;
        corpus: string;
        corpusSha256: string;
        format: string;
        store: 'q8' | 'f32';
        release: string;
        vectors: number[];
        masks: string[];
        added: string[];
        tags: string[];
        relations: string[];
    };
    /** Exact: every token is looked at. */
    search(
        question: Question & {csv: 'rows' | 'bars'},
        options?: {signal?: AnySignal},
    ): Promise<string>;
    search(
        question: HeadsQuestion,
        options?: {signal?: AnySignal},
    ): Promise<Omit<SearchAnswer, 'rows'> & {rows: SearchHead[]}>;
    search(question: Question, options?: {signal?: AnySignal}): Promise<SearchAnswer>;
    /** Its file. */
    save(): Promise<Uint8Array>;
    dispose(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** What is asked of a word: its form (in any case; an added token as it reads, '[SEP]'), its part of
 * speech, its relation to its governor. */
export interface WordQuestion {
    word?: string;
    pos?: string;
    relation?: string;
}

/** Layers, heads, sentences and tokens count from 0. */
export type Question = {
    /** How many rows are listed: 20. */
    rows?: number;
    csv?: 'none' | 'rows' | 'bars';
    bars?: 'all' | 'none';
} & (
    | ({ask: 'find'} & WordQuestion)
    | ({
          /** Tokens like one, by the output of a layer, or by what its heads bring. */
          ask: 'like' | 'context';
          /** The last layer with vectors by default. */
          layer?: number;
          /** Sentence and token; or `of`, the first place of a word. */
          at?: [sentence: number, token: number];
          of?: string;
          /** Of 'context': all by default. */
          heads?: number[];
          /** How many tokens are found: 100. */
          most?: number;
      } & WordQuestion)
    | {
          /** Where a head looks: each query with its key of largest weight, by what is moved. */
          ask: 'head';
          layer: number;
          head: number;
          query?: WordQuestion;
          key?: WordQuestion;
          /** From the query to the key, least and most. */
          offset?: [number, number];
          /** At least. */
          weight?: number;
          /** The first so many count; all by default. */
          most?: number;
          show?: 'top' | 'deciles' | 'random';
          seed?: number;
      }
);

/** What every head does over the corpus; with a layer and a head also how often each has the same key as that one. */
export interface HeadsQuestion {
    ask: 'heads';
    layer?: number;
    head?: number;
}

/** Means over all tokens, and shares of them, of each token's key of largest weight. */
export interface SearchHead {
    layer: number;
    head: number;
    weight: number;
    moved: number;
    /** In tokens. */
    distance: number;
    previous: number;
    next: number;
    self: number;
    /** The first token of the item. */
    first: number;
    /** A token that the tokenizer adds. */
    added: number;
    /** Another place of the same word. */
    sameWord: number;
    otherSentence: number;
    /** The key governs the query, or depends on it; of a corpus in CoNLL-U. */
    governor?: number;
    dependent?: number;
    alike?: number;
}

export interface SearchAnswer {
    question: Question;
    /** Tokens that were looked at, and that were found. */
    candidates: number;
    matches: number;
    rows: SearchRow[];
    bars: SearchBars[];
}

export interface SearchToken {
    token: number;
    id: number;
    /** Of an added token: how it reads. */
    added?: string;
    /** Text A (0) or B (1), and its code points. */
    part?: number;
    from?: number;
    to?: number;
    word?: string;
    pos?: string;
    relation?: string;
}

export interface SearchRow {
    rank: number;
    sentence: number;
    line: number;
    text: string;
    textB?: string;
    match?: SearchToken;
    query?: SearchToken;
    key?: SearchToken;
    offset?: number;
    weight?: number;
    moved?: number;
    cosine?: number;
}

export interface SearchBars {
    of: 'match' | 'query' | 'key' | 'before' | 'after' | 'pair';
    by: 'pos' | 'relation' | 'word' | 'offset';
    matches: number;
    sentences: number;
    /** Matches that begin no word. */
    others: number;
    tested: boolean;
    /** Of labels; the first 30 are listed. */
    count: number;
    labels: {
        label: string | number;
        count: number;
        share: number;
        base: number;
        lift: number | null;
        low: number | null;
        high: number | null;
        expected: number;
        p: number | null;
        adjusted: number | null;
        claim: 'more' | 'less' | null;
    }[];
}

/** Of a model of two stacks (T5, mT5, BART, Marian): what the encoder's tokens look at, the target's at each other, and
 * the target's at the encoder's. */
export type Kind = 'encoder' | 'decoder' | 'cross';

export interface RunOptions {
    /** The second text; '' is none. */
    pair?: string;
    /** Of a model of two stacks (info.second), whose text is the source: the target, as a text or as ids; either this or
     * `write` must be given. */
    target?: string | number[];
    /** The target is written by the model, its most probable token each time, up to so many: those of generate() of transformers with
     * num_beams=1. */
    write?: number;
    /** Of the activations, where weights are int8: 'fast' (8 bits, and a second byte for the few
     * largest of a token), 'fine' (up to 14 bits; takes about 1.5 times as long), or, by default,
     * 'usual': the one that suits the model's family (info.precision). */
    precision?: 'usual' | 'fast' | 'fine';
    /** Names of tensors (info.tensors) that are kept for reading; ['attention'] by default.
     * Reading any other tensor runs the text once more and keeps that tensor from then on. All of
     * them take 442 MB for BERT-base and 512 tokens, attention a third of that. Of a long text the maps of
     * all layers may be larger than memory: 'attention.3' keeps those of layer 3, 'attention.3.5' that of its
     * head 5, [1, T, T]. Reading another layer runs the text once more, from that layer on where 'hidden'
     * is kept too. Measures of attention are then of that layer (and head) alone. */
    keep?: string[];
    /** Heads that add nothing to their layer's output (Michel et al. 2019); with `neuron`, 0 to
     * info.headWidth - 1, only that neuron of the head's queries is set to zero. */
    ablate?: {layer: number; head: number; neuron?: number}[];
    /** Layers whose MLP adds nothing, its last bias included. */
    ablateMlps?: number[];
    /** Tokens to replace: by '[MASK]', or any other entry of the vocabulary. */
    replace?: {position: number; token: string}[];
    /** Pairs of tokens that exchange their places in the text. The rows of tensors, and
     * `tokens`, stay in the order in which the text was typed. */
    swap?: {position: number; with: number}[];
    /** Taken from another text: of `tokens`, the row of the stream as that layer finds it; of `heads`, the
     * context at all tokens. from: for each token of this text, the one of the other that is taken, -1: none;
     * without it both must have as many. Other tensors of such a run are of two texts, so what adds them
     * up (moved, why, …) is refused. */
    patch?: {
        text: string;
        pair?: string;
        tokens?: {layer: number; position: number}[];
        heads?: {layer: number; head: number}[];
        from?: number[];
    };
    /** false: without position embeddings and rotary embeddings. */
    positions?: boolean;
    /** false: without token type embeddings. */
    types?: boolean;
    /** Ids of tokens that follow those of the text as they are: what a model has written, which a
     * tokenizer might cut otherwise. */
    appended?: number[];
    /** Cancels the run. */
    signal?: AnySignal;
}

/** One run. It may be read at any time before the model is disposed of. The tensors of the last two
 * are kept; an older one is run again, with the same bits. */
export interface Result {
    /** The tokens that the model has seen: after `replace`. */
    readonly tokens: Token[];
    /** Of a model of two stacks, else null: the rows of its decoder, which say the target token for token, each with the
     * token that is read for it (the one before; first the model's start token). Row t of kinds 'decoder' and 'cross' is theirs. */
    readonly target: TargetToken[] | null;
    /** The two texts; '' for none. */
    readonly texts: string[];
    /** How many tokens of each text were cut off. */
    readonly dropped: number[];
    /** Probabilities that the second text follows the first, and that it is a random one; null
     * without a pair or a next-sentence head. */
    readonly nextSentence: {follows: number; random: number} | null;
    /** What the model was fine-tuned for, null where it was not: the labels of the text, most
     * probable first (regression: numbers); the label of each token; the best
     * answers, from the first to the last token, at most 15 tokens; or for each token the
     * probability that it was replaced. */
    readonly prediction:
        | {task: 'labels'; scores: ModelInfo['scores']; labels: Label[]}
        | {task: 'token_labels'; tokens: Label[]}
        | {
              task: 'answer';
              answers: {from: number; to: number; probability: number}[];
              /** Of each token, the probability that the answer starts there; of the first one, that there is none. */
              starts: number[];
          }
        | {task: 'replaced'; replaced: number[]}
        | null;
    /** How long the forward pass took. */
    readonly milliseconds: number;
    /** That shared the pass; small models and short texts keep to one. */
    readonly threads: number;
    /** Weights [H, T, T] of a layer: head, query (the token that looks), key (the token looked at).
     * Rows sum to 1. Kind 'decoder': [H, rows of the target, rows of the target]; 'cross': [H, rows of the target, T]. */
    attention(layer: number, kind?: Kind): Promise<Tensor>;
    /** One of info.tensors; `layer` for those that each layer has; of kind 'decoder' or 'cross' one of info.second.tensors, those of
     * 'cross' without their cross_. */
    tensor(name: string, layer?: number, kind?: Kind): Promise<Tensor>;
    /** Several in one trip to the worker. */
    tensors(
        requests: {name: string; layer?: number; kind?: Kind}[],
        options?: {signal?: AnySignal},
    ): Promise<Tensor[]>;
    /** One of info.measures: see MeasureRequest. One that compares (`compares` there) compares the run
     * with the same text without the changes. */
    measure(name: string, options?: MeasureOptions): Promise<Tensor>;
    /** Several in one trip to the worker. */
    measures(requests: MeasureRequest[], options?: {signal?: AnySignal}): Promise<Tensor[]>;
    /** The most probable tokens at each of the positions: for models with a masked-LM head 'masks'
     * (tokens that are [MASK] or were replaced; the default), 'all', or a list; for causal models the
     * token that comes next after each of them, so that [tokens.length - 1] continues the text; of two stacks what
     * the rows of the target say (by default all). `top`: how many, 5 by default. */
    predict(
        positions?: 'masks' | 'all' | number[],
        options?: {top?: number; signal?: AnySignal},
    ): Promise<{position: number; predictions: Prediction[]}[]>;
    /** The logit lens (nostalgebraist 2020): what the model would say at a position if each layer were
     * its last. Raw: earlier layers were not trained to be read so. `top`: how many predictions a layer.
     * 'all': at every position, in their order. */
    lens(position: number, options?: {top?: number; signal?: AnySignal}): Promise<Lens>;
    lens(position: 'all', options?: {top?: number; signal?: AnySignal}): Promise<Lens[]>;
    /** Frees at once what is kept for this result; without it, that happens when the object is
     * garbage-collected. Reading it later runs the text again. */
    dispose(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}

/** What a measure is about. Its `arguments` in info.measures say which of these it takes; `hide` stands
 * for without_special and without_first. A size is 1 to 512. */
export interface MeasureOptions {
    size?: number;
    /** Left out of 'heatmaps', 'lines' and 'links': [CLS], [SEP] and the like, and the first token. */
    hide?: ('specials' | 'first')[];
    layer?: number;
    head?: number;
    query?: number;
    key?: number;
    /** An id of the vocabulary, or the number of a label. */
    word?: number;
    /** Another one, that the first is set against; without it the mean of all. */
    against?: number;
    /** Of a model of two stacks: 'decoder' of the attention within the target. */
    kind?: 'encoder' | 'decoder';
}

/** The measures (their numbers are those of the page and the command line):
 * patterns     [n, L, H]     where heads look and how evenly; info.patterns names the n (Clark et al.
 *                            2019): means over query tokens; entropy in nats, else shares, 0 to 1
 * sieves       [5, L, H]     roles by sieves (Pande et al. 2021): local, delimiter, [CLS], [SEP], block; 1 is even
 * sieve        [5, T, T]     what each key adds to the score of its query in one head; NaN: it is not in the sieve
 * even         [n]           the same numbers for a head that looks at all tokens evenly
 * rollout      [L, T, T]     attention rollout (Abnar and Zuidema 2020)
 * layer_mean   [H, T, T]     mean over the layers of each head number
 * distances    [L·H, L·H]    Jensen-Shannon divergence of two heads, in nats
 * map          [L·H, 2]      the distances laid out in a plane (classical scaling)
 * map_fit      [3]           shares of the variation on its two axes, and Kruskal's stress
 * pair         [L, H]        the weight from `query` to `key`
 * heatmaps     [L, H, S, S]  small pictures of S = `size`, 0 to 1: query down, key right
 * lines        [L, H, S, S]  the same as lines from query (left) to key (right)
 * links        [L, H, S, 3]  query, key and weight of the S strongest; weight 0: no more
 * head_weights [4, d, D]     of one head: its rows of W_Q, W_K, W_V, its columns of W_O transposed
 * biases       [4, D]        b_Q, b_K, b_V, b_O of that head's layer
 * moved        [H, T, T]     what each head of `layer` moves: ‖a v W_O‖ (Kobayashi et al. 2020)
 * moved_shares [H, T, T]     the same as shares of each query's sum
 * moved_together [T, T]      ‖Σ a v W_O‖ over the heads of `layer`
 * moved_through [T, T]       with the token's own stream and the norm after the sum (2021)
 * mixing       [L, T]        how much of that comes from other tokens, 0 to 1
 * moved_patterns, moved_rollout, moved_layer_mean, moved_pair, moved_heatmaps, moved_lines, moved_links:
 *                            as those without moved_, of moved_shares instead of the attention; NaN of a head that is off
 * zeroed       [T]           how far each output of `layer` turns, 1 - cos, without the values of `key`
 * zeroing      [T, T]        the same of all keys, as shares of each query's sum (Mohebbi et al. 2023)
 * depends      [5, T]        on what `query` depends: weight, moved, zeroing (means over heads and layers), rollout,
 *                            nearness
 * why          [2, 10]       of one link (layer, head, query, key): its score less that of the row's mean
 *                            key, split over what wrote the key [0] and the query [1]: word, position,
 *                            segment, biases, relative position, rounding; then the score, that contrast,
 *                            the contrast with the text's mean query, and e^contrast: times a typical key
 * why_mlps     [2, L], why_heads [2, L, H], why_sources [2, L, H, T]: what MLPs and heads of earlier
 *                            layers wrote, and from which token heads brought it (why_brought [2, T]: all
 *                            of them); all of a side with the first six of `why` sum to the contrast
 * composition_queries, composition_keys, composition_values [L, H, L, H]: how much of what a head moves a head of a later
 *                            layer reads with each, 0 to 1, of any text (Elhage et al. 2021); 0 where it is not later
 * direct       [8]           direct logit attribution (Elhage et al. 2021): the logit of `word` (or a label) at `query` less
 *                            that of `against`, or the mean of all, split over what wrote its stream: word, position,
 *                            segment, biases; of the output head its biases, and what linearising it leaves; rounding;
 *                            then the number, to which these sum with
 * direct_mlps [L], direct_heads [L, H], direct_sources [L, H, T]: what each wrote, heads by the token that it came from
 * log_probability [1]        ln of the probability of `word` at position `query`
 * shift        [L, H]        compared with the unchanged text: the share of attention that moved, 0 to 1
 * shifts       [L, H, S, S]  the signed difference, as in heatmaps
 * earlier      [H, T, T]     the attention of the unchanged text in `layer` */
export interface MeasureRequest extends MeasureOptions {
    name: string;
}

/** Row-major: the last axis varies fastest. The data is a copy and yours. */
export interface Tensor {
    data: Float32Array;
    shape: number[];
    /** The shape, as transformers.js calls it. */
    readonly dims: number[];
    /** The numbers as arrays in arrays, an axis each. */
    tolist(): any[];
}

export interface Prediction {
    id: number;
    /** The entry of the vocabulary. */
    token: string;
    probability: number;
}

export interface Lens {
    /** Those that come first after some layer, what the model says in the end first. */
    words: {id: number; token: string}[];
    layers: {
        predictions: Prediction[];
        /** Of each of `words` after this layer; rank 1: the most probable. */
        ranks: number[];
        probabilities: number[];
    }[];
}

export interface Token {
    id: number;
    /** The entry of the vocabulary. */
    token: string;
    /** Token type: 0 or 1. */
    type: number;
    /** from..to in its text, as indices of a JavaScript string. */
    from: number;
    to: number;
    /** Of which text it is: 0, 1, or -1 for those that the tokenizer adds, like [CLS] and [SEP]. */
    sentence: number;
    /** Which word of the text the token belongs to, from 0; -1 for added tokens. */
    word: number;
    special: boolean;
}

/** A token that the decoder says, and the one that it reads for it. */
export interface TargetToken extends Token {
    read: {id: number; token: string};
}

export interface Label {
    label: string;
    probability: number;
}

export interface ModelInfo {
    family: string;
    architecture: string;
    store: string;
    layers: number;
    heads: number;
    /** Number of heads with keys and values of their own: head h uses key head
     * Math.floor((h * keyHeads) / heads). */
    keyHeads: number;
    hidden: number;
    /** Width of the embeddings: `hidden`, unless they are projected to it. */
    embedding: number;
    headWidth: number;
    inner: number;
    /** What a layer is made of. */
    block: {
        norm: 'layer' | 'rms';
        activation: 'gelu' | 'gelu_tanh' | 'relu' | 'silu';
        /** Pre-norm: the norms come before each half of a layer, not after its sum. */
        normFirst: boolean;
        normBias: boolean;
        embeddingNorm: boolean;
        finalNorm: boolean;
        /** q and k of each head are normalised. */
        headNorm: boolean;
        /** Embeddings are projected to the hidden width. */
        projected: boolean;
        /** The MLP is gated: act(x W1) · x W3. */
        gated: boolean;
        attentionBias: boolean;
        outputBias: boolean;
        mlpBias: boolean;
        /** Rows of the position embeddings; how many of a head's neurons are rotated (rotary
         * embeddings), in pairs (i, i + rotary / 2); buckets of relative positions. 0: none. */
        positionRows: number;
        rotary: number;
        buckets: number;
        /** How the angles of the rotation are scaled for longer texts. */
        scaling: 'none' | 'linear' | 'dynamic' | 'llama3' | 'yarn';
        /** The MLP takes the layer's input, as attention does (GPT-NeoX). */
        parallel: boolean;
    };
    /** One per layer. window: how many keys to either side, 0: no window; theta: of the rotary
     * embeddings, 0: none; stored: the layer of the checkpoint whose weights it uses. */
    perLayer: {
        mask: 'all' | 'causal' | 'window' | 'causal_window';
        window: number;
        norm: boolean;
        theta: number;
        stored: number;
    }[];
    /** What it can predict: of masked_words, next_word, next_sentence, sentence_order, embedding,
     * labels, token_labels, answer, replaced. */
    predicts: string[];
    /** The usual precision of its family on int8 weights. */
    precision: 'fine' | 'fast';
    /** How its labels are read: exactly one applies, each may apply, or they are numbers (regression). */
    scores: 'softmax' | 'sigmoid' | 'plain';
    /** What similarity() gives; of a distance, minus it. */
    similarity: 'cosine' | 'dot' | 'euclidean' | 'manhattan';
    vocab: number;
    positions: number;
    types: number;
    parameters: number;
    weightBytes: number;
    /** How many weight files it came in. */
    files: number;
    /** Whether there is a masked-LM head, and a next-sentence head. */
    mlm: boolean;
    nsp: boolean;
    lowercase: boolean;
    /** Ids; -1 for none. */
    special: {
        unk: number;
        cls: number;
        sep: number;
        pad: number;
        mask: number;
        bos: number;
        eos: number;
    };
    /** After any of these a text is at its end: `eos_token_id` of generation_config.json, else of config.json. */
    ends: number[];
    /** Those that this model has; the shape in letters of sizes. */
    tensors: {name: string; shape: string[]; perLayer: boolean}[];
    measures: {
        name: string;
        shape: string[];
        arguments: string[];
        needs: string[];
        compares: boolean;
    }[];
    /** The names of the numbers that the measure 'patterns' gives for each head. */
    patterns: string[];
    labels: string[];
    /** The decoder of a model of two stacks, absent or null where there is one stack. start: the id that is read for the first token of a
     * target, or -1; scaled: scores are divided by √d. */
    second?:
        | (Pick<
              ModelInfo,
              | 'layers'
              | 'heads'
              | 'keyHeads'
              | 'hidden'
              | 'embedding'
              | 'headWidth'
              | 'inner'
              | 'vocab'
              | 'positions'
              | 'types'
              | 'block'
              | 'perLayer'
              | 'tensors'
          > & {start: number; scaled: boolean})
        | null;
    /** Sentences about how the model was read that the user should know. */
    warnings: string[];
}
