/* unasked - draws a tag of <head-light> without a figure once it is seen, without a press: the figure of its
 * text that was made with the site (build/precomputed.mjs), until another text or a change is asked for; else what a
 * small model computes. Part of the element's second file (odd.js).
 */
import {decodeFigure} from '../files/precomputed.js';
import {inputOf} from '../session/compute.js';
import {MOST} from '../session/sources.js';
import {defaults} from '../state/state.js';
import {canDraw} from './can_draw.js';
import {textAt} from './source.js';

/**
 * @import {Precomputed} from '../files/precomputed.js'
 * @typedef {Element & Pick<import('./element.js').HeadLight, 'state'>} Tag
 * @typedef {(seen: {figure?: Precomputed | null, bytes?: number}) => void} Show
 * @typedef {{id?: string, bytes?: number, figures?: {texts: string[], url: string}[]}} Entry   of models/index.json
 */

const BASE = new URL('./', import.meta.url);
const MOST_UNASKED = 15e6; // bytes of a model

/** A tag's own picture stands until a press; a link or a sentence is for readers without script. Before version 5
 * all that is inside counts as a picture. @param {Element} tag */
const hasPicture = tag =>
    tag.querySelector(
        Number(tag.getAttribute('v')) >= 5
            ? 'img,picture,svg,video,canvas,iframe,figure'
            : ':scope > :not(script)',
    ) !== null;

/** Whether its model runs without a press, once it is seen: a tag of version 4 or newer with nothing to show until
 * then, whose model is of the menu and small; with when="seen" whatever it shows, and of up to 50 MB; not with
 * when="press", nor where the reader saves data.
 * @param {Element} tag @param {number} bytes of the model, 0 when not known */
function runsUnasked(tag, bytes) {
    const [when, version] = ['when', 'v'].map(name => tag.getAttribute(name));
    const seen = when === 'seen' && Number(version) >= 5;
    return (
        Number(version) >= 4 &&
        when !== 'press' &&
        bytes > 0 &&
        bytes <= (seen ? MOST : MOST_UNASKED) &&
        (seen || !hasPicture(tag)) &&
        !(/** @type {any} */ (navigator).connection?.saveData)
    );
}

/** Whether the figure is what the model would give: its text as typed, nothing changed.
 * @param {import('../state/state.js').State} state @param {Precomputed} figure */
function shows(state, figure) {
    const [text, textB = ''] = figure.pass.texts;
    const same = [state, {...defaults, text, textB}].map(one => inputOf(one, figure.model));
    const [asked, made] = same.map(input => JSON.stringify(input));
    return asked === made && [figure.id, ''].includes(state.model) && canDraw(state, figure);
}

/** What the site's menu says of the tag's model: {} where it is not of it. @param {Tag} tag @returns {Promise<Entry>} */
async function entryOf({state: {model}}) {
    try {
        /** @type {Entry[]} */
        const menu = await (await fetch(new URL('models/index.json', BASE))).json();
        return menu.find(({id}) => !model || id === model) ?? {};
    } catch {
        return {};
    }
}

/** The figure that was made with the site, null where it has none of this text. @param {Tag} tag @param {Entry} entry
 * @returns {Promise<Precomputed | null>} */
async function figureFor({state}, {figures = []}) {
    const made = figures.find(
        ({texts: [text, textB = '']}) => text === state.text && textB === state.textB,
    );
    return made ? decodeFigure(await textAt(new URL(made.url, BASE))) : null;
}

/** @param {Tag} tag @param {() => void} run @param {Show} show */
export async function drawUnasked(tag, run, show) {
    const entry = await entryOf(tag);
    const {bytes = 0} = entry;
    show({bytes});
    const [version, when] = ['v', 'when'].map(name => tag.getAttribute(name));
    const may = Number(version) >= 5 && when !== 'seen' && !hasPicture(tag);
    const figure = may && (await figureFor(tag, entry).catch(() => null));
    if (!tag.isConnected) return;
    if (!figure || !shows(tag.state, figure)) return runsUnasked(tag, bytes) && run();
    show({figure});
    const [name, detail] = ['headlight-ready', {live: false}];
    tag.dispatchEvent(new CustomEvent(name, {detail, bubbles: true, composed: true}));
    const leave = () => {
        if (shows(tag.state, figure)) return;
        tag.removeEventListener('headlight-change', leave);
        if (tag.shadowRoot?.querySelector('.live')) return; // the model runs, and knows
        show({figure: null});
        if (runsUnasked(tag, bytes)) run();
    };
    tag.addEventListener('headlight-change', leave);
}
