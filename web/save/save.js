/* save - makes the files of the export row and hands them over: pictures from the view's svg,
 * tables from its table, and a page of its own from both and the attention itself. Fetched when
 * first used.
 */
import {reason} from '../base/errors.js';
import {ownText} from '../shell/page_files.js';
import {words as wordsOf} from '../words/languages.js';
import {deepName} from '../views/asked.js';
import {isMoved, needName} from '../views/needs.js';
import {FORMATS, MOST, weightsOf} from './attention.js';
import {bare} from '../draw/view.js';
import {withMarks} from '../views/head/over/marked.js';
import {download, downloadText, written} from './files.js';
import {LOOK, SIZES, themeFor, viewFor} from './look.js';
import {panel, sheet, sheetOfTwo, titleOf} from './sheet.js';
import {aboutOf, codeForScript, csvOf, fileName, jsonOf, packed, savedPage} from './texts.js';

/**
 * @typedef {import('../words/languages.js').Dialogs['saved']} Words
 * @typedef {'svg' | 'png' | 'csv' | 'json' | 'html' | 'link'} Kind
 * @import {Props, Said} from './export.js'
 * @import {Other} from '../compare/beside.js'
 * @typedef {{data: Float32Array, shape: number[]}} Tensor
 */

const CSS_DPI = 96;
const PNG_SIDE = 16384; // what all browsers draw
const PNG_PIXELS = 64e6;
// bytes of attention that a saved page may carry beyond the layer shown
const ALL_LAYERS = 16e6;

/** The bare picture. @param {Pick<Props, 't' | 'drawable'>} props
 * @param {{width: number, theme: string, frame?: ReturnType<typeof sheet>}} [look]
 */
export function svgOf(
    {t, drawable: {view, state, data}},
    look = {width: SIZES.screen.width, theme: data.theme},
) {
    const frame = look.frame ?? (parts => bare(withMarks(parts)));
    return written(view.svg(state, data, {...look, frame, focus: null}, t));
}

/** Two figures side by side on one sheet. @param {Props} props @param {Other} other
 * @param {import('../views/view.js').FileWords} words */
function sheetOfBoth({t, drawable, modelName, look = LOOK}, other, words) {
    const width = SIZES[look.size].two;
    const theme = themeFor(look, drawable.data.theme);
    const {titles, captions, own} = other;
    const drawables = [drawable, other.drawable];
    const [sameText, sameView] = [
        titles[0] === titles[1],
        drawable.view.id === other.drawable.view.id,
    ];
    const panels = drawables.map(({view, state, data}, i) => {
        const about = {
            ...{title: '', caption: captions[i], words, source: '', look},
            view:
                sameView || captions[i].includes(t.viewTitles[view.id])
                    ? ''
                    : t.viewTitles[view.id],
        };
        const frame = panel(about, 'ab'[i]);
        return viewFor(view, look).svg(state, data, {width, theme, focus: null, frame}, t);
    });
    const common = {
        state: drawable.state,
        title: sameText ? titleOf(drawable.state) : '',
        source: [sameView && t.viewTitles[drawable.view.id], !own && modelName]
            .filter(Boolean)
            .join(' · '),
        ...{theme, look},
    };
    return written(sheetOfTwo(/** @type {any} */ (panels), common));
}

/** The picture with title, legend and margins. @param {Props} props */
async function sheetOf(props) {
    const {t, drawable, modelName, shown, look = LOOK} = props;
    const {sheet: words} = await wordsOf(t.code, 'dialogs');
    if (props.both.current) return sheetOfBoth(props, props.both.current, words);
    const {view, state, data} = drawable;
    const {imported} = shown;
    const frame = sheet({
        title: imported ? imported.name : titleOf(state),
        view: t.viewTitles[view.id],
        source: modelName,
        ...{words, look},
    });
    const seen = {t, drawable: {...drawable, view: viewFor(view, look)}};
    return svgOf(seen, {width: SIZES[look.size].width, theme: themeFor(look, data.theme), frame});
}

/** @param {string} svg @param {number} wished px of the picture for one of the file's
 * @returns {Promise<{blob: Blob, scale: number}>} */
async function pngOf(svg, wished) {
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
    try {
        await image.decode();
        const {naturalWidth: width, naturalHeight: height} = image;
        const scale = Math.min(
            wished,
            PNG_SIDE / Math.max(width, height),
            Math.sqrt(PNG_PIXELS / (width * height)),
        );
        const canvas = Object.assign(document.createElement('canvas'), {
            width: Math.round(width * scale),
            height: Math.round(height * scale),
        });
        canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
        const blob = await new Promise(done => {
            canvas.toBlob(done);
        });
        if (!blob) throw new Error('the browser made no picture of this size');
        return {blob, scale};
    } finally {
        URL.revokeObjectURL(image.src);
    }
}

