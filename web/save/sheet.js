/* sheet - a view's picture as papers and slides want it: on a sheet with margins, above it what was read
 * (or the reader's own title), what is shown and by which model, below it what colours and lines
 * mean, and the reader's note. Plain SVG 1.1, so that Inkscape, librsvg and LaTeX's tools draw it as
 * browsers do: colours without alpha channels, fonts that every system has under some name. Pure: the
 * page and `headlight figure` make the same file. The bare picture, for pages: draw/view.js.
 */
import {cloneElement, h, toChildArray} from 'preact';
import {colourer, legendValues, short} from '../draw/chart.js';
import {ownWay} from '../draw/graphemes.js';
import {plainName} from '../draw/names.js';
import {ownText} from '../draw/own_text.js';
import {ALONE, paperOf} from '../draw/paper.js';
import {fitText, textWidth} from '../draw/tokens.js';
import {sizeOf, stacked} from '../draw/view.js';
import {oneText, wrapText} from '../draw/wrap.js';
import {legend as headLegend} from '../views/head/legend.js';
import {withMarks} from '../views/head/over/marked.js';
import {LOOK, paperFor, SIZES} from './look.js';

/**
 * @import {Parts} from '../draw/view.js'
 * @import {Sample, Legend} from '../views/view.js'
 * @import {Drawn} from '../draw/blocks.js'
 * @import {State} from '../state/state.js'
 * @typedef {{title: string, caption?: string, view: string, source: string, words:
 *     import('../views/view.js').FileWords, look?: import('./look.js').Look}} About   title: the text, where the reader
 *       gives none; view: its name; source: the model, or the file of imported attention; caption: of one of two figures
 * @typedef {ReturnType<typeof rowsOf>} Panel
 */

const MARGIN = 24;
const NARROW = 8; // margin of a picture without words
const LEAST = 420; // px between the margins: room for words beside a small picture
const TITLE = {font: 17, line: 23, weight: 650, wider: 1.08, most: 3};
const LETTER = {font: 15, line: 20, weight: 650, wider: 1.08, most: 3};
const SHOWN = {font: 13, line: 18, wider: 1, most: 3};
const SMALL = {font: 12, line: 17, wider: 1, most: 12};
const FONTS = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif";
const [SAMPLE, GAP, LEGEND_LINE] = [14, 14, 20];
const BETWEEN = 40; // px between two figures

/** A text in as many lines as it takes, `most` of them. @param {string} text @param {number} width
 * @param {{font: number, line: number, wider: number, most: number, weight?: number}} how
 * @param {string} [fill] @returns {Drawn} */
function paragraph(text, width, {font, line, wider, most, weight}, fill) {
    const all = wrapText(text, width / wider, font);
    const lines = all.slice(0, most);
    if (all.length > most)
        lines[most - 1] = fitText(`${lines[most - 1]}……`, width / wider - font, font);
    const place = ownWay(text, {});
    return {
        tree: h(
            'g',
            {'font-size': font, 'font-weight': weight, fill},
            lines.map((one, i) => h('text', {...place, y: font + i * line}, one)),
        ),
        width,
        height: text ? lines.length * line : 0,
    };
}

/** @param {Sample} sample @param {number} x @param {string} hair */
function sampleSvg({mark, colour, opacity, width, name}, x, hair) {
    const ink = mark === 'box' ? 'fill' : 'stroke';
    const look = {[ink]: colour, [`${ink}-opacity`]: opacity};
    return h(
        'g',
        {transform: `translate(${Math.round(x)} 0)`},
        mark === 'box'
            ? h('rect', {y: 1, width: SAMPLE, height: SAMPLE - 2, ...look, stroke: hair})
            : h('path', {d: `M0 7h${2 * SAMPLE}`, 'stroke-width': width, ...look}),
        h('text', {x: (mark === 'box' ? SAMPLE : 2 * SAMPLE) + 5, y: 11}, name),
    );
}

/** A row of the legend: its label and samples, in as many lines as they take.
 * @param {Legend['rows'][number]} row @param {number} available @param {string} theme
 * @returns {Drawn} */
function legendRow({label, items}, available, theme) {
    const {hair} = paperOf(theme);
    const {font} = SMALL;
    const said = label && fitText(label, available / 2, font);
    const left = said ? font * textWidth(said) + GAP : 0;
    /** @type {{tree: any, y: number}[]} */
    const placed = [];
    let [x, y] = [left, 0];
    for (const item of items) {
        const own = (item.mark === 'box' ? SAMPLE : 2 * SAMPLE) + 5;
        const name = fitText(item.name, available - left - own, font);
        const width = own + font * textWidth(name) + GAP;
        if (x > left && x + width - GAP > available) [x, y] = [left, y + LEGEND_LINE];
        placed.push({tree: sampleSvg({...item, name}, x, hair), y});
        x += width;
    }
    return {
        tree: h(
            'g',
            {'font-size': font},
            said && h('text', {y: 11}, said),
            placed.map(one => h('g', {transform: `translate(0 ${one.y})`}, plain(one.tree))),
        ),
        width: available,
        height: items.length ? y + LEGEND_LINE : 0,
    };
}

