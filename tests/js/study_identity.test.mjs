/* study_identity - an answer says what it is of, parts of anything else do not merge, a merge that
 * is not whole says what is missing, and an answer can be run again.
 */
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawnSync} from 'node:child_process';
import {after, test} from 'node:test';
import {headlight, openModel, root, run} from './lib/model.mjs';
import {onePart} from './lib/parts.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const shipped = join(root, 'models/mini-en'),
    corpus = join(root, 'corpora/pairs.tsv');
const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');

/** The shipped model with one change. */
function variant(name, file, change) {
    const folder = join(scratch, name);
    cpSync(shipped, folder, {recursive: true});
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file))));
    return folder;
}

/** One code of one weight matrix: biases, gains and scales stay. */
const changed = layer =>
    variant(`layer${layer}`, 'model.safetensors', bytes => {
        const size = Number(bytes.readBigUInt64LE(0)),
            head = JSON.parse(bytes.subarray(8, 8 + size).toString());
        const at =
            8 +
            size +
            head[`bert.encoder.layer.${layer}.attention.self.query.weight`].data_offsets[0] +
            77;
        bytes[at] = bytes[at] === 5 ? 6 : 5;
        return bytes;
    });

const part = (folder, index, of, ...more) =>
    onePart(scratch, index, of, 'patterns', folder, corpus, '--set', 'limit=10', ...more);

function refused(pattern, ...args) {
    const {status, stderr, stdout} = spawnSync(headlight, args, {encoding: 'utf8'});
    assert.equal(status, 1, `${args.join(' ')}: ${stdout.slice(0, 80)}`);
    assert.match(stderr, pattern);
    assert.equal(stdout, '');
}