/** What is shown, in saved numbers. @param {Props['shown']['imported']} imported @param {string} model */
function sourceOf(imported, model) {
    if (!imported) return {model};
    const {name, part, two} = imported;
    return two ? {model: name, part} : {file: name, part};
}

/** @param {Props} props */
const about = ({t, modelName, shown: {imported, pass}, drawable}) =>
    aboutOf({...{t, ...drawable, pass}, source: sourceOf(imported, modelName)});

/** @param {Props['drawable']['view']} view @param {Props['drawable']['state']} state
 * @param {Props['drawable']['data']['model']} model */
const allNeeds = (view, state, model) => [
    ...view.needs(state, model),
    ...(view.later?.(state, model) ?? []),
];

/** With what the view can be drawn without at first, should it not be there yet.
 * @param {Props} props @returns {Promise<Props>} */
async function whole(props) {
    const {
        session,
        drawable,
        drawable: {view, state, data},
    } = props;
    const missing = allNeeds(view, state, data.model).filter(
        need => !data.tensors.has(needName(need)),
    );
    if (!missing.length) return props;
    const tensors = new Map([...data.tensors, ...(await session.collect(missing))]);
    return {...props, drawable: {...drawable, data: {...data, tensors}}};
}

/** The same of both figures, with the words of whatever view the second one is.
 * @param {Props} props @returns {Promise<Props>} */
async function wholeBoth(props) {
    const other = props.both.current;
    const [first, second] = await Promise.all([props, ...ofSecond(props)].map(whole));
    if (!other || !second) return first;
    const t = {...props.t, ...(await wordsOf(props.t.code, 'views'))};
    return {...first, t, both: {current: {...other, drawable: second.drawable}}};
}

/** One map a head of a layer. @param {import('../views/needs.js').Need} need */
const isMap = ({tensor, measure, plain}) =>
    (tensor === 'attention' || measure === 'moved_shares') && !plain;

/** What the saved page can show: the layer on the page, and the others where they fit.
 * @param {Props} props @returns {Promise<{tensors: Map<string, Tensor>, all: boolean}>} */
async function tensorsFor({session, drawable: {view, state, data}}) {
    const {model, tensors} = data;
    const deep = view.deep?.(state, data) ?? [];
    const now = new Map(
        [...allNeeds(view, state, model), ...deep.filter(need => tensors.has(deepName(need)))].map(
            need => [deepName(need), tensors.get(deepName(need))],
        ),
    );
    const wishes = Array.from({length: model.layers}, (_, layer) =>
        view.needs({...state, layer}, model),
    )
        .flat()
        .filter(need => !now.has(needName(need)));
    const size = data.pass.tokens.length ** 2 * model.heads * 4 * wishes.length;
    const all = !view.deep && size <= ALL_LAYERS && wishes.every(isMap);
    const more = all ? await session.collect(wishes) : new Map();
    return {
        tensors: /** @type {Map<string, Tensor>} */ (new Map([...now, ...more])),
        all: all || !wishes.length,
    };
}

/** @param {string} code */
async function hashOf(code) {
    if (!globalThis.crypto?.subtle) return '';
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code));
    return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

/** What a figure of the saved page is drawn from. @param {Props} props */
async function figureOf(props) {
    const {view, data} = props.drawable;
    const {tensors, all} = await tensorsFor(props);
    const {model, pass, fills, before} = data;
    return {figure: {view: view.id, model, pass, fills, before, tensors: packed(tensors)}, all};
}

/** @param {Props} props */
async function pageOf(props) {
    const {
        t,
        state: {theme},
        modelName,
        shown: {imported},
        drawable: {view, state},
        both: {current: other},
    } = props;
    const figures = await Promise.all([props, ...ofSecond(props)].map(figureOf));
    const [{figure}, second] = figures;
    const [script, style] = await Promise.all([ownText('saved.js'), ownText('style.css')]);
    const code = codeForScript(script);
    const source = imported ? imported.name : modelName;
    const page = savedPage({
        lang: t.code,
        title: `${t.viewTitles[view.id]} · ${source}`,
        svg: other
            ? sheetOfBoth(props, other, (await wordsOf(t.code, 'dialogs')).sheet)
            : svgOf(props),
        style,
        code,
        hash: await hashOf(code),
        data: {
            code: t.code,
            source,
            texts: imported ? [] : [state.text, state.textB].filter(Boolean),
            state: {...state, theme, lang: t.code},
            cross: imported?.part === 'cross',
            ...figure,
            ...(second && {beside: {...second.figure, captions: other?.captions}}),
        },
    });
    return {page, all: figures.every(({all}) => all)};
}

/** @param {string} text @param {string} done @param {string} failed @returns {Promise<Said>} */
const copy = (text, done, failed) =>
    navigator.clipboard.writeText(text).then(
        () => ({text: done}),
        () => ({text: failed, code: text}),
    );

