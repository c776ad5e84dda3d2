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

/** All that a study says, a line each: its sentence, its table, and what stands on the page, the words of what is pointed
 * at too. */
export function readOf(view, state, data, on) {
    const {columns, rows} = view.table(state, data, data.t);
    const cells = rows.map(row =>
        row.map(cell => (cell?.value === undefined ? (cell?.text ?? cell) : cell.value)),
    );
    const page = renderToString(view.render(state, data, on))
        .replace(/<[^>]*(?:aria-label|title)="([^"]*)"[^>]*>/g, '\n[$1]\n')
        .replace(/<[^>]*>/g, '\n')
        .split('\n')
        .filter(line => line.trim());
    const table = [columns, ...cells].map(row => row.join(' | '));
    return h(
        'div',
        null,
        [view.describe(state, data, data.t), ...table, ...page].map(line => h('p', null, line)),
    );
}
