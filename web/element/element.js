/* element - <head-light>: a figure in someone's page. Attributes and properties are the fields of
 * state/state.js (text-b for textB); `src` or a JSON script inside holds precomputed attention,
 * which is drawn when the element is seen; `compact` leaves only picture and caption of it. A
 * picture inside stands there until then, and where no
 * script runs. What needs a model is fetched by a press (element/run.js), of a small one and without a
 * figure when it is seen (odd.js). Events: headlight-ready
 * {live}, headlight-change {state}, headlight-error {message}. Custom properties --headlight-page,
 * -ink, -soft, -hair, -edge, -query, -key, -accent; parts: figure, bar.
 */
import {h, render} from 'preact';
import {ATTRIBUTES, readAttribute} from '../state/attributes.js';
import {reason} from '../base/errors.js';
import {defaultsOf, update} from '../state/state.js';
import {elementWords} from '../words/element.js';
import {Shell} from './shell.js';
import {readFigure, unreadable} from './source.js';
import {canDraw} from './can_draw.js';
import {STYLE} from './style.js';
import {saidTheme, watchAround} from './theme.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Precomputed} from '../files/precomputed.js'
 * @import {ElementWords as Still} from '../words/element.js'
 * @typedef {{still: Still | null, figure: Precomputed | null, bytes: number, message: string,
 *     waiting: boolean,
 *   live: import('./run.js').Live | null, own: typeof import('./own.js') | null}} Seen   message: what went wrong; bytes: of the
 *                                                         model, 0 when not known
 */

const NEAR = '300px 0px'; // is seen this far outside of the window
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object);

export class HeadLight extends Base {
    /** Where worker-classic.js, headlight-page.wasm and models/ lie. @type {URL} */
    static base;
    static observedAttributes = [...ATTRIBUTES.keys(), 'v', 'src', 'lang'];

