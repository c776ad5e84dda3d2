/* save - the results of a study as files: its table as CSV (the one that `headlight study --csv`
 * writes), the answer as JSON with what it is of, the view as SVG.
 */
import {render} from 'preact';
import {csvOf, inert} from '../save/texts.js';

/** @typedef {import('./save_row.js').Props} Props */

const WIDTH = 720;

/** @param {string} text @param {string} type @param {string} name */
function download(text, type, name) {
    const address = URL.createObjectURL(new Blob([text], {type: `${type};charset=utf-8`}));
    Object.assign(document.createElement('a'), {href: address, download: name}).click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** @param {string} name @param {unknown} value */
export const saveJson = (name, value) =>
    download(`${JSON.stringify(value, null, 1)}\n`, 'application/json', `${name}.json`);

/** What the results are of, for programs. @param {Props} props */
const about = ({data, result: {modelName, otherName, options, study, asked}}) => ({
    madeWith: 'Headlight',
    study,
    model: modelName,
    ...(otherName ? {otherModel: otherName} : {}),
    corpus: data.corpus.name,
    corpusFormat: data.corpus.format,
    corpusItems: data.corpus.items,
    options: options ? JSON.parse(options) : {},
    asked: asked ? JSON.parse(asked) : {},
});

/** @param {Props} props */
function svgOf({state, data, words, result: {view}}) {
    const holder = document.createElement('div');
    render(/** @type {any} */ (view.svg?.(state, {...data, width: WIDTH}, words)), holder);
    return inert(
        new XMLSerializer().serializeToString(/** @type {Element} */ (holder.firstElementChild)),
    );
}

/** @param {Props} props @returns {Promise<string>} */
const tableOf = async ({state, data, words, result: {view, handle, asked}}) =>
    handle
        ? handle.answer({...JSON.parse(asked || '{}'), csv: true})
        : csvOf(view.table(state, data, words));

/** @param {'csv' | 'json' | 'svg'} kind @param {Props} props
 * @returns {Promise<string>} the name of the file */
export async function save(kind, props) {
    const {
        data,
        result: {answer, study},
    } = props;
    const name = `headlight-${study}-${data.corpus.id || 'corpus'}`.replace(/[^\w.-]/g, '_');
    if (kind === 'csv') download(await tableOf(props), 'text/csv', `${name}.csv`);
    else if (kind === 'svg') download(svgOf(props), 'image/svg+xml', `${name}.svg`);
    else saveJson(name, {...about(props), answers: {[study]: answer}});
    return `${name}.${kind}`;
}
