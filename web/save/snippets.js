/* snippets - the texts of the Share dialog: link, frame, element, and the forms that other programs
 * want. Texts of the reader and of vocabularies stay inert in each: no markup, no template of
 * Jekyll, Hugo or Quarto, no end of a Python string. Pure.
 */
import {ATTRIBUTES, attributesFor} from '../state/attributes.js';
import {defaults, formatHash} from '../state/state.js';
import {attribute, jsonForScript} from './texts.js';
import {BELOW, COMPACT, reservedHeight} from '../element/style.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {{base: string, state: State, title: string, file: string, svg: string, rows: number,
 *     figure: object | null, lang?: string, ask?: State | null, lesson?: {id: string, at: number, title: string} | null}} Parts
 *   base: address of the site's folder; file: name of the picture; svg: of the width FALLBACK;
 *   rows: of the head view, 0 for other views; figure: of encodeFigure, null for views that need
 *   the model; lang: of the page that hands it out; lesson: the one beside the figure, at its step;
 *   ask: the figure as a question for a class
 * @typedef {{label: string, code: string}} Piece   label: a key of the texts
 */

export const FALLBACK = 520; // px, width of the picture inside the element
const MOST_IN_ADDRESS = 60000; // characters
const MOST_IN_PAGE = 1e6;
const PLAIN_HEIGHT = 420;
const LESSON_HEIGHT = 900;

/** Braces and backquotes that begin something in Liquid, Hugo, kramdown or Quarto.
 * @param {string} html */