test('parts of a model of which one weight differs are refused, in whatever layer it is', () => {
    const own = part(shipped, 1, 2);
    for (const layer of [0, 5])
        refused(
            /^state: .*this part is of another model \(SHA-256 /,
            'study',
            'merge',
            own,
            part(changed(layer), 2, 2),
        );
    assert.equal(JSON.parse(run('study', 'merge', own, part(shipped, 2, 2))).done, 10);
});

test('parts of a model that reads text otherwise, or in another store, are refused', () => {
    const cased = variant('cased', 'tokenizer_config.json', bytes =>
        JSON.stringify({...JSON.parse(bytes), do_lower_case: false}),
    );
    const own = part(shipped, 1, 2);
    refused(/another model/, 'study', 'merge', own, part(cased, 2, 2));
    refused(/another model/, 'study', 'merge', own, part(shipped, 2, 2, '--store', 'f32'));
});

test('parts that compare with another second model are refused', () => {
    const make = (index, other) =>
        onePart(scratch, index, 2, 'compare', shipped, corpus, '--set', 'limit=6', '--with', other);
    refused(
        /this part is of another second model/,
        'study',
        'merge',
        make(1, join(root, 'models/mini-en-sst2')),
        make(2, changed(3)),
    );
});

test('a merge that is not whole says which steps are missing, and needs --partial', () => {
    const parts = [1, 2, 4].map(index => part(shipped, index, 5));
    refused(
        /missing of its 10 steps: 5 to 6 9 to 10; add the parts that hold them, or give --partial/,
        'study',
        'merge',
        ...parts,
    );
    const {done, missing} = JSON.parse(run('study', 'merge', ...parts, '--partial'));
    assert.deepEqual(
        [done, missing],
        [
            6,
            [
                [4, 6],
                [8, 10],
            ],
        ],
    );
});

test('an answer says what it is of', () => {
    const {version} = JSON.parse(readFileSync(join(root, 'web/package.json')));
    assert.equal(run('--version'), `headlight ${version}\n`);
    const {identity, options, asked, missing} = JSON.parse(
        run('study', 'roles', shipped, corpus, '--set', 'limit=3', '--ask', 'tau=2'),
    );
    assert.match(identity.model.sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(
        {...identity, model: identity.model.name},
        {
            headlight: version,
            model: 'mini-en',
            other: null,
            corpus: {name: 'pairs.tsv', sha256: sha256(readFileSync(corpus))},
            store: 'q8',
            precision: 'fine',
        },
    );
    assert.deepEqual([options, asked, missing], [{limit: 3, study: 'roles'}, {tau: 2}, []]);
});

test('hashes are SHA-256, natively and in wasm, whatever the length', async () => {
    const {session} = await openModel(shipped, 'q8');
    for (const size of [1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 121, 128, 1000]) {
        const text = Buffer.from('abcdefg'.repeat(150).slice(0, size));
        session.loadText('corpus', text);
        session.studyBegin({study: 'about'});
        const {identity} = JSON.parse(session.studyAnswer());
        assert.equal(identity.corpus.sha256, sha256(text), `${size} bytes`);
        if (size === 1)
            assert.equal(
                identity.model.sha256,
                JSON.parse(run('study', 'about', shipped, corpus)).identity.model.sha256,
            );
    }
});

test('a study is the same bytes wherever model and corpus lie, whole and in parts; no path is told', () => {
    const [folder, file] = [
        join(scratch, 'elsewhere/mini-en'),
        join(scratch, 'elsewhere/pairs.tsv'),
    ];
    cpSync(shipped, folder, {recursive: true});
    cpSync(corpus, file);
    const args = ['--set', 'limit=10'];
    const answer = run('study', 'patterns', shipped, corpus, ...args);
    assert.equal(run('study', 'patterns', `${folder}/`, file, ...args), answer);
    const other = index => onePart(scratch, index, 2, 'patterns', folder, file, ...args);
    assert.equal(run('study', 'merge', part(shipped, 1, 2), other(2)), answer);
    const renamed = join(scratch, 'a-copy');
    cpSync(shipped, renamed, {recursive: true});
    const parts = [part(shipped, 1, 2), part(renamed, 2, 2)];
    assert.equal(run('study', 'merge', ...parts), run('study', 'merge', ...parts.reverse()));
    run('index', folder, file, '-o', join(scratch, 'i.index'));
    for (const text of [answer, readFileSync(join(scratch, 'i.index'), 'latin1')])
        assert.ok(!text.includes(scratch) && !text.includes(root));
});

const rerun = (...args) =>
    spawnSync(headlight, ['study', 'rerun', ...args], {encoding: 'utf8', cwd: root});

test('an answer can be run again, and says what differs', () => {
    const file = join(scratch, 'answer.json'),
        wrong = join(scratch, 'wrong.json'),
        page = join(scratch, 'page.json');
    run('study', 'roles', shipped, corpus, '--set', 'limit=12', '--ask', 'tau=1.5', '-o', file);
    const same = rerun(file);
    assert.match(same.stdout, /^all \d{3,} numbers are the same\n$/);
    assert.equal(same.status, 0);
    const text = readFileSync(file, 'utf8'),
        [, mean] = /"mean":\[([\d.]+)/.exec(text);
    writeFileSync(wrong, text.replace(`"mean":[${mean}`, '"mean":[123.5'));
    const other = rerun(wrong);
    assert.match(
        other.stdout,
        new RegExp(`/roles/0/mean/0: 123.5, now ${mean}\n1 value differs, of \\d+ numbers\n$`),
    );
    assert.equal(other.status, 1);
    const answer = JSON.parse(text);
    answer.identity.model.name = 'a model of the menu';
    writeFileSync(
        page,
        JSON.stringify({madeWith: 'Headlight', study: 'roles', answers: {roles: answer}}, null, 1),
    );
    const lost = rerun(page);
    assert.match(
        lost.stderr,
        /^text: the answer is of a model of the menu, which is not in this folder; give --model DIR\n$/,
    );
    const elsewhere = rerun(page, '--model', shipped);
    assert.match(elsewhere.stdout, /^roles: all \d+ numbers are the same\n$/);
    const tuned = rerun(page, '--model', join(root, 'models/mini-en-sst2'));
    assert.match(
        tuned.stderr,
        /note: the model differs: SHA-256 "[0-9a-f]{64}", now "[0-9a-f]{64}"/,
    );
    assert.equal(tuned.status, 1);
});

test('what cannot be run again is refused', () => {
    const parts = part(shipped, 1, 2),
        half = join(scratch, 'half.json');
    refused(/^text: this is not the answer of a study/, 'study', 'rerun', parts);
    run('study', 'merge', parts, '--partial', '-o', half);
    refused(/^text: this answer is incomplete/, 'study', 'rerun', half);
});
