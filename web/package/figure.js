/* figure - the command of the package: `head-light figure MODEL TEXT -o FILE.svg` draws the picture
 * that the page saves, with title and legend, or writes its web page (.html), which works from the
 * disk; .csv and .json are its numbers. The same state, views and sheet as in the page; the model runs in a
 * thread. Instead of a model, a file of attention, as the Python package writes it. `head-light validate FILE`
 * checks a JSON file that the page saved. USAGE says what both take.
 */
import {Blob} from 'node:buffer';
import {createHash} from 'node:crypto';
import {access, constants, readFile, stat, writeFile} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import process from 'node:process';
import {renderToString} from 'preact-render-to-string';
import {fileError, HeadlightError, stateError} from '../base/errors.js';
import {defaults, update} from '../state/state.js';
import {MOST, overlong, ownText} from '../draw/own_text.js';
import {splitOf} from '../engine/similarity.js';
import {pairsOf, textOf} from '../save/pairs.js';
import {engineFor, folderOf} from './node_engine.js';
import {checkSimilarity} from './options.js';
import {allWords, LANGUAGES, words} from '../words/languages.js';
import {openAttention} from '../session/attention.js';
import {inputOf} from '../session/compute.js';
import {answerEach} from '../session/deep.js';
import {createInterventions} from '../session/interventions.js';
import {missingOf} from '../views/asked.js';
import {LOOK, SIZES, viewFor} from '../save/look.js';
import {sheet, titleOf} from '../save/sheet.js';
import {checkLinked, Misuse, readLink} from './link.js';
import {aboutOf, csvOf, inert, jsonOf, packed, savedPage} from '../save/texts.js';
import {validate} from '../save/validate.js';
import {loadView, views} from '../views/index.js';
import {allNeeds, fillsOf, needName, wantOf} from '../views/needs.js';
import {speaking} from '../views/parts/begin_heads.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {Awaited<ReturnType<typeof openModel>>} Opened
 */

const IDS = views.map(({id}) => id).join(', ');
const CODES = LANGUAGES.map(({code}) => code).join(', ');
const PARTS = ['encoder', 'decoder', 'cross'];
const SHOWS = ['weight', 'moved', 'together', 'through', 'zeroing'];
const USAGE = `usage: head-light figure MODEL TEXT [TEXT_B] -o FILE.svg|.html|.csv|.json [options]
       head-light figure MODEL TEXT TEXT_B --split -o FILE.svg|.csv|.json [options]
       head-light figure ATTENTION -o FILE.svg|.html|.csv|.json [options]
       head-light validate FILE.json ...   files that Headlight saved, by saved.schema.json
       head-light --version

MODEL is a Hugging Face folder on the disk, its http address, or its name on the hub. TEXT_B is the second sentence.
ATTENTION is a file of attention weights: .safetensors, .npz, .json ... as the page reads it.

  -o FILE            .svg: the picture with title, legend and margins; .html: a page with the
                     interactive figure, which works without a network; .csv, .json: its numbers
  --view NAME        ${IDS} (head)
  --layer N          from 0; without layer and heads: those that speak most
  --head N[,N...]    from 0
  --show MAP         weight, moved (by each head); in the heat map also together, through (the heads
                     of a layer, without and with residual and norm), zeroing (weight)
  --lens             in the view next: the logit lens at every position
  --split            of a sentence-transformers model: what pairs of tokens add to the similarity
  --part PART        of ATTENTION: ${PARTS.join(', ')} (encoder)
  --link LINK        a link of the page, for everything else: pinned and masked tokens, changes ...
                     Texts, layer, heads and view of the command line come before those of the link
  --title TEXT       above the picture, in place of the texts
  --note TEXT        below the picture
  --size NAME        of a picture: ${Object.keys(SIZES).join(', ')} (${LOOK.size}); column 84 mm, slide 16:9, poster 400 mm
  --no-caption       without title, explanation and note: for the caption of your own paper
  --no-cells         without the small cells of the head view
  --width PX         of the picture without margins, 240 to 4000 (${SIZES.screen.width}; in a column ${SIZES.column.width})
  --dark             on dark paper
  --no-background    nothing behind the picture, whose colours are those of light or dark paper
  --lang CODE        ${CODES} (en)
  --precision P      fast, fine
  --help             this`;

const VERSION = typeof HEADLIGHT_VERSION === 'string' ? HEADLIGHT_VERSION : 'source';
const FLAGS = ['--dark', '--lens', '--split', '--no-caption', '--no-cells', '--no-background'];
const WANTED = 'a model and one or two texts were expected, or a file of attention';