/** What a file says of the second figure, none where there is one. @param {Props} props @returns {Props[]} */
function ofSecond(props) {
    const other = props.both.current;
    if (!other) return [];
    const {drawable, session, shown, captions, own} = other;
    const modelName = own ? captions[1] : props.modelName;
    return [{...props, drawable, session, shown, modelName, both: {current: null}}];
}

/** The table of each figure, written. @param {Props} props @param {typeof csvOf | typeof jsonOf} write */
const tablesOf = (props, write) =>
    [props, ...ofSecond(props)].map(one => {
        const {view, state, data} = one.drawable;
        return write(view.table(state, data, props.t), about(one));
    });

/** To add a kind: a row here and its words in the texts (save.files).
 * @type {Record<Kind, (props: Props, name: string, words: Words) =>
 *   Promise<Said>>} */
const KINDS = {
    async svg(props, name, words) {
        download(new Blob([await sheetOf(props)], {type: 'image/svg+xml'}), `${name}.svg`);
        return {text: words.done(`${name}.svg`)};
    },
    async png(props, name, words) {
        const wished = SIZES[(props.look ?? LOOK).size].dpi / CSS_DPI;
        const {blob, scale} = await pngOf(await sheetOf(props), wished);
        download(blob, `${name}.png`);
        return {
            text:
                scale < wished
                    ? words.scaled(`${name}.png`, scale.toFixed(1))
                    : words.done(`${name}.png`),
        };
    },
    async csv(props, name, words) {
        const [table, second] = tablesOf(props, csvOf);
        const text = second ? `${table}\r\n${second.slice(1)}` : `${table}`; // one mark of UTF-8
        downloadText(text, 'text/csv', `${name}.csv`);
        return {text: words.done(`${name}.csv`)};
    },
    async json(props, name, words) {
        const json = tablesOf(props, jsonOf);
        const text = json.length > 1 ? `[${json.join(',\n')}]` : json[0];
        download(new Blob([text], {type: 'application/json'}), `${name}.json`);
        return {text: words.done(`${name}.json`)};
    },
    async html(props, name, words) {
        const {page, all} = await pageOf(props);
        downloadText(page, 'text/html', `${name}.html`);
        return {text: (all ? words.done : words.oneLayer)(`${name}.html`)};
    },
    link({link}, name, words) {
        return copy(link(), words.linkCopied, words.copyFailed);
    },
};

/** What has been made, or why it has not. @param {Props['t']} t @param {(words: Words) => Promise<Said>} make */
async function tried({code}, make) {
    const words = (await wordsOf(code, 'dialogs')).saved;
    return make(words).catch(error => ({text: words.failed(reason(error))}));
}

/** @param {Kind} kind @param {Props} props @returns {Promise<Said>} */
export const save = (kind, props) =>
    tried(props.t, async words => {
        const {view, state, data} = props.drawable;
        const name = fileName(view, state, data.model.layers);
        return KINDS[kind](await wholeBoth(props), name, words);
    });

/** Another table of the view, such as the logit lens. @param {'csv' | 'json'} kind @param {string} id
 * @param {Props} props @returns {Promise<Said>} */
export const saveMore = (kind, id, props) =>
    tried(props.t, async words => {
        const {view, state, data} = props.drawable;
        const table = view.more?.(state, data, props.t).find(one => one.id === id)?.table;
        if (!table) throw new Error(id);
        const name = `headlight-${id}.${kind}`;
        const text = (kind === 'csv' ? csvOf : jsonOf)(table, about(props));
        downloadText(text, kind === 'csv' ? 'text/csv' : 'application/json', name);
        return {text: words.done(name)};
    });

/** The attention of all layers and heads, or what they move, for other programs.
 * @param {import('./attention.js').Format} format @param {Props} props @returns {Promise<Said>} */
export const saveAttention = (format, {t, session, modelName, shown, drawable}) =>
    tried(t, async words => {
        const {model, pass} = drawable.data;
        const moved = isMoved(drawable.state);
        const of = /** @type {'moved' | 'attention'} */ (moved ? 'moved' : 'attention');
        const read = async (/** @type {number} */ layer) => {
            const need = moved ? {measure: 'moved', args: [layer]} : {tensor: 'attention', layer};
            const tensor = (await session.collect([need])).get(needName(need));
            if (!tensor) throw new Error(words.noAttention(layer));
            return tensor.data;
        };
        const source = {
            ...{model: shown.imported ? shown.imported.name : modelName, tokens: pass.tokens},
            ...{layers: model.layers, heads: model.heads, of, read},
        };
        const most = format === 'csv' || format === 'json' ? MOST[format] : Infinity;
        if (weightsOf(source) > most) throw new Error(words.tooMany(weightsOf(source), most));
        const {type, ending, make} = FORMATS[format];
        const name = `headlight-${of}${ending}`;
        download(new Blob(await make(source), {type}), name);
        return {text: words.done(name)};
    });
