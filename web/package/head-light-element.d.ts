/* Types of <head-light>, the element that a published site of Headlight has in its element.js, for
 * pages that are written in TypeScript: `import type {} from 'head-light/element'` tells
 * querySelector, createElement and addEventListener of it. Names of attributes, properties and
 * events stay what they are. Needs lib dom. */

/** What a figure shows. Each field is a property of the element and, with dashes (text-b for textB), an
 * attribute. Values that are not valid are ignored. */
export interface HeadLightState {
    /** A text, and a second one or ''. */
    text: string;
    textB: string;
    /** An id of the site's menu, org/name or org/name@revision of the Hugging Face hub, or the
     * address of a folder. */
    model: string;
    /** head, model, neuron, steps, change, find. */
    view: string;
    layer: number;
    heads: readonly number[];
    /** The position that is picked, -1 for none; the positions that are pinned, and their side. */
    token: number;
    picked: readonly number[];
    side: string;
    mix: 'heads' | 'mean' | 'layers' | 'rollout';
    level: 'pieces' | 'words';
    /** The share of each query's attention that is drawn, in per cent, largest weights first. */
    top: number;
    fillings: boolean;
    filter: 'all' | 'aa' | 'ab' | 'ba' | 'bb';
    /** Show [CLS] and [SEP]. */
    specials: boolean;
    /** Show the first token. */
    first: boolean;
    /** Count layers and heads from 1. */
    oneBased: boolean;
    /** Changes: positions under [MASK], "position:word", "layer.head", "layer.head.neuron". */
    masked: readonly number[];
    replaced: readonly string[];
    off: readonly string[];
    zeroed: readonly string[];
    precision: 'fine' | 'fast';
    theme: 'auto' | 'light' | 'dark';
    /** The id of a lesson of the site, which is shown instead of one figure, and the step that it begins with;
     * step: also of the steps view. */
    lesson: string;
    step: number;
}

type Dashed<Name extends string> = Name extends `${infer First}${infer Rest}`
    ? First extends Lowercase<First>
        ? `${First}${Dashed<Rest>}`
        : `-${Lowercase<First>}${Dashed<Rest>}`
    : Name;

/** Attributes as text, for JSX: `'head-light': HeadLightAttributes & …` in IntrinsicElements. v: the
 * version that the tag was written for, 4 now; src: the address of a
 * figure that was computed before; compact: picture and caption only, where they need no model; when: a small
 * model runs when the tag is seen (the default of version 4) or by a press. */
export type HeadLightAttributes = {
    [Name in keyof HeadLightState as Dashed<Name>]?: string | number | boolean;
} & {
    v?: string | number;
    src?: string;
    lang?: string;
    compact?: string | boolean;
    when?: 'seen' | 'press';
};

/** The events of the element; they bubble. */
export interface HeadLightEvents {
    /** A figure has been drawn; live: by a loaded model, not from precomputed attention. */
    'headlight-ready': CustomEvent<{live: boolean}>;
    /** The reader or assign() has changed something; `state` is the whole state. */
    'headlight-change': CustomEvent<{state: Readonly<HeadLightState>}>;
    /** `message` is a sentence to show to people. */
    'headlight-error': CustomEvent<{message: string}>;
}

export interface HeadLightElement extends HTMLElement, HeadLightState {
    readonly state: Readonly<HeadLightState>;
    /** Changes several fields at once. */
    assign(patch: Partial<HeadLightState>): void;
}

declare global {
    interface HTMLElementTagNameMap {
        'head-light': HeadLightElement;
    }
    interface GlobalEventHandlersEventMap extends HeadLightEvents {}
}
