/* card - the card of one head, on the text shown: its picture, its patterns against uniform
 * attention, its role, the heads most like it, the effect of switching it off; and links to the
 * views that show more. Numbers: facts.js.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {channels, headColour} from '../draw/colour.js';
import {picturesOf, tintPixels} from '../draw/marks/picture.js';
import {decimal, percent} from '../draw/scale.js';
import {table} from '../draw/table.js';
import {groundOf} from '../draw/marks/thumbs.js';
import {nameIn} from '../lessons/number.js';
import {useFound} from '../shell/use_found.js';
import {effectOf, factsOf, TAU_BLOCK} from './facts.js';

/**
 * @typedef {import('../words/languages.js').Cards['card']} Words
 * @import {Place, Facts, Effect} from './facts.js'
 * @typedef {import('../base/shared.js').Shared & {session: import('../session/session.js').Session, words: Words, place:
 *     Place, go: (place: Place) => void, close: () => void}} Props   go: to the card of another head
 */

const SIDE = 112; // px of the picture
const AT_ONCE_MS = 150; // a pass that took no longer: the effect is worked out without being asked for

/** The head's heat map, as in the model view. @param {{facts: Facts, tokens: number, head: number, theme:
 *     string}} props */
function Thumbnail({facts, tokens, head, theme}) {
    const ref = useRef(/** @type {HTMLCanvasElement | null} */ (null));
    useEffect(() => {
        const canvas = ref.current;
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return;
        const side = Math.round(SIDE * Math.min(3, devicePixelRatio || 1));
        [canvas.width, canvas.height] = [side, side];
        const image = context.createImageData(side, side);
        const {ink} = picturesOf(
            {data: facts.picture, shape: [facts.size, facts.size]},
            'heatmaps',
            tokens,
        );
        tintPixels(
            ink(0, side),
            channels(headColour(head, theme)),
            channels(groundOf(theme)),
            image.data,
        );
        context.putImageData(image, 0, 0);
    }, [facts, theme]);
    const style = {width: `${SIDE}px`, height: `${SIDE}px`};
    return h('canvas', {ref, class: 'card-picture', 'aria-hidden': true, style});
}

/** @param {number} value @param {number} even */
const timesEven = (value, even) => {
    const times = value / even;
    return times >= 9.95 ? times.toFixed(0) : times.toFixed(1);
};

/** @param {{facts: Facts, words: Words}} props */
const Measures = ({facts, words}) =>
    table(
        {
            columns: [
                words.measure,
                ...[words.value, words.times].map(name =>
                    h('th', {key: name, scope: 'col', class: 'number'}, name),
                ),
            ],
        },
        facts.measures.map(({name, value, even}) =>
            h(
                'tr',
                {key: name, 'data-measure': name},
                h('th', {scope: 'row'}, words.measures[name]),
                h('td', {class: 'number'}, decimal(value)),
                h('td', {class: 'number'}, timesEven(value, even)),
            ),
        ),
    );

/** @param {{facts: Facts, words: Words, tau: number}} props */
function Roles({facts: {roles}, words, tau}) {
    if (!roles.length) return null;
    const own = roles.filter(({has}) => has);
    const say = (/** @type {import('./facts.js').Role} */ {role, score}) =>
        words.scored(words.roles[role], score.toFixed(1));
    return [
        h(
            'p',
            {key: 'role'},
            own.length ? words.role(own.map(say).join(' · ')) : words.noRole(say(roles[0])),
        ),
        h('p', {key: 'counts', class: 'soft'}, words.counts(String(tau), String(TAU_BLOCK))),
    ];
}

/** @param {Pick<Props, 'state' | 'words' | 'go'> & {facts: Facts}} props */
function Nearest({facts: {near}, state, words, go}) {
    if (!near.length) return null;
    return h(
        'p',
        {class: 'card-near'},
        `${words.nearest} `,
        near.map(({layer, head, distance}) =>
            buttonOf(
                'plain',
                {
                    key: `${layer}.${head}`,
                    title: words.distance(distance.toFixed(3)),
                    onClick: () => go({layer, head}),
                },
                `${nameIn([layer, head], state)} (${distance.toFixed(2)})`,
            ),
        ),
    );
}

/** @param {{effect: Effect, words: Words, tokens: readonly {piece: string}[]}} props */
function Moved({effect, words, tokens}) {
    const {kind, moved} = effect;
    const number = moved < 0.001 ? moved.toExponential(0) : moved.toFixed(3);
    const shown = {'data-moved': moved};
    if (kind === 'labels') {
        const {label, before, after} = effect;
        return h('p', shown, words.labels(number, label, percent(before), percent(after)));
    }
    if (kind === 'hidden') return h('p', shown, words.hidden(number));
    const {index, before, after} = effect.most;
    const bdi = (/** @type {string} */ text) => h('bdi', {class: 'said-word'}, text);
    return [
        before &&
            after &&
            h(
                'p',
                {key: 'most'},
                words.most(
                    bdi(tokens[index]?.piece),
                    bdi(before.piece),
                    percent(before.probability),
                    bdi(after.piece),
                    percent(after.probability),
                ),
            ),
        h('p', {key: 'moved', ...shown}, words.words(number)),
    ];
}