const VALUES = [
    ...['-o', '--view', '--layer', '--head', '--show', '--part', '--link', '--title', '--note'],
    ...['--size', '--width', '--lang', '--precision'],
];

/** @param {string[]} args @returns {{given: string[], options: Map<string, string>}} */
function parsed(args) {
    /** @type {Map<string, string>} */
    const options = new Map();
    const given = [];
    for (let i = 0; i < args.length; i++) {
        const name = args[i];
        if (name === '--') {
            given.push(...args.slice(i + 1));
            break;
        }
        if (!name.startsWith('-') || name === '-') given.push(name);
        else if (options.has(name)) throw new Misuse(`${name} was given twice`);
        else if (FLAGS.includes(name)) options.set(name, '');
        else if (!VALUES.includes(name)) throw new Misuse(`there is no option ${name}`);
        else if (args[++i] === undefined) throw new Misuse(`${name} needs a value`);
        else options.set(name, args[i]);
    }
    return {given, options};
}

/** @param {Map<string, string>} options @param {string} name @param {string[]} allowed */
function choice(options, name, allowed) {
    const value = options.get(name);
    if (value !== undefined && !allowed.includes(value))
        throw new Misuse(`${name} is ${value}; one of ${allowed.join(', ')} was expected`);
    return value;
}

/** Title and note; what is longer than a figure shows is not cut in silence. @param {Map<string, string>} options */
function written(options) {
    const said = /** @type {const} */ ([
        ['--title', 'heading'],
        ['--note', 'note'],
    ]).flatMap(([name, kind]) => {
        const text = options.get(name);
        if (text === undefined) return [];
        const over = overlong(text, kind);
        if (over)
            throw new Misuse(
                `${name} has ${MOST[kind] + over} characters; at most ${MOST[kind]} were expected`,
            );
        return [[kind, ownText(text, kind)]];
    });
    return Object.fromEntries(said);
}

/** Numbers from 0 to below `end`. @param {string} name @param {string} value @param {number} end */
function numbers(name, value, end) {
    const list = value.split(',').map(part => (/^\d{1,4}$/.test(part) ? Number(part) : NaN));
    if (list.some(n => !(n < end)))
        throw stateError(`${name} is ${value}; numbers from 0 to ${end - 1} were expected`);
    return [...new Set(list)].sort((a, b) => a - b);
}

/** Whether a file can be written there, before anything is computed. @param {string} out */
async function checkPlace(out) {
    const folder = dirname(out);
    const place = await stat(folder).catch(() => null);
    const writable = await access(folder, constants.W_OK).then(
        () => true,
        () => false,
    );
    const found = await stat(out).catch(() => null);
    const why = !place?.isDirectory()
        ? `there is no folder ${folder}`
        : !writable
          ? `the folder ${folder} cannot be written to`
          : found?.isDirectory()
            ? 'that is a folder'
            : '';
    if (why) throw fileError(`${out} cannot be written: ${why}`);
}

const ENDINGS = /\.(svg|html|csv|json)$/i;

/** The map of --show and the lens of --lens, in the view that has them. @param {Map<string, string>} options
 * @param {string} view @returns {Partial<State>} */
function shownOf(options, view) {
    const show = choice(options, '--show', SHOWS);
    if (options.has('--lens') && view !== 'next')
        throw new Misuse(`--lens is of --view next; the view is ${view}`);
    if (show && SHOWS.indexOf(show) > 1 && view !== 'heatmap')
        throw new Misuse(`--show ${show} is of --view heatmap; the view is ${view}`);
    return {...(show && {show}), ...(options.has('--lens') && {lens: true})};
}

/** With or without caption and cells, and for which paper. @param {Map<string, string>} options
 * @returns {import('../save/look.js').Look} */
const lookOf = options => ({
    caption: !options.has('--no-caption'),
    cells: !options.has('--no-cells'),
    size: /** @type {any} */ (choice(options, '--size', Object.keys(SIZES)) ?? LOOK.size),
    paper: options.has('--no-background') ? 'none' : LOOK.paper,
});