/** The scales of signed numbers in a view's blocks, each once, with what has it.
 * @param {Parts['blocks']} blocks */
function scalesOf(blocks) {
    const found = blocks.flatMap(({label, scale, columns, titles, items}) => [
        ...(scale ? [{name: plainName(label), scale}] : []),
        ...(items ?? [])
            .filter((/** @type {any} */ item) => item.scale)
            .map((/** @type {any} */ item) => ({name: plainName(item.label), scale: item.scale})),
        ...(columns ?? []).flatMap((/** @type {any} */ column, /** @type {number} */ i) =>
            column.scale && titles[i] ? [{name: titles[i], scale: column.scale}] : [],
        ),
    ]);
    /** @type {Map<string, {names: Set<string>, scale: import('../draw/chart.js').Scale}>} */
    const scales = new Map();
    for (const {name, scale} of found) {
        const key = `${scale.limit} ${scale.weights}`;
        const one = scales.get(key) ?? {names: new Set(), scale};
        scales.set(key, {...one, names: one.names.add(name)});
    }
    return [...scales.values()];
}

/** @param {Parts} parts @param {About['words']} words @returns {Legend} */
function legendOf({view, scene, look, t, state, data, blocks}, words) {
    // not part of the head view itself, whose first picture needs none
    const legend = view.id === 'head' ? headLegend : view.sheet?.legend;
    const own = legend?.(scene, look, t, {state, data, words});
    const scales = scalesOf(blocks);
    return {
        rows: [
            ...(own?.rows ?? []),
            ...scales.map(({names, scale}) => ({
                label: [...names].join(', '),
                items: legendValues(scale).map((value, i, all) => ({
                    ...{
                        mark: /** @type {const} */ ('box'),
                        colour: colourer(scale, look.theme)(value),
                    },
                    name: `${scale.weights ? '' : i === 0 ? '≤ ' : i === all.length - 1 ? '≥ ' : ''}${short(value)}`,
                })),
            })),
        ],
        notes: [
            ...(own?.notes ?? []),
            ...(scales.some(({scale}) => !scale.weights) ? [words.signs] : []),
        ],
    };
}

/** What was changed in the text or the model, in words. @param {State} state
 * @param {About['words']} words @returns {string[]} */
function changesSaid({off, zeroed, replaced, swapped, without, oneBased}, words) {
    const one = oneBased ? 1 : 0;
    const names = off.map(place => {
        const [layer, head] = place.split('.').map(Number);
        return `L${layer + one}·H${head + one}`;
    });
    return [
        ...(names.length ? [words.off(names.join(', '))] : []),
        ...(zeroed.length ? [words.zeroed(zeroed.length)] : []),
        ...(replaced.length ? [words.replaced(replaced.join(', '))] : []),
        ...(swapped.length === 2 ? [words.swapped(swapped)] : []),
        ...(without ? [words.without[without]] : []),
    ];
}

const ALPHA = /^rgba\((\d+), ?(\d+), ?(\d+), ?([\d.]+)\)$/;

/** Colours with an alpha channel, which SVG 1.1 has not, as colour and opacity. @param {any} tree
 * @returns {any} */
function plain(tree) {
    if (Array.isArray(tree)) return tree.map(plain);
    if (!tree?.props) return tree;
    /** @type {Record<string, any>} */
    const props = {};
    for (const name of ['fill', 'stroke']) {
        const [, r, g, b, alpha] = ALPHA.exec(tree.props[name]) ?? [];
        if (alpha)
            Object.assign(props, {[name]: `rgb(${r},${g},${b})`, [`${name}-opacity`]: alpha});
    }
    return cloneElement(tree, props, plain(toChildArray(tree.props.children)));
}

/** Blocks one below the other, with room between them. @param {Drawn[]} blocks @param {number} room */
const spaced = (blocks, room) =>
    blocks.filter(({height}) => height > 0).map(one => ({...one, height: one.height + room}));

/** What the reader has written below the picture, line by line. @param {Pick<State, 'note'>} state
 * @param {number} width @returns {Drawn[]} */
function noteOf({note}, width) {
    const lines = ownText(note, 'note')
        .split('\n')
        .map(line => paragraph(line, width, SHOWN));
    return [{tree: stacked(lines), ...sizeOf(lines)}];
}

/** What stands on a sheet of one figure: the reader's title or what was read (not where the sheet says it
 * above both), what is shown, the source, the picture, the reader's note, its legend. @param {About} about
 * @param {Parts} parts @param {string} [letter] of one of two figures */
