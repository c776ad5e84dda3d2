/* Types of the package `head-light`. Letters of sizes: L layers, H heads, T tokens, D hidden width.
 * Layers, heads and positions count from 0. What fails is a HeadLightError; a cancelled call throws
 * a DOMException named AbortError. For TypeScript 4.7 and newer, with or without the types of the
 * browser (lib dom) or of Node. */

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

/** A model in Hugging Face layout: the address of its folder (in Node also a path), the File objects
 * of one, or an address with what is in the folder, which saves requests for files that are not
 * there. */
export type Source = string | AnyURL | AnyFile[] | {url: string; files?: string[]; bytes?: number};

export interface CommonOptions {
    /** How the weights are kept: int8 with a scale a row (default), or as float32. */
    store?: 'q8' | 'f32';
    /** Cancels the load. */
    signal?: AnySignal;
    /** Bytes of the download so far; total 0: not known. */
    onProgress?: (progress: {file: string; done: number; total: number}) => void;
}

export interface LoadOptions extends CommonOptions {
    /** The address of this package's worker.js, if it does not lie beside the script (browsers
     * only). */
    workerUrl?: string | AnyURL;
    /** The address of this package's headlight.wasm, if it does not lie beside the script. */
    wasmUrl?: string | AnyURL;
    /** headlight.wasm itself, in place of its address. */
    wasmBytes?: ArrayBuffer | Uint8Array;
    /** Makes the worker in place of `new Worker(workerUrl, {type: 'module'})`. */
    makeWorker?: () => Pick<
        AnyWorker,
        'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'
    >;
}

/** Loads a model; a worker (in Node a thread) holds it until it is closed. */
export function load(source: Source, options?: LoadOptions): Promise<Model>;

export interface Model {
    readonly info: ModelInfo;
    /** Runs a text, or two as a pair: [CLS] text [SEP] (textB [SEP]). What the model cannot take is
     * cut, longest first. */
    run(text: string, textB?: string, options?: RunOptions): Promise<Result>;
    /** Ends the worker. What is still asked for fails. */
    close(): void;
}

export interface RunOptions {
    /** [layer, head] of each head that adds nothing to its layer's output. */
    headsOff?: [number, number][];
    /** Words of the vocabulary in the place of tokens, '[MASK]' for instance. */
    words?: {position: number; word: string}[];
    /** Of the activations, where weights are int8: 'fast' (8 bits and second digits for the few
     * largest of a token) unless said; 'fine' (up to 14 bits) takes up to half as long again. */
    precision?: 'fast' | 'fine';
    /** Tensors (info.tensors) that are held for reading: ['attention'] unless said. Whatever else is
     * read makes the text run once more, and is held from then on. All of them take 442 MB for
     * BERT-base and 512 tokens, attention a third of that. */
    keep?: string[];
    signal?: AnySignal;
}

/** One run. It may be read at any time before the model is closed. The tensors of the last two are
 * held; an older one is run again. */
export interface Result {
    readonly tokens: Token[];
    /** The two texts; '' for none. */
    readonly texts: string[];
    /** How many tokens of each text were cut off. */
    readonly dropped: number[];
    /** Probabilities that the second text follows the first and that it is a random one; null
     * without a pair or such a head. */
    readonly nextSentence: number[] | null;
    /** The time that the forward pass took. */
    readonly milliseconds: number;
    /** Weights [H, T, T] of a layer: head, query (the token that looks), key (the token looked at).
     * Rows sum to 1. */
    attention(layer: number): Promise<Tensor>;
    /** One of info.tensors. */
    tensor(name: string, layer?: number): Promise<Tensor>;
    /** One of info.measures, as headlight.h describes them. */
    measure(name: string, argument?: number): Promise<Tensor>;
    /** The k most probable words at a position (5), for models with a masked-LM head. */
    fill(position: number, k?: number): Promise<Filling[]>;
    /** Gives up what is held for this result, at once; else that goes with the object. Reading it
     * later runs it again. */
    dispose(): void;
}

/** Row-major: the last axis runs fastest. A copy of your own. */
export interface Tensor {
    data: Float32Array;
    shape: number[];
}

export interface Filling {
    id: number;
    piece: string;
    probability: number;
}

export interface Token {
    id: number;
    /** The entry of the vocabulary. */
    piece: string;
    /** 0 or 1. */
    type: number;
    /** from..to in the text, as indices of a JavaScript string. */
    from: number;
    to: number;
    /** 0, 1, or -1 for [CLS] and [SEP]. */
    sentence: number;
    /** Which word of the text the piece belongs to; -1 for none. */
    word: number;
    special: boolean;
}

export interface ModelInfo {
    family: string;
    architecture: string;
    store: string;
    layers: number;
    heads: number;
    /** Heads that have keys and values of their own: head h looks with key head
     * Math.floor((h * key_heads) / heads). */
    key_heads: number;
    hidden: number;
    /** Width of the embeddings, where they are mapped to the hidden width; else the same. */
    embedding: number;
    head_width: number;
    inner: number;
    /** What a layer is made of. */
    block: {
        norm: 'layer' | 'rms';
        activation: 'gelu' | 'gelu_tanh' | 'relu' | 'silu';
        /** The norms stand before each half of a layer, not after its sum. */
        norm_first: boolean;
        norm_bias: boolean;
        embedding_norm: boolean;
        final_norm: boolean;
        /** q and k of each head are normed. */
        head_norm: boolean;
        /** Embeddings are mapped to the hidden width. */
        projected: boolean;
        /** The MLP is gated: act(x W1) · x W3. */
        gated: boolean;
        attention_bias: boolean;
        output_bias: boolean;
        mlp_bias: boolean;
        /** Rows of the table of positions; how many of a head's neurons are rotated, in pairs
         * (i, i + rotary / 2); buckets of relative positions. 0: there is none. */
        position_rows: number;
        rotary: number;
        buckets: number;
    };
    /** One a layer. window: how many keys to either side, 0 without one; theta: of the rotation;
     * stored: the layer of the checkpoint whose weights it has. */
    per_layer: {
        mask: 'all' | 'causal' | 'window';
        window: number;
        norm: boolean;
        theta: number;
        stored: number;
    }[];
    /** What it can predict: of masked_words, next_word, next_sentence, replaced. */
    predicts: string[];
    vocab: number;
    positions: number;
    types: number;
    parameters: number;
    weight_bytes: number;
    /** Whether there is a masked-LM head, and a next-sentence head. */
    mlm: boolean;
    nsp: boolean;
    lowercase: boolean;
    /** Ids; -1 for none. */
    special: {unk: number; cls: number; sep: number; pad: number; mask: number};
    tensors: {name: string; shape: string[]; per_layer: boolean}[];
    measures: {name: string; shape: string[]; argument: string; compares: boolean}[];
    /** The names of the numbers that the measure 'patterns' has of each head. */
    patterns: string[];
    labels: string[];
    /** What is worth knowing about how the model was read. */
    warnings: string[];
}

export interface HeadLightError extends Error {
    /** config, vocab, weights, text, memory, state, network, file or engine. */
    category: string;
}