/** What is asked for, checked as far as it can be without the model. @param {string[]} args */
function readArgs(args) {
    const {given, options} = parsed(args);
    const [folder, text, textB] = given;
    const out = options.get('-o') ?? '';
    const look = lookOf(options);
    const width = Number(options.get('--width') ?? SIZES[look.size].width);
    if (given.length < 1 || given.length > 3) throw new Misuse(WANTED);
    if (!ENDINGS.test(out))
        throw new Misuse('-o needs a file that ends in .svg, .html, .csv or .json');
    if (!(width >= 240 && width <= 4000))
        throw new Misuse(`--width is ${options.get('--width')}; 240 to 4000 px were expected`);
    const view = choice(
        options,
        '--view',
        views.map(({id}) => id),
    );
    const lang =
        choice(
            options,
            '--lang',
            LANGUAGES.map(({code}) => code),
        ) ?? 'en';
    const precision = choice(options, '--precision', ['fast', 'fine']);
    const part = choice(options, '--part', PARTS);
    const link = options.get('--link');
    const linked = link === undefined ? defaults : readLink(link);
    const state = update(linked, {
        .../** @type {any} */ ({
            ...(view && {view}),
            ...(precision && {precision}),
            ...(part && {part}),
        }),
        ...shownOf(options, view ?? linked.view),
        ...written(options),
        ...(text !== undefined && {text, textB: textB ?? ''}),
    });
    return {source: folder, texts: given.length - 1, out, width, look, lang, state, options};
}

/** A model, and what it computes of a state. @param {string} source
 * @returns {Promise<{engine: any, info: import('../worker/worker.js').Model, name: string, views: string[],
 *     compute: (state: State, needs: import('../views/needs.js').Need[]) => Promise<Pick<
 *     import('../views/view.js').Computed, 'pass' | 'tensors'>>, each?: (state: State, needs: any[], onFound: (name:
 *     string, answer: any) => void) => Promise<void>, split?: (state: State) => ReturnType<typeof splitOf>,
 *     file: boolean}>}   each: what a view wants besides; file: of attention */
async function openModel(source) {
    const engine = await engineFor({threads: 1});
    const {model, info} = await engine.load(await folderOf(source), /** @type {any} */ ({}));
    /** @param {State} state @param {import('../views/needs.js').Need[]} needs */
    const compute = async (state, needs) => {
        const run = engine.run({
            ...{model, input: inputOf(state, info), keep: ['attention', 'hidden']},
            want: needs.map(wantOf),
        });
        const [pass, answers] = await Promise.all([run.facts, Promise.all(run.answers), run.done]);
        return {pass, tensors: new Map(needs.map((need, i) => [needName(need), answers[i]]))};
    };
    const ask = createInterventions(engine.link);
    /** @param {State} state @param {import('../views/asked.js').DeepNeed[]} needs
     * @param {(name: string, answer: any) => void} onFound */
    const each = (state, needs, onFound) => {
        const more = async (/** @type {any[]} */ needs) => (await compute(state, needs)).tensors;
        const by = {ask, tokenize: engine.tokenize, compute: more};
        return answerEach(by, {model, info}, state, needs, onFound);
    };
    const name = source.replace(/\/+$/, '').split('/').pop() || source;
    /** @param {State} state */
    const split = state => {
        checkSimilarity({}, /** @type {any} */ (info), 'split');
        const {precision} = inputOf(state, info);
        return splitOf({engine, model}, [state.text, state.textB], precision);
    };
    return {engine, info, name, views: views.map(({id}) => id), compute, each, split, file: false};
}

/** A file of attention in the same form. @param {string} path @param {State} state @returns {Promise<Opened>} */
async function openFile(path, state) {
    const engine = await engineFor({threads: 1});
    const file = Object.assign(new Blob([await readFile(path)]), {name: basename(path)});
    const source = await openAttention(/** @type {any} */ (file), engine);
    const measures = [{measure: 'patterns'}]; // with those the engine says which there are
    const {model, imported} = await source.compute(state, () => measures);
    if (imported.part !== state.part)
        throw fileError(
            `${path} has no attention of the ${state.part}; it has ${imported.parts.join(', ')}: --part`,
        );
    return {
        ...{engine, info: model, file: true, views: source.views(state.part)},
        name: file.name.replace(/\.\w+$/, ''),
        compute: (now, needs) => source.compute(now, () => needs),
    };
}

/** What is drawn from: a folder or an address with texts, or a file without.
 * @param {ReturnType<typeof readArgs>} args @returns {Promise<Opened>} */
async function open({source, texts, state, options}) {
    const isFile = (await stat(source).catch(() => null))?.isFile();
    if (isFile && texts)
        throw new Misuse(`${source} is a file of attention, which has its tokens: give no text`);
    if (!isFile && options.has('--part'))
        throw new Misuse('--part is of a file of attention; a model has one');
    if (!isFile && !texts && !options.has('--link')) throw new Misuse(WANTED);
    if (isFile && state.show !== 'weight')
        throw new Misuse(
            `${source} is a file of attention, which has no values for --show ${state.show}`,
        );
    const opened = await (isFile ? openFile(source, state) : openModel(source));
    if (opened.views.includes(state.view)) return opened;
    throw stateError(
        `${source} is not enough for --view ${state.view}, which needs a model; it is for ${opened.views.join(', ')}`,
    );
}

