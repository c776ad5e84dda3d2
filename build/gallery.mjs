/* gallery - writes a page for each language (gallery.html, gallery-zh.html), which shows that what the Share dialog hands
 * out works: each figure is in the page by the very text of the dialog, in frames of their own
 * where it is about a surrounding. The words are in web/words.
 */
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {allWords, LANGUAGES, words} from '../web/words/languages.js';
import {attribute} from '../web/save/texts.js';
import {SIZER, SNIPPETS} from '../web/save/snippets.js';
import {figureOf, openModel} from './figure.mjs';

const NEXT = {layer: 0, heads: [6]};
const STRICT =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'";
const STYLE = `body{margin:0 auto;max-width:760px;padding:24px 16px 64px;font:17px/1.55 system-ui,sans-serif;color:#1d1f24;background:#fff}
h1{font-size:28px;line-height:1.2}h2{font-size:20px;margin:56px 0 4px}p{margin:0 0 14px}nav{display:flex;gap:20px;font-size:15px}
a{color:inherit}iframe,img,head-light{display:block;width:100%}iframe{border:0;outline:1px solid #dfe2e7}img{max-width:520px;height:auto}
pre{overflow:auto;max-height:220px;padding:10px 12px;background:#f6f7f8;font:12px/1.5 monospace;white-space:pre-wrap;overflow-wrap:anywhere}
head-light+head-light{margin-top:24px}summary{font-size:14px;cursor:pointer;min-height:24px;margin-top:8px}
@media(prefers-color-scheme:dark){body{color:#e6e7ea;background:#15171c}pre{background:#1e2128}iframe{outline-color:#333842}}`;

/** Markdown's picture in a link, as any Markdown program writes it. @param {string} markdown */
function imageOf(markdown) {
    const [, title, file, link] = /^\[!\[(.*)\]\((.*)\)\]\((.*)\)$/.exec(markdown);
    return `<a href="${attribute(link)}"><img src="${attribute(file)}" alt="${attribute(title.replace(/\\(.)/g, '$1'))}" width="520"></a>`;
}

/** The text of a tag as it is shown, its picture and its weights cut short. @param {string} code */
const shortened = code =>
    code
        .replace(/(<svg.{60}).*(<\/svg>)/s, '$1 … $2')
        .replace(/("application\/json">.{60}).*(<\/script>)/s, '$1 … $2')
        .replace(/(figure=.{60})[\w-]*/, '$1…');

/** @param {string} head @param {string} body @param {string} lang */
const pageOf = (head, body, lang = 'en') => `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">${head}</head>
<body>${body}</body></html>
`;

/** What each section shows and the text of the dialog it comes from.
 * @param {(patch: object) => Promise<any>} figure
 * @param {(name: string, text: string) => Promise<void>} write @param {string} code of the language
 */
async function sections(figure, write, code) {
    const snippet = (kind, parts) => SNIPPETS[kind](parts)[0].code;
    const next = await figure(NEXT);
    // both galleries lie in one folder, and the words in a picture are those of one language
    const plain =
        code === LANGUAGES[0].code
            ? next
            : {...next, file: next.file.replace(/\.svg$/, `-${code}.svg`)};
    const element = snippet('element', plain);
    const dark = snippet(
        'element',
        await figure({layer: 2, heads: [0, 3, 5], level: 'words', theme: 'dark'}),
    );
    const other = snippet(
        'element',
        await figure({layer: 3, heads: [2], text: 'The cat sat on the mat.', textB: ''}),
    );
    const neuron = snippet(
        'element',
        await figure({view: 'model', text: 'The cat sat on the mat.', textB: ''}),
    );
    const frame = snippet('iframe', plain);
    const markdown = snippet('markdown', plain);
    const strict = `gallery/strict-${code}.html`;
    await write(plain.file, plain.svg);
    await write(
        strict,
        pageOf(
            `<base href="../"><meta http-equiv="Content-Security-Policy" content="${STRICT}; img-src data:">` +
                '<title>Headlight</title><link rel="stylesheet" href="embed.css">',
            element,
            code,
        )
            .replaceAll('<base href="../">', '')
            .replaceAll('./element.js', '../element.js')
            .replaceAll('href="embed.css"', 'href="../embed.css"'),
    );
    const inside = (sandbox, html) =>
        `<iframe sandbox="${sandbox}" title="Headlight" width="100%" height="720" loading="lazy" srcdoc="${attribute(
            pageOf('<title>Headlight</title>', html, code),
        )}"></iframe>`;
    return {
        element: {html: element, code: element},
        dark: {html: dark, code: dark},
        shared: {
            html: `${other}\n${snippet('element', await figure({layer: 4, heads: [1], text: 'Birds sing.', textB: ''}))}`,
            code: other,
        },
        model: {html: neuron, code: neuron},
        frame: {html: frame, code: frame},
        markdown: {html: imageOf(markdown), code: markdown},
        sandbox: {html: inside('allow-scripts', element), code: element},
        policy: {
            html: `<iframe src="${strict}" title="Headlight" width="100%" height="720" loading="lazy"></iframe>`,
            code: element,
        },
        bare: {html: inside('', element), code: element},
    };
}

/** @param {string} site the folder @param {string} wasmFile */
export async function writeGallery(site, wasmFile) {
    const menu = JSON.parse(await readFile('models/index.json', 'utf8'));
    const entry = menu.find(({id}) => id === 'mini-en'); // whose heads the figures show
    const opened = await openModel(`models/${entry.id}`, wasmFile);
    await mkdir(`${site}/gallery`, {recursive: true});
    for (const {code} of LANGUAGES) {
        const t = await allWords(code);
        const {gallery} = (await words(code, 'dialogs')).share;
        const figure = patch =>
            figureOf(opened, {...patch}, {t, base: './', name: entry.id, bytes: entry.bytes});
        const shown = await sections(
            figure,
            (name, text) => writeFile(`${site}/${name}`, text),
            code,
        );
        const body = Object.entries(gallery.figures)
            .map(
                ([name, {title, text}]) => `<section id="${name}"><h2>${attribute(title)}</h2>
<p>${attribute(text)}</p>
${shown[name].html}
<details><summary>${attribute(gallery.tag)}</summary><pre lang="en">${attribute(shortened(shown[name].code))}</pre></details></section>`,
            )
            .join('\n');
        const head =
            `<title>${attribute(gallery.title)}</title>` +
            `<meta name="description" content="${attribute(gallery.lede)}"><style>${STYLE}</style>`;
        await writeFile(
            `${site}/${t.gallery.file}`,
            pageOf(
                head,
                `<nav><a href="./">${attribute(gallery.home)}</a><a href="${gallery.otherFile}" lang="${
                    gallery.otherLang
                }">${gallery.other}</a></nav><main><h1>${attribute(gallery.title)}</h1><p>${attribute(gallery.lede)}</p>
${body}</main>${SIZER}`,
                code,
            ),
        );
    }
}