const calm = html => html.replace(/[{`]/g, c => `&#${c.charCodeAt(0)};`);

/** In JSON a brace of a text is never before a quote or a brace that closes. @param {object} value
 */
const calmJson = value =>
    jsonForScript(value).replace(/\{(?!["}])|`/g, c => `\\u00${c.charCodeAt(0).toString(16)}`);

/** @param {object | null} figure @param {number} most characters */
const fitting = (figure, most) => (figure && JSON.stringify(figure).length <= most ? figure : null);

/** @param {string} text */
function base64url(text) {
    const bytes = new TextEncoder().encode(text);
    let binary = '';
    for (let i = 0; i < bytes.length; i += 0x8000)
        binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The picture in the room that the element will take: nothing moves when it takes over, at any
 * width.
 * @param {Parts} parts @param {boolean} compact */
function fallback({svg, rows}, compact) {
    const drawn = Number(/ height="([\d.]+)"/.exec(svg)?.[1] ?? PLAIN_HEIGHT);
    const height = Math.ceil(
        (rows ? reservedHeight(rows) : drawn + BELOW) - (compact ? BELOW - COMPACT : 0),
    );
    return calm(
        svg.replace(/^<svg[^>]*>/, opening =>
            opening
                .replace(/ viewBox="0 0 ([\d.]+) [\d.]+"/, ` viewBox="0 0 $1 ${height}"`)
                .replace(/ width="[^"]*"/, ' width="100%"')
                .replace(/ height="[^"]*"/, ` height="${height}" display="block" data-reserved=""`),
        ),
    );
}

/** @param {Parts} parts @param {boolean} [short] without buttons, where the figure needs
 *     no model */
function element(parts, short = false) {
    const {base, state, figure} = parts;
    const attributes = attributesFor(state)
        .map(([name, value]) => ` ${name}="${calm(attribute(value))}"`)
        .join('');
    const inside = fitting(figure, MOST_IN_PAGE);
    const compact = short && inside !== null;
    const json = inside && `<script type="application/json">${calmJson(inside)}</script>\n`;
    return (
        `<script type="module" src="${attribute(base)}element.js"></script>\n<head-light${attributes}${compact ? ' compact' : ''}>\n` +
        `${fallback(parts, compact)}\n${json ?? ''}</head-light>`
    );
}

/** @param {Parts} parts */
const pageLink = ({base, state}) => base + formatHash(state);

/** A frame cannot know the language of the page around it, so its address says another than English,
 * which embed.html speaks. @param {Parts} parts */
function frameAddress({base, state, figure, lang = 'en'}) {
    const own = fitting(figure, MOST_IN_ADDRESS);
    const hash = [
        formatHash({...state, lang: state.lang || (lang === 'en' ? '' : lang)}).slice(1),
        state.theme !== 'auto' && `theme=${state.theme}`,
        own && `figure=${base64url(JSON.stringify(own))}`,
    ]
        .filter(Boolean)
        .join('&');
    return `${base}embed.html${hash && `#${hash}`}`;
}

/** @param {Parts} parts */
const frame = parts =>
    `<iframe src="${calm(attribute(frameAddress(parts)))}" title="${calm(attribute(parts.title))}" width="100%" ` +
    `height="${parts.rows ? reservedHeight(parts.rows) : PLAIN_HEIGHT + BELOW}" frameborder="0" loading="lazy" data-headlight></iframe>`;

/** A lesson with its figure: the element (element/lesson_frame.js) with a link inside for where no script runs, and
 * the same page in a frame. @param {Parts} parts @returns {Piece[]} */
function ofLesson({base, lesson, state: {theme}, lang = 'en'}) {
    if (!lesson) return [];
    const {id, at, title} = lesson;
    const hash = formatHash({...defaults, lesson: id, tour: at, lang: lang === 'en' ? '' : lang});
    const link = (/** @type {string} */ file) => attribute(base + file + hash);
    const [step, themed] = [at ? ` step="${at}"` : '', theme === 'auto' ? '' : theme];
    return [
        {
            label: 'code',
            code:
                `<script type="module" src="${attribute(base)}element.js"></script>\n` +
                `<head-light v="5" lesson="${id}"${step}${themed && ` theme="${themed}"`}>\n` +
                `<a href="${link('')}">${attribute(title)}</a>\n</head-light>`,
        },
        {
            label: 'frame',
            code:
                `<iframe src="${link('lesson.html')}${themed && `&#38;theme=${themed}`}" title="${attribute(title)}" ` +
                `width="100%" height="${LESSON_HEIGHT}" frameborder="0" loading="lazy" data-headlight></iframe>`,
        },
        {label: 'sizer', code: SIZER},
    ];
}

/** For the page around frames: their height follows what they say of themselves, and only they are
 * heard. */
export const SIZER =
    '<script>addEventListener("message",e=>{if(e.data?.type!=="headlight-size")return;' +
    'for(const f of document.querySelectorAll("iframe[data-headlight]"))if(f.contentWindow===e.source){' +
    'const h=Math.ceil(Number(e.data.height));if(h>0)f.height=Math.min(4000,Math.max(100,h))}})</script>';

/** A text as a string of JavaScript in JSX, which no template reads. @param {string} text */
const jsx = text =>
    JSON.stringify(text).replace(
        /[<{`\u2028]/g,
        c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** For MDX, which reads braces and markup of its own: no picture, a link inside for where no script runs.
 * @param {Parts} parts */
function ofMdx(parts) {
    const attributes = attributesFor(parts.state).map(([name, value]) => {
        // React sets a property where the tag is known already, which takes no text for a number
        const own = /** @type {any} */ (parts.state)[ATTRIBUTES.get(name)?.name ?? ''];
        if (typeof own === 'number') return ` ${name}={${own}}`;
        return ` ${name}=${/^[\w.,-]*$/.test(value) ? `"${value}"` : `{${jsx(value)}}`}`;
    });
    return (
        `<script async type="module" src={${jsx(`${parts.base}element.js`)}}></script>\n` +
        `<head-light${attributes.join('')}><a href={${jsx(pageLink(parts))}}>{${jsx(parts.title)}}</a></head-light>`
    );
}

/** Liquid would read a brace with a backslash before it. @param {string} text */
const markdownText = text =>
    text.replace(/[\\`*_[\]()<>#!|]/g, c => `\\${c}`).replaceAll('{', '&#123;');
/** Parentheses would end the address. @param {string} url */
const markdownUrl = url =>
    url.replace(/[()<>\s]/g, c => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** To add a kind: a row here and its words in the texts (share.kinds).
 * @type {Record<string, (parts: Parts) => Piece[]>} */
export const SNIPPETS = {
    link: parts => [
        {label: 'code', code: pageLink(parts)},
        ...(parts.ask ? [{label: 'ask', code: pageLink({...parts, state: parts.ask})}] : []),
    ],
    iframe: parts => [
        {label: 'code', code: frame(parts)},
        {label: 'sizer', code: SIZER},
    ],
    element: parts => [{label: 'code', code: element(parts)}],
    markdown: parts => [
        {
            label: 'code',
            code: `[![${markdownText(parts.title)}](${markdownUrl(parts.file)})](${markdownUrl(pageLink(parts))})`,
        },
    ],
    html: () => [],
    jekyll: parts => [
        {
            label: 'code',
            code: `{% raw %}\n{::nomarkdown}\n${element(parts, true)}\n{:/nomarkdown}\n{% endraw %}`,
        },
    ],
    hugo: parts => [
        {label: 'code', code: `{{< head-light >}}\n${element(parts, true)}\n{{< /head-light >}}`},
        {label: 'shortcode', code: '{{ .Inner | safeHTML }}'},
    ],
    quarto: parts => [{label: 'code', code: `\`\`\`{=html}\n${element(parts, true)}\n\`\`\``}],
    mdx: parts => [{label: 'code', code: ofMdx(parts)}],
    jupyter: parts => [
        {
            label: 'code',
            code: `from IPython.display import HTML\nHTML(${JSON.stringify(frame(parts))})`,
        },
    ],
    lesson: ofLesson,
};
