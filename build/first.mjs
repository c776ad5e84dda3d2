/* first - the numbers and pictures of the first screen that take a run of the model, made while the site
 * is built: the head that answers its question (web/lessons/question.js), what that head does over the
 * corpora that come with the page, how many published claims hold, and small pictures for the ways on,
 * drawn from the same numbers. Nothing here is typed: another model brings its own head and numbers.
 */
import {readFile} from 'node:fs/promises';
import {PICTURE} from '../web/app/entrances.js';
import {QUESTION} from '../web/lessons/question.js';
import {headColour} from '../web/draw/colour.js';
import {defaults, update} from '../web/state/state.js';
import {mostMoved, placeAt} from '../web/views/change/numbers.js';
import {askable} from '../web/views/find/numbers.js';
import {findHead, STEPS} from '../web/views/parts/six_patterns.js';
import {compute, MODEL} from './figure.mjs';

const CORPORA = {
    coref: {file: 'corpora/pronouns.txt', format: 'coref'},
    claims: {file: 'corpora/sentences.conllu', format: 'conllu'},
};
const HOLDS = ['agrees', 'found', 'uncompared'];
const FAILS = ['differs', 'chance', 'missing'];
const [WIDTH, HEIGHT] = PICTURE;
const INK = {light: '#3b4252', dark: '#c9ccd3'};

/** A study over one of the corpora, with the page's own program. */
async function study({operations}, name) {
    const {file, format} = CORPORA[name];
    operations.corpus({model: MODEL, bytes: await readFile(file)});
    const options = {study: name, format};
    const {steps} = operations.studyBegin({model: MODEL, options, other: 0});
    operations.studyStep({model: MODEL, first: 0, count: steps});
    return JSON.parse(operations.studyAnswer({model: MODEL, ask: {}}));
}

/** All attention of the default text, [L][H][T][T], by (layer, head, query, key), and its places. */
async function readText(opened) {
    const {layers, heads} = opened.model;
    const needs = Array.from({length: layers}, (_, layer) => ({tensor: 'attention', layer}));
    const {pass, tensors} = await compute(opened, defaults, needs);
    const T = pass.tokens.length;
    const maps = [...tensors.values()].map(({data}) => data);
    const at = word => pass.tokens.findIndex(({piece}) => piece === word);
    return {
        ...{layers, heads, T, query: at(QUESTION.word), key: at(QUESTION.answers[0])},
        weight: (layer, head, query, key) => maps[layer][(head * T + query) * T + key],
    };
}

/** Every head, as {layer, head}. */
const places = ({layers, heads}) =>
    Array.from({length: layers * heads}, (_, i) => ({
        layer: Math.floor(i / heads),
        head: i % heads,
    }));

/** The head in which the word asked about gives most to the one that is meant. */
const answering = text =>
    places(text)
        .map(place => ({
            ...place,
            most: text.weight(place.layer, place.head, text.query, text.key),
        }))
        .reduce((a, b) => (b.most > a.most ? b : a));

/** The head that changes most when one is switched off: what that does is seen there.
 * @param {Awaited<ReturnType<typeof import('./figure.mjs').openModel>>} opened */
async function movedBy(opened, {layer, head}) {
    const needs = [{measure: 'shift', compared: true}];
    const {tensors} = await compute(opened, update(defaults, {off: [`${layer}.${head}`]}), needs);
    return placeAt(mostMoved(tensors.get('measure.shift').data), opened.model);
}

/** What a visit begins with (Begin, web/base/shared.js); of a model whose tokenizer cuts the words of the
 * question it is nothing.
 * @param {Awaited<ReturnType<typeof import('./figure.mjs').openModel>>} opened */
export async function beginOf(opened) {
    const text = await readText(opened);
    if (text.query < 0 || text.key < 0) return undefined;
    const {layer, head} = answering(text);
    const coref = await study(opened, 'coref');
    const {claims, taken} = await study(opened, 'claims');
    const parser = claims.find(({study: of, relation}) => of === 'parse' && relation === 'all');
    const leads = parser?.layer === layer && parser.head === head;
    const count = verdicts => claims.filter(({verdict}) => verdicts.includes(verdict)).length;
    const {best, n, accuracy} = coref;
    return {
        ...{layer, heads: [head], picked: [text.query], token: text.query},
        moved: await movedBy(opened, {layer, head}),
        role: leads ? {texts: taken, share: parser.value, heads: text.layers * text.heads} : null,
        coref: {
            items: n,
            share: accuracy[layer * text.heads + head],
            best: {layer: best.layer, head: best.head, share: best.accuracy},
        },
        claims: {all: claims.length, found: count(HOLDS), missing: count(FAILS)},
    };
}

/** The head that follows each pattern most, as [layer, head, share], where one does at least in part, over the two
 * sentences that the lesson on the six patterns begins with: "Find a head" says which model of the menu has
 * what the one in use has not.
 * @param {Awaited<ReturnType<typeof import('./figure.mjs').openModel>>} opened */
export async function patternsOf(opened) {
    const {steps} = JSON.parse(await readFile('web/lessons/data/patterns.json', 'utf8'));
    const [text, textB] = steps[0].texts[0];
    const needs = [{measure: 'patterns'}, {measure: 'even'}];
    const {pass, tensors} = await compute(opened, update(defaults, {text, textB}), needs);
    const [patterns, evens] = needs.map(({measure}) => tensors.get(`measure.${measure}`));
    const known = askable(pass.tokens);
    const both = ['cls', 'sep'].every(name => known.includes(name)); // a GPT has no pair of them
    const asked = known.filter(name => both || (name !== 'cls' && name !== 'sep'));
    const found = asked.map(measure => [
        measure,
        findHead({measure}, opened.model, patterns, evens),
    ]);
    return Object.fromEntries(
        found
            .filter(([, head]) => head && head.verdict !== 'none')
            .map(([name, {layer, head, value}]) => [name, [layer, head, Number(value.toFixed(2))]]),
    );
}

