/* snapshot - compares a picture with the one in tests/js/snapshots. UPDATE_SNAPSHOTS=1 writes it
 * anew; look at the change.
 */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
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
