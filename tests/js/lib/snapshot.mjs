/* snapshot - compares a picture with the one in tests/js/snapshots. UPDATE_SNAPSHOTS=1 writes it
 * anew; look at the change.
 */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';

/** @param {string} name @param {import('preact').VNode} tree */
export async function snapshot(name, tree) {
    const text = `${renderToString(tree).replaceAll('><', '>\n<')}\n`;
    const url = new URL(`../snapshots/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(url, text);
    assert.equal(
        text,
        await readFile(url, 'utf8'),
        `${name} has changed; if that is meant, run with UPDATE_SNAPSHOTS=1`,
    );
}

const linesOf = lines =>
    h(
        'div',
        null,
        lines.map(line => h('p', null, line)),
    );

/** The number of a cell, for programs, and what is shown of it. */
function cellOf(cell) {
    const {value, text = ''} = cell ?? {};
    if (value === undefined) return cell?.text ?? cell ?? '–';
    return `${value && Number(value.toPrecision(4))} ${text}`;
}

/** The sentence of a view and its table, a line each. */
function saidOf(view, state, data) {
    const {caption, columns, rows} = view.table(state, data, data.t);
    const table = [[caption], columns, ...rows.map(row => row.map(cellOf))];
    return [view.describe(state, data, data.t), ...table.map(row => row.join(' | '))];
}
export const tableOf = (...given) => linesOf(saidOf(...given));

/** All that a study says: what stands on the page, too, and the words of what is pointed at. */
export function readOf(view, state, data, on) {
    const page = renderToString(view.render(state, data, on))
        .replace(/<[^>]*(?:aria-label|title)="([^"]*)"[^>]*>/g, '\n[$1]\n')
        .replace(/<[^>]*>/g, '\n')
        .split('\n')
        .filter(line => line.trim());
    return linesOf([...saidOf(view, state, data), ...page]);
}