const number = value => Number(value.toFixed(1));
/** @param {number[]} at x, y, width, height */
const box = ([x, y, width, height], colour, opacity) =>
    `<rect x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}" fill="${colour}" fill-opacity="${number(10 * opacity) / 10}"/>`;

const SHADES = [0.1, 0.3, 0.6]; // weights from which on a cell is drawn, each darker

/** The heat map of a head, a path for each shade. @param {number[]} at left, top, side in px
 * @param {number} [faintest] shade that is left out, and all below */
function heatMap(text, {layer, head}, [left, top, side], colour, faintest = 0) {
    const step = side / text.T;
    const cells = SHADES.map(() => '');
    for (let query = 0; query < text.T; query++)
        for (let key = 0; key < text.T; key++) {
            const shade = SHADES.filter(least => text.weight(layer, head, query, key) >= least);
            const size = number(step);
            if (shade.length > faintest)
                cells[shade.length - 1] +=
                    `M${number(left + key * step)} ${number(top + query * step)}h${size}v${size}h-${size}z`;
        }
    return cells
        .map((path, i) =>
            path ? `<path d="${path}" fill="${colour}" fill-opacity="${[0.3, 0.6, 1][i]}"/>` : '',
        )
        .join('');
}

/** Lines of a head, as the head view draws them. */
function lines(text, {layer, head}, colour, only = -1) {
    const step = HEIGHT / text.T;
    const [from, to] = [30, WIDTH - 30];
    const drawn = [];
    for (let query = 0; query < text.T; query++)
        for (let key = 0; key < text.T; key++) {
            const weight = text.weight(layer, head, query, key);
            if (weight < 0.05 || (only >= 0 && only !== query)) continue;
            const [a, b] = [query, key].map(i => number((i + 0.5) * step));
            drawn.push(
                `<path d="M${from} ${a}C${WIDTH / 2} ${a} ${WIDTH / 2} ${b} ${to} ${b}" stroke="${colour}" stroke-opacity="${number(10 * weight) / 10}" stroke-width="${number(1 + 2 * weight)}" fill="none"/>`,
            );
        }
    return drawn.join('');
}

/** A grid of cells in the middle of the picture. */
function grid(count, columns, cellOf) {
    const rows = Math.ceil(count / columns);
    const step = Math.min((WIDTH - 8) / columns, HEIGHT / rows);
    const [left, top] = [(WIDTH - columns * step) / 2, (HEIGHT - rows * step) / 2];
    return Array.from({length: count}, (_, i) =>
        cellOf(i, [
            left + (i % columns) * step,
            top + Math.floor(i / columns) * step,
            step - 2,
            step - 2,
        ]),
    ).join('');
}

/** The pictures of one theme, by the names of the entrances.
 * @param {{text: any, begin: any, found: {layer: number, head: number}[]}} facts */
function drawn({text, begin, found}, theme) {
    const ink = INK[theme];
    const own = {layer: begin.layer, head: begin.heads[0]};
    const colour = headColour(own.head, theme);
    const toKey = ({layer, head}) => text.weight(layer, head, text.query, text.key);
    const row = Array.from({length: text.T}, (_, key) =>
        text.weight(own.layer, own.head, text.query, key),
    );
    const bar = (WIDTH - 8) / text.T;
    const {all, found: holds, missing} = begin.claims;
    return {
        patterns: grid(found.length, found.length, (i, [x, y, side]) =>
            heatMap(text, found[i], [x, y, side], headColour(found[i].head, theme)),
        ),
        claims: grid(all, 9, (i, at) =>
            box(
                at,
                i < holds ? headColour(8, theme) : ink,
                i < holds ? 1 : i < holds + missing ? 0.4 : 0.15,
            ),
        ),
        find: grid(text.layers * text.heads, text.heads, (i, at) =>
            box(at, colour, 0.08 + 0.92 * Math.min(1, 1.5 * toKey(places(text)[i]))),
        ),
        steps: row
            .map((weight, i) =>
                box(
                    [4 + i * bar, HEIGHT - 2 - weight * 110, bar - 2, 2 + weight * 110],
                    colour,
                    0.9,
                ),
            )
            .join(''),
        text: lines(text, own, colour),
        model: grid(text.layers * text.heads, text.heads, (i, [x, y, side]) => {
            const place = places(text)[i];
            return heatMap(text, place, [x, y, side], headColour(place.head, theme), 1);
        }),
    };
}

/** The pictures of the entrances, by file name.
 * @param {Awaited<ReturnType<typeof import('./figure.mjs').openModel>>} opened @param {any} begin
 * @returns {Promise<Map<string, string>>} */
export async function picturesOf(opened, begin) {
    const text = await readText(opened);
    const measured = await compute(opened, defaults, [{measure: 'patterns'}, {measure: 'even'}]);
    const [patterns, evens] = ['patterns', 'even'].map(name =>
        measured.tensors.get(`measure.${name}`),
    );
    const found = STEPS.map(step => findHead(step, opened.model, patterns, evens)).filter(Boolean);
    const files = new Map();
    for (const theme of ['light', 'dark'])
        for (const [id, parts] of Object.entries(drawn({text, begin, found}, theme)))
            files.set(
                `first/${id}-${theme}.svg`,
                `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${parts}</svg>\n`,
            );
    return files;
}