function rowsOf(about, parts, letter = '') {
    const {look, blocks, view, state} = parts;
    const {drawn} = withMarks(parts);
    const {caption = '', look: wished = LOOK} = about;
    const words = wished.cells ? about.words : {...about.words, cells: ''};
    const title = (!letter && ownText(state.heading, 'heading')) || about.title;
    const own = blocks.some(({text}) => text === parts.title) ? '' : parts.title;
    const shown = letter && own.startsWith(caption) ? '' : own;
    const {soft} = paperOf(look.theme);
    const size = sizeOf(drawn);
    const least = Math.min(LEAST, SIZES[wished.size].width);
    const inner = Math.max(least, Math.ceil(size.width));
    const legend = legendOf(parts, words);
    const source = [about.view, about.source, ...changesSaid(state, words)]
        .filter(Boolean)
        .join(' · ');
    const picture = {
        ...{width: size.width, height: size.height},
        tree: h('g', {'font-size': view.sheet?.font}, plain(stacked(drawn))),
    };
    const named = letter && `${letter}  ${caption}`;
    const said = oneText([title, named, shown, source]);
    const colours = legend.rows.map(row => legendRow(row, inner, look.theme));
    if (!wished.caption) {
        const above = spaced([paragraph(letter, inner, LETTER)], 2);
        return {rows: [...above, ...spaced([picture], 10), ...colours], inner, said};
    }
    const rows = [
        ...spaced([paragraph(title, inner, TITLE), paragraph(named, inner, LETTER)], 2),
        ...spaced([paragraph(shown, inner, SHOWN)], 2),
        ...spaced([paragraph(source, inner, SMALL, soft)], 14),
        ...spaced([picture], 10),
        ...(letter ? [] : spaced(noteOf(state, inner), 8)),
        ...colours,
        ...legend.notes.map(one => paragraph(one, inner, SMALL, soft)),
    ];
    return {rows, inner, said};
}

/** The sheet itself, around what stands on it. @param {any} tree @param {{width: number, height: number}} inner
 * @param {{said: string, theme: string, look?: import('./look.js').Look, two?: boolean}} about */
function paperSvg(tree, {width, height}, {said, theme, look = LOOK, two = false}) {
    const {ink, page} = paperOf(theme);
    const {mm, both} = SIZES[look.size];
    const margin = look.caption ? MARGIN : NARROW;
    const whole = {width: width + 2 * margin, height: Math.ceil(height) + 2 * margin};
    const file = paperFor(whole, two && both ? both : mm);
    const [x, y, wide, high] = file.viewBox.split(' ');
    return h(
        'svg',
        {
            ...{xmlns: 'http://www.w3.org/2000/svg', version: '1.1'},
            ...{viewBox: file.viewBox, width: file.width, height: file.height},
            role: 'img',
            ...ALONE,
            'font-family': FONTS,
            fill: ink,
        },
        h('title', null, said),
        look.paper !== 'none' &&
            h('rect', {...(mm && {x, y}), width: wide, height: high, fill: page}),
        h('g', {transform: `translate(${margin} ${margin})`}, tree),
    );
}

/** @param {About} about @returns {(parts: Parts) => any} the frame of a view's svg(): draw/view.js */
export const sheet = about => parts => {
    const {rows, inner, said} = rowsOf(about, parts);
    const {height} = sizeOf(rows);
    const {look} = about;
    return paperSvg(stacked(rows), {width: inner, height}, {said, theme: parts.look.theme, look});
};

/** One of two figures on a sheet, "a" or "b", as a frame of a view's svg().
 * @param {About} about @param {string} letter @returns {(parts: Parts) => Panel} */
export const panel = (about, letter) => parts => rowsOf(about, parts, letter);

/** Two figures beside each other on one sheet. @param {Panel[]} panels
 * @param {{state: Pick<State, 'heading' | 'note'>, title: string, source: string, theme: string, look:
 *     import('./look.js').Look}} about   what both have in common: the text, '' where they have read two; view and
 *     model; without a caption the reader's title and note are left out, too */
export function sheetOfTwo(panels, {state, title: read, source, theme, look}) {
    const title = ownText(state.heading, 'heading') || read;
    const {soft} = paperOf(theme);
    const [one, two] = panels.map(({inner}) => inner);
    const width = one + BETWEEN + two;
    const above = look.caption
        ? [
              ...spaced([paragraph(title, width, TITLE)], 2),
              ...spaced([paragraph(source, width, SMALL, soft)], 14),
          ]
        : [];
    const top = above.length ? sizeOf(above).height : 0;
    const trees = panels.map(({rows}, i) =>
        h('g', {transform: `translate(${i * (one + BETWEEN)} ${top})`}, stacked(rows)),
    );
    const below = top + Math.max(...panels.map(({rows}) => sizeOf(rows).height));
    const notes = look.caption ? spaced(noteOf(state, width), 0) : [];
    const height = below + (notes.length ? 10 + sizeOf(notes).height : 0);
    const note = h('g', {transform: `translate(0 ${below + 10})`}, stacked(notes));
    const said = oneText([title, source, ...panels.map(each => each.said)]);
    return paperSvg(
        [stacked(above), trees, notes.length > 0 && note],
        {width, height},
        {said, theme, look, two: true},
    );
}

/** The title that a file has without one of the reader's own: what was read.
 * @param {Pick<State, 'text' | 'textB'>} state */
export const titleOf = ({text, textB}) =>
    [text, textB]
        .map(one => one.trim().replace(/\s+/g, ' '))
        .filter(Boolean)
        .join(' / ');
