/* golden - the list of golden models (tests/golden/models.json), their folders, dumps and
 * tolerances. A dump is compared with what a pass kept tensor by tensor; `layer.0.probs[1]` is head
 * 1 of `layer.0.probs`.
 */
import assert from 'node:assert/strict';
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root, shared} from './model.mjs';

const golden = join(root, 'tests/golden');
const read = file => JSON.parse(readFileSync(join(golden, file), 'utf8'));
const tolerances = read('tolerances.json');
export const {computed, models} = read('models.json');

/** The golden models, each in every form of its config, and mini-en. `scratch`: where folders with
 * another config are put. */
export function goldenCases(scratch) {
    const cases = models
        .flatMap(row => [row, ...(row.configs ?? []).map(config => ({...row, config}))])
        .map(row => ({
            ...row,
            label: row.config ? `${row.name} with ${row.config}` : row.name,
            runs: computed.includes(row.family) && !row.refused,
            folder: folderOf(row, scratch),
            dumps: join(golden, 'dumps', row.dumps ?? row.name),
            tolerance: tolerances[row.dumps ?? row.name] ?? tolerances.transformers,
        }));
    const miniEn = join(shared, 'models/mini-en');
    return [
        ...cases,
        {
            name: 'mini-en',
            label: 'mini-en',
            runs: true,
            folder: miniEn,
            dumps: join(miniEn, 'reference'),
            tolerance: tolerances['bert-tiny-random'],
            absent: existsSync(miniEn) ? false : `${miniEn} is not here`,
        },
    ];
}

/** A folder with the weights and one of the configs, without the tokenizer: ids are given, and some
 * tokenizers are not read yet. */
function folderOf({name, config = 'config.json'}, scratch) {
    const from = join(golden, 'models', name),
        to = join(scratch, `${name}-${config}`);
    mkdirSync(to, {recursive: true});
    for (const file of readdirSync(from))
        if (file.startsWith('model')) copyFileSync(join(from, file), join(to, file));
    copyFileSync(join(from, config), join(to, 'config.json'));
    return to;
}

/** The inputs of a case: name, file, input_ids, token_type_ids (null where the family has none). */
export const inputsOf = ({dumps}) =>
    JSON.parse(readFileSync(join(dumps, 'inputs.json'), 'utf8')).inputs;

/** Folders of models and dumps that no row of models.json speaks of, and the other way round. */
export function strays() {
    const listed = kind =>
        new Set(models.map(row => (kind === 'dumps' ? row.dumps : null) ?? row.name));
    return ['models', 'dumps'].flatMap(kind => {
        const names = listed(kind),
            there = readdirSync(join(golden, kind));
        return [
            ...there.filter(name => !names.has(name)),
            ...[...names].filter(name => !there.includes(name)),
        ];
    });
}

/** 'layer.2.probs[1]' -> ['layer.2.probs', 1]; without a head -> [name, null] */
function parts(name) {
    const [, tensor, head] = /^(.*?)(?:\[(\d+)\])?$/.exec(name);
    return [tensor, head === undefined ? null : Number(head)];
}

/** What transformers calls by the task is one tensor here. */
const OURS = {generator_logits: 'mlm_logits'};

/** Largest |found - expected|, each tensor against its tolerance.
 * @returns {number} the largest part of a tolerance used */
export function compare(found, expected, {tolerance, missing = []}, label) {
    let worst = 0;
    for (const [full, {dtype, data}] of expected) {
        const [name, head] = parts(full);
        const ours = found.get(OURS[name] ?? name)?.data;
        if (name === 'position_ids' && !ours) continue;
        if (missing.includes(name)) {
            assert.ok(
                !ours,
                `${label}: ${name} is kept now: take it from "missing" in tests/golden/models.json`,
            );
            continue;
        }
        assert.ok(ours, `${label}: ${name} was not kept`);
        const mine =
            head === null ? ours : ours.subarray(head * data.length, (head + 1) * data.length);
        assert.equal(mine.length, data.length, `${label}: size of ${full}`);
        if (dtype === 'I64') assert.deepEqual(mine, data, `${label}: ${full}`);
        else
            worst = Math.max(
                worst,
                within(
                    mine,
                    data,
                    tolerance[name.split('.').at(-1)].tolerance,
                    `${label}: ${full}`,
                ),
            );
    }
    return worst;
}

function within(ours, data, limit, what) {
    let error = 0;
    data.forEach((value, i) => {
        error = Math.max(error, Math.abs(value - ours[i]));
    });
    assert.ok(error <= limit, `${what} is off by ${error}, at most ${limit} is allowed`);
    return error / limit;
}