/** What changes without the head: at once where it takes no time, else on request. @param {Props} props */
function Without({shown, state, session, words, place}) {
    const {model, pass} = shown;
    const [asked, setAsked] = useState(false);
    const wanted = asked || (pass?.milliseconds ?? 0) < AT_ONCE_MS;
    const at = `${place.layer}.${place.head}`;
    const result = useFound(signal => effectOf(session, state, place, signal), [at, pass], wanted);
    if (!model || !pass || shown.imported) return null;
    return h(
        'section',
        null,
        h('h3', null, words.off),
        !wanted
            ? buttonOf('plain', {onClick: () => setAsked(true)}, words.measureOff)
            : result?.found
              ? h(Moved, {effect: result.found, words, tokens: pass.tokens})
              : h('p', {class: 'soft'}, result?.why ?? words.waiting),
    );
}

/** Where the card leads. @param {Props} props */
function Ways({state, set, shown, words, place, close}) {
    const {layer, head} = place;
    const name = `${layer}.${head}`;
    const isOff = state.off.includes(name);
    const button = (/** @type {string} */ label, /** @type {any} */ patch, leaves = true) =>
        buttonOf(
            'page',
            {
                key: label,
                onClick() {
                    set(patch);
                    if (leaves) close();
                },
            },
            label,
        );
    const off = isOff ? state.off.filter(one => one !== name) : [...state.off, name];
    const views = /** @type {('head' | 'neuron' | 'steps')[]} */ (
        shown.imported ? ['head'] : ['head', 'neuron', 'steps']
    );
    const alone = {desk: 'text', layer, heads: [head], mix: 'heads'};
    return h(
        'div',
        {class: 'card-ways'},
        views.map(view => button(words.views[view], {...alone, view})),
        !shown.imported && button(isOff ? words.switchOn : words.switchOff, {off}, false),
        !shown.imported && button(words.corpus, {desk: 'corpus', study: 'roles', opened: name}),
        !shown.imported &&
            button(words.ask, {
                ...{desk: 'corpus', study: 'ask'},
                asked: `head layer=${layer} head=${head}`,
            }),
    );
}

/** @param {Props} props */
function Body(props) {
    const {state, theme, shown, session, words, place} = props;
    const {pass} = shown;
    const tau = Number(state.tau);
    const facts = useFound(
        () => factsOf(session, shown, place, tau),
        [`${place.layer}.${place.head}`, pass, tau],
    );
    if (!pass || !facts?.found)
        return h('p', {class: 'soft'}, facts?.why ? words.failed : words.waiting);
    const tokens = pass.tokens.length;
    const {found} = facts;
    return [
        h('p', {key: 'text', class: 'soft'}, words.onText(tokens)),
        h(
            'div',
            {key: 'numbers', class: 'card-numbers'},
            h(Thumbnail, {facts: found, tokens, head: place.head, theme}),
            h(Measures, {facts: found, words}),
        ),
        h(
            'p',
            {key: 'pattern', 'data-pattern': found.pattern?.name ?? ''},
            found.pattern
                ? words.pattern[found.pattern.verdict](
                      words.measures[found.pattern.name],
                      decimal(found.pattern.value),
                  )
                : words.noPattern,
        ),
        found.entropy &&
            h(
                'p',
                {key: 'entropy'},
                words.entropy(found.entropy.value.toFixed(2), found.entropy.even.toFixed(2)),
            ),
        h(Roles, {key: 'roles', facts: found, words, tau}),
        h(Nearest, {key: 'near', ...props, facts: found}),
    ];
}

/** @param {Props & {keep: (element: HTMLElement | null) => void, style: Record<string, string>}} props */
export function HeadCard({keep, style, ...props}) {
    const {state, theme, words, place, close} = props;
    const name = nameIn([place.layer, place.head], state);
    const background = headColour(place.head, theme);
    return h(
        'div',
        {
            ref: keep,
            class: 'head-card',
            role: 'dialog',
            'aria-label': words.about(name),
            tabIndex: -1,
            style,
        },
        h(
            'div',
            {class: 'card-top'},
            h('i', {'aria-hidden': true, style: {background}}),
            h('h2', null, name),
            buttonOf('plain', {'aria-label': words.close, onClick: close}, '×'),
        ),
        h(Body, props),
        h(Without, {key: `${place.layer}.${place.head}`, ...props}),
        h(Ways, props),
    );
}