    /** What the tag means by attributes that it does not have. */
    #byDefault = defaultsOf(null);
    #state = this.#byDefault;
    #drawn = this.#byDefault;
    #dark = matchMedia('(prefers-color-scheme: dark)');
    /** @type {Seen} */
    #seen = {
        still: null,
        figure: null,
        bytes: 0,
        message: '',
        waiting: false,
        live: null,
        own: null,
    };
    /** @type {Set<string>} */
    #changed = new Set();
    /** What shows title, note and marks of the reader's own. */
    #own = /** @type {Promise<void> | null} */ (null);
    #box = /** @type {HTMLElement | null} */ (null);
    #started = /** @type {AbortController | null} */ (null);
    #watch = /** @type {IntersectionObserver | null} */ (null);
    /** What is inside, and what the page around says of its theme. */
    #inside = new MutationObserver(seen => {
        if (seen.some(({target}) => target === this)) this.#read();
        else this.#draw();
    });

    connectedCallback() {
        if (!this.#box) this.#prepare();
        this.#flush();
        this.#draw();
        this.#watch ??= new IntersectionObserver(
            entries => {
                if (entries.some(({isIntersecting}) => isIntersecting)) this.#start();
            },
            {rootMargin: NEAR},
        );
        this.#watch.observe(this);
    }

    /** Moving is leaving and coming back at once: then nothing ends. */
    disconnectedCallback() {
        queueMicrotask(() => {
            if (!this.isConnected) this.#stop();
        });
    }

    /** However many attributes change at once, they are read once. @param {string} name */
    attributeChangedCallback(name) {
        if (!this.#changed.size) queueMicrotask(() => this.#flush());
        this.#changed.add(name);
    }

    /** What is shown, frozen. */
    get state() {
        return this.#state;
    }

    /** Changes some fields of the state; values that do not fit are left out. */
    assign = (/** @type {Partial<State>} */ patch) => {
        const next = update(this.#state, patch);
        if (next === this.#state) return;
        this.#state = next;
        this.#draw();
        this.#say('change', {state: next});
    };

    #prepare() {
        const root = this.attachShadow({mode: 'open'});
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        root.adoptedStyleSheets = [sheet];
        this.#box = document.createElement('div');
        root.append(this.#box);
        // A property that was set before this class was there hides the real one.
        const self = /** @type {any} */ (this);
        for (const {name} of ATTRIBUTES.values())
            if (Object.hasOwn(self, name)) {
                const value = self[name];
                delete self[name];
                self[name] = value;
            }
    }

    /** A value that does not fit its field is as good as absent. */
    #flush() {
        const names = [...this.#changed];
        this.#changed.clear();
        const [now, before, byDefault] = /** @type {any[]} */ ([
            this.#state,
            this.#byDefault,
            defaultsOf(this.getAttribute('v')),
        ]);
        this.#byDefault = byDefault;
        // Of another version: what is at the default of the one before goes along.
        this.assign(
            Object.fromEntries(
                [...ATTRIBUTES]
                    .filter(
                        ([attribute, {name}]) =>
                            names.includes(attribute) ||
                            (before !== byDefault && now[name] === before[name]),
                    )
                    .map(([attribute, row]) => [
                        row.name,
                        readAttribute(
                            row,
                            this.getAttribute(attribute),
                            byDefault,
                            document.baseURI,
                        ),
                    ]),
            ),
        );
        if (this.#started && names.includes('src')) this.#read();
        if (this.#started && names.includes('lang')) this.#speak();
    }

    #start() {
        this.#watch?.disconnect();
        if (this.#started) return;
        this.#started = new AbortController();
        this.#inside.observe(this, {childList: true});
        watchAround(this.#inside);
        this.#dark.onchange = () => this.#draw();
        this.#speak();
        this.#read();
    }

    #stop() {
        this.#watch?.disconnect();
        this.#inside.disconnect();
        this.#dark.onchange = null;
        this.#started?.abort();
        this.#started = null;
        this.#seen.live?.close();
        this.#seen = {...this.#seen, live: null, waiting: false};
        if (this.#box) render(null, this.#box);
    }

    #show = (/** @type {Partial<Seen>} */ patch) => {
        this.#seen = {...this.#seen, ...patch};
        this.#draw();
    };

    /** The words of the nearest lang attribute, else of the browser. */
    #speak() {
        const near = /** @type {HTMLElement | null} */ (this.closest('[lang]'))?.lang ?? '';
        const still = elementWords([near, ...navigator.languages]);
        this.#show({still});
        this.#seen.live?.speak(still.code);
    }

    /** The precomputed figure, from the address or from inside. */
    async #read() {
        const signal = this.#started?.signal;
        try {
            const figure = await readFigure(this, signal);
            if (signal?.aborted) return;
            this.#show({figure, bytes: figure?.bytes ?? 0, message: ''});
            if (figure) this.#say('ready', {live: false});
            // a tag written by hand
            else
                import('./odd.js').then(
                    odd => odd.begin(this, this.#run, this.#show),
                    () => {},
                );
        } catch (error) {
            if (!signal?.aborted) this.#fail(error);
        }
    }

    /** @param {unknown} error */
    #fail(error) {
        const message = reason(error);
        this.#show({message, waiting: false});
        this.#say('error', {message});
    }

    /** @param {string} name @param {object} detail */
    #say(name, detail) {
        this.dispatchEvent(
            new CustomEvent(`headlight-${name}`, {detail, bubbles: true, composed: true}),
        );
    }

    /** Fetches what can run the model. @param {boolean} model whether it is to run now */
    #run = async (model = true) => {
        const signal = this.#started?.signal;
        this.#show({waiting: true, message: ''});
        try {
            const {createLive} = await import('./run.js').catch(error => {
                throw unreadable(HeadLight.base, error);
            });
            if (!signal || signal.aborted || this.#seen.live) return;
            const {figure, bytes, still} = this.#seen;
            const live = await createLive({
                signal,
                base: HeadLight.base,
                figure,
                bytes,
                code: still?.code ?? 'en',
                root: /** @type {ShadowRoot} */ (this.shadowRoot),
                onReady: () => this.#say('ready', {live: true}),
                onError: message => this.#say('error', {message}),
            });
            if (signal.aborted) return live.close();
            this.#show({live, waiting: false});
            if (model) live.run();
        } catch (error) {
            if (!signal?.aborted) this.#fail(error);
        }
    };

    #draw() {
        if (!this.#box || !this.isConnected) return;
        const {heading, note, marks, theme, lesson} = this.#state;
        if (heading + note + marks) this.#own ??= import('./own.js').then(own => this.#show({own}));
        if (this.#seen.live ?? lesson) return render(null, this.#box);
        const filled = this.querySelector(':scope > :not(script)') !== null;
        if (canDraw(this.#state, this.#seen.figure)) this.#drawn = this.#state;
        render(
            h(Shell, {
                ...this.#seen,
                filled,
                compact: this.hasAttribute('compact'),
                state: this.#state,
                set: this.assign,
                onRun: this.#run,
                page: HeadLight.base,
                drawn: canDraw(this.#drawn, this.#seen.figure) ? this.#drawn : null,
                theme: saidTheme(this, theme) ?? (this.#dark.matches ? 'dark' : 'light'),
            }),
            this.#box,
        );
    }
}

// A text that is no value of its field is read as the attribute's: frameworks set heads="1,8,9" as a property.
for (const [attribute, {name, type}] of ATTRIBUTES) {
    Object.defineProperty(HeadLight.prototype, name, {
        configurable: true,
        enumerable: true,
        get() {
            return this.state[name];
        },
        set(value) {
            if (typeof value !== 'string' || type.check(value)) this.assign({[name]: value});
            else this.setAttribute(attribute, value);
        },
    });
}
