/* save - the results of a study as files: its table as CSV (the one that `headlight study --csv`
 * writes, the measure on screen first), the answer as JSON with what it is of, the view as SVG.
 */
import {download, downloadText, written} from '../save/files.js';
import {csvOf, guardedCsv, withFirst} from '../save/texts.js';

/** @import {Props} from './save_row.js' */

const WIDTH = 720;

/** @param {string} name @param {unknown} value */
export const saveJson = (name, value) =>
    downloadText(`${JSON.stringify(value, null, 1)}\n`, 'application/json', `${name}.json`);

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
    return written(view.svg?.(state, {...data, width: WIDTH}, words));
}

/** @param {Props} props @returns {Promise<string>} */
async function tableOf({state, data, words, result: {view, handle, asked}}) {
    if (!handle) return csvOf(view.table(state, data, words));
    const csv = guardedCsv(await handle.answer({...JSON.parse(asked || '{}'), csv: true}));
    return view.first ? withFirst(csv, view.first(state)) : csv;
}

/** Of an index: its file, or the bars as a table. @param {'index' | 'bars'} kind @param {string} name @param {Props} props */
async function saveIndexed(kind, name, {result: {handle, asked}}) {
    const question = JSON.parse(asked);
    if (kind === 'bars')
        downloadText(
            guardedCsv(await handle.answer({...question, csv: kind})),
            'text/csv',
            `${name}.csv`,
        );
    else download(new Blob([handle.file?.() ?? ''], {type: 'application/octet-stream'}), name);
}

/** @typedef {'csv' | 'json' | 'svg' | 'index' | 'bars'} Kind */

/** @param {Kind} kind @param {Props} props @returns {Promise<string>} the name of the file */
export async function save(kind, props) {
    const {
        data,
        result: {answer, study},
    } = props;
    const name = `headlight-${study}-${data.corpus.id || 'corpus'}`.replace(/[^\w.-]/g, '_');
    if (kind === 'index' || kind === 'bars') {
        const file = kind === 'bars' ? `${name}-bars` : `${name}.index`;
        await saveIndexed(kind, file, props);
        return kind === 'bars' ? `${file}.csv` : file;
    }
    if (kind === 'csv') downloadText(await tableOf(props), 'text/csv', `${name}.csv`);
    else if (kind === 'svg') downloadText(svgOf(props), 'image/svg+xml', `${name}.svg`);
    else saveJson(name, {...about(props), answers: {[study]: answer}});
    return `${name}.${kind}`;
}