/** Layer and heads: those asked for, else those that the page would begin with.
 * @param {Opened} opened @param {import('../views/view.js').View} view
 * @param {State} state @param {Map<string, string>} options @returns {Promise<State>} */
async function withHeads({info, compute, file}, view, state, options) {
    const [layer, head] = [options.get('--layer'), options.get('--head')];
    const asked = update(state, {
        ...(layer !== undefined && {layer: numbers('--layer', layer, info.layers)[0]}),
        ...(head !== undefined && {heads: numbers('--head', head, info.heads)}),
    });
    if (options.has('--link')) checkLinked(asked, {...info, width: info.head_width});
    if (layer !== undefined || head !== undefined) return asked;
    if (options.has('--link') || state.part === 'cross') return state;
    if (view.id === 'head') {
        const {tensors} = await compute(state, [{measure: 'patterns'}, {measure: 'even'}]);
        const of = (/** @type {string} */ name) =>
            /** @type {any} */ (tensors.get(`measure.${name}`));
        return update(state, speaking(info, of('patterns'), of('even')));
    }
    const {pass} = await compute(state, []);
    const begin = view.begin?.(state, {model: info, tokens: pass.tokens, imported: file});
    if (!begin) return state;
    const {tensors} = await compute(state, begin.needs);
    return update(state, begin.patch(info, /** @type {any} */ (tensors)));
}

/** The page that the figure is saved as: the one of save/save.js. @param {any} parts
 * @param {boolean} file of attention */
async function pageOf({t, view, state, data, source, svg, lang, cross}, file) {
    const own = (/** @type {string} */ name) => readFile(new URL(name, import.meta.url), 'utf8');
    const [code, style] = await Promise.all([own('./saved.js'), own('./style.css')]);
    return savedPage({
        lang,
        title: `${t.viewTitles[view.id]} · ${source}`,
        ...{svg, style, code},
        hash: createHash('sha256').update(code).digest('base64'),
        data: {
            ...{code: lang, source, view: view.id, cross, tensors: packed(data.tensors)},
            texts: file ? [] : [state.text, state.textB].filter(Boolean),
            state: {...state, lang},
            ...{model: data.model, pass: data.pass, fills: data.fills, before: data.before},
        },
    });
}

const ALL_LAYERS = 16e6; // bytes of attention beyond the layer shown that a page may carry

/** What the page can show besides: the other layers, where the view needs their attention alone.
 * @param {import('../views/view.js').View} view @param {State} state @param {import('../worker/worker.js').Model} model
 * @param {number} count of tokens */
function otherLayers(view, state, model, count) {
    const needs = Array.from({length: model.layers}, (_, layer) =>
        view.needs({...state, layer}, model),
    ).flat();
    const fits = count ** 2 * model.heads * 4 * needs.length <= ALL_LAYERS;
    return fits && needs.every(({tensor, plain}) => tensor === 'attention' && !plain) ? needs : [];
}

/** The other layers of a page, where they fit. @param {Opened} opened @param {any} view @param {State} state
 * @param {import('../views/view.js').Computed} data */
async function addLayers({compute}, view, state, {model, pass, tensors}) {
    const more = otherLayers(view, state, model, pass.tokens.length);
    const found = more.length ? (await compute(state, more)).tensors : [];
    for (const [name, tensor] of found) tensors.set(name, tensor);
}

/** The numbers of what is drawn, as the page saves them. @param {string} out @param {import('../views/view.js').View} view
 * @param {State} state @param {any} data @param {any} t @param {string} source */
function numbersOf(out, view, state, data, t, source) {
    const lens = state.lens && view.more?.(state, data, t).find(({id}) => id === 'lens');
    const table = lens ? lens.table : view.table(state, data, t);
    const about = aboutOf({t, source: {model: source}, view, state, data, pass: data.pass});
    return (/csv$/i.test(out) ? csvOf : jsonOf)(table, about);
}

