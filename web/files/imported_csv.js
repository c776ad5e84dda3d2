/* imported_csv - attention as a CSV file in long form (RFC 4180), one weight a row:
 *
 *   layer,head,query,query_token,key,key_token,weight
 *
 * in any order of rows and columns. Each place has one weight and each token one text: a row that
 * contradicts another is refused with its number (the header is row 1).
 */
import {fileError} from '../base/errors.js';
import {createPause} from '../base/pause.js';

/** @import {Read} from './imported_arrays.js' */

const COLUMNS = ['layer', 'head', 'query', 'query_token', 'key', 'key_token', 'weight'];
const WIDTH = 5; // numbers kept of a row
const LIMIT = 400e6; // bytes; browsers hold no longer text

/** The cells, row by row. @param {string} text */
function* rowsOf(text) {
    const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
    /** @type {string[]} */
    let row = [];
    for (let count = 1, end = ','; end !== '';) {
        const match = cell.exec(text);
        if (!match)
            throw fileError(
                `row ${count} of the CSV file has a quote within a cell; a cell with quotes is written "a ""b"" c"`,
            );
        row.push(match[1]?.replaceAll('""', '"') ?? match[2]);
        end = match[3];
        if (end === ',') continue;
        if (row.length > 1 || row[0]) yield row;
        row = [];
        count++;
    }
}

/** As it was before it was kept from being a formula. @param {string} cell */
const unguarded = cell => cell.replace(/^'(?='*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])/, '');

/** A check that each token has one text. @param {string[]} tokens filled with them */
function tokenChecker(tokens) {
    /** @type {number[]} */
    const rows = []; // in which a text stood first
    return (
        /** @type {number} */ row,
        /** @type {string} */ column,
        /** @type {number} */ at,
        /** @type {string | undefined} */ cell,
    ) => {
        const text = unguarded(cell ?? '');
        tokens[at] ??= text;
        rows[at] ??= row;
        if (tokens[at] !== text)
            throw fileError(
                `row ${row} of the CSV file has the ${column}_token "${text.slice(0, 40)}" at ${column} ${at}, but row ` +
                    `${rows[at]} says "${tokens[at].slice(0, 40)}"`,
            );
    };
}

/** Layer, head, query, key and weight of each row, one after the other; and the tokens.
 * @param {Iterator<string[]>} rows @param {number[]} places of COLUMNS in a row */
async function readRows(rows, places) {
    /** @type {number[]} */
    const numbers = [];
    /** @type {string[]} */
    const tokens = [];
    const check = tokenChecker(tokens);
    const pause = createPause();
    for (let next = rows.next(), count = 2; !next.done; next = rows.next(), count++) {
        const [layer, head, query, name, key, keyName, weight] = places.map(at => next.value[at]);
        const found = [layer, head, query, key].map(cell =>
            /^\d{1,4}$/.test(cell ?? '') ? Number(cell) : NaN,
        );
        const value = weight?.trim() ? Number(weight) : NaN;
        if (found.some(Number.isNaN) || !Number.isFinite(value))
            throw fileError(
                `row ${count} of the CSV file is ${next.value.join(',').slice(0, 80)}; expected are numbers from 0 and a weight`,
            );
        check(count, 'query', found[2], name);
        check(count, 'key', found[3], keyName);
        numbers.push(...found, value);
        if (count % 1024 === 0) await pause();
    }
    return {numbers, tokens};
}

/** Each weight at its place. @param {number[]} numbers @param {number[]} shape */
async function placed(numbers, shape) {
    const count = shape.reduce((product, size) => product * size, 1);
    const rows = numbers.length / WIDTH;
    if (count > rows)
        throw fileError(
            `the CSV file has ${rows} weights; its layers, heads, queries and keys, ${shape.join(' × ')}, make ${count}`,
        );
    const data = new Float32Array(count);
    const rowOf = new Uint32Array(count); // where each was given
    const pause = createPause();
    for (let i = 0; i < rows; i++) {
        const from = i * WIDTH;
        let at = 0;
        for (let axis = 0; axis < 4; axis++) at = at * shape[axis] + numbers[from + axis];
        if (rowOf[at])
            throw fileError(
                `row ${i + 2} of the CSV file has the layer, head, query and key ${numbers.slice(from, from + 4).join(', ')}, as ` +
                    `row ${rowOf[at]} has; one weight for each was expected`,
            );
        rowOf[at] = i + 2;
        data[at] = numbers[from + 4];
        if (i % 4096 === 0) await pause();
    }
    return data;
}

/** @param {File} file @returns {Promise<Read>} */
export async function fromCsv(file) {
    if (file.size > LIMIT)
        throw fileError(
            `the CSV file has ${Math.round(file.size / 1e6)} MB, more than the ${LIMIT / 1e6} that are read; save it as .npy or safetensors`,
        );
    const rows = rowsOf((await file.text()).replace(/^\ufeff/, ''));
    const header = rows.next().value ?? [];
    const places = COLUMNS.map(name => header.indexOf(name));
    if (places.includes(-1))
        throw fileError(
            `the first row of the CSV file is ${header.join(',').slice(0, 100)}; expected is ${COLUMNS.join(',')}`,
        );
    const {numbers, tokens} = await readRows(rows, places);
    const shape = [0, 0, 0, 0];
    for (let i = 0; i < numbers.length; i++)
        if (i % WIDTH < 4) shape[i % WIDTH] = Math.max(shape[i % WIDTH], numbers[i] + 1);
    const data = await placed(numbers, shape);
    return {maps: {encoder: {data, shape}}, lists: {tokens}};
}