/** What pairs of tokens add to the similarity of two texts. @param {ReturnType<typeof readArgs>} args */
async function split(args) {
    const {out, width, lang, state, options, texts} = args;
    if (texts !== 2 || /html$/i.test(out))
        throw new Misuse('--split needs two texts, and -o with .svg, .csv or .json');
    const opened = await open(args);
    const found = await opened.split?.(state);
    opened.engine.close();
    if (!found) return;
    const {why} = (await words(lang, 'dialogs')).similarity;
    const kind = /** @type {'svg'} */ (out.split('.').pop()?.toLowerCase());
    const theme = options.has('--dark') ? 'dark' : 'light';
    const made = textOf(kind, pairsOf(found, why, [state.text, state.textB]), {width, theme});
    await writeFile(out, kind === 'svg' ? `${inert(renderToString(made))}\n` : made);
    console.log(`${out}: ${found.shape.join(' × ')} pairs of tokens`);
}

/** @param {string[]} given of the command */
async function figure(given) {
    const args = readArgs(given);
    const {out, width, look, lang, state: asked, options} = args;
    await checkPlace(out);
    if (options.has('--split')) return split(args);
    const opened = await open(args);
    const view = /** @type {import('../views/view.js').View} */ (await loadView(asked.view));
    const theme = options.has('--dark') ? 'dark' : 'light';
    const state = update(await withHeads(opened, view, asked, options), {theme});
    const needs = allNeeds(view, state, opened.info);
    const {pass, tensors} = await opened.compute(state, needs);
    if (options.has('--link')) checkLinked(state, {...opened.info, tokens: pass.tokens.length});
    const found = (/** @type {string} */ name, /** @type {any} */ answer) =>
        tensors.set(name, answer);
    const data = {model: opened.info, pass, tensors, ...fillsOf(needs, tensors)};
    for (let deep; opened.each && (deep = missingOf(view.deep, state, data)).length;)
        await opened.each(state, deep, found);
    const isPage = /html$/i.test(out);
    if (isPage) await addLayers(opened, view, state, data);
    opened.engine.close();
    const t = await allWords(lang);
    const made = /svg$|html$/i.test(out)
        ? await drawn(opened, view, state, data, {t, lang, width, look, isPage})
        : numbersOf(out, view, state, data, t, opened.name);
    await writeFile(out, made);
    console.log(`${out}: ${t.viewTitles[view.id]}, ${pass.tokens.length} tokens`);
}

/** The picture, or the page with it. @param {Opened} opened @param {import('../views/view.js').View} view
 * @param {State} state @param {any} data @param {{t: any, lang: string, width: number, look: import('../save/look.js').Look, isPage: boolean}} how */
async function drawn({file, name: source}, view, state, data, {t, lang, width, look, isPage}) {
    const {theme} = state;
    const frame = sheet({
        ...{title: file ? '' : titleOf(state), source},
        ...{view: t.viewTitles[view.id], words: (await words(lang, 'dialogs')).sheet, look},
    });
    const svg = inert(
        renderToString(viewFor(view, look).svg(state, data, {width, theme, focus: null, frame}, t)),
    );
    const page = {t, view, state, data, source, svg, lang, cross: state.part === 'cross'};
    return isPage ? pageOf(page, file) : `${svg}\n`;
}

const MOST_FAULTS = 10; // of a file

/** Each file with its kind, or its faults; the exit status is 1 where one has any. @param {string[]} files */
async function validateFiles(files) {
    if (!files.length) throw new Misuse('the JSON files to validate were expected');
    const schema = JSON.parse(
        await readFile(new URL('./saved.schema.json', import.meta.url), 'utf8'),
    );
    for (const file of files) {
        const value = await readFile(file, 'utf8').then(JSON.parse);
        const {kind, faults} = validate(value, schema);
        if (!faults.length) console.log(`${file}: ${kind}`);
        for (const fault of faults.slice(0, MOST_FAULTS)) console.error(`${file}${fault}`);
        if (faults.length) process.exitCode = 1;
    }
}

const COMMANDS = {figure, validate: validateFiles};
const [command, ...rest] = process.argv.slice(2);
const asked = Object.hasOwn(COMMANDS, command) && COMMANDS[/** @type {'figure'} */ (command)];
if (command === '--help' || rest.includes('--help')) console.log(USAGE);
else if (command === '--version') console.log(`head-light ${VERSION}`);
else if (!asked) {
    console.error(`${command ? `there is no command ${command}\n` : ''}${USAGE}`);
    process.exitCode = 2;
} else
    await asked(rest).catch(error => {
        const misuse = error instanceof Misuse;
        console.error(
            misuse
                ? `${error.message}; head-light ${command} --help says what it takes`
                : error instanceof HeadlightError
                  ? `${error.category}: ${error.message}`
                  : `file: ${error.message}`,
        );
        process.exitCode = misuse ? 2 : 1;
    });
