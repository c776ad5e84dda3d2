/* A clone of the command line alone, as docs/command-line.md has it: no models and no files of the page are fetched, what is
 * there builds the tool, and a model comes when it is asked for. From a folder of this machine, without a network.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-sparse-'));
after(() => rmSync(scratch, {recursive: true}));
const clone = join(scratch, 'headlight');
/** What a hub's server allows; and the checkout may be another user's. */
const config = join(scratch, 'config');
writeFileSync(
    config,
    '[uploadpack]\nallowFilter = true\nallowAnySHA1InWant = true\n[safe]\ndirectory = *\n',
);
const env = {...process.env, GIT_CONFIG_GLOBAL: config, GIT_TERMINAL_PROMPT: '0'};

/** The lines of the document from the clone on, which end before `make`. */
function documented() {
    const block = /^ {4}git clone --filter.*\n(?: {4}.*\n)*/m.exec(
        readFileSync(join(root, 'docs/command-line.md'), 'utf8'),
    );
    return block[0].split('\n').map(line => line.trim().replace(/ +#.*/, ''));
}
const sh = (line, cwd = clone) => execFileSync('bash', ['-c', line], {cwd, env, encoding: 'utf8'});
/** Objects that the clone has, by kind. */
const kinds = () =>
    sh('git cat-file --batch-all-objects --batch-check="%(objecttype) %(objectsize)" --unordered')
        .trim()
        .split('\n')
        .map(line => line.split(' '));
const megabytes = () =>
    kinds().reduce((sum, [kind, size]) => sum + (kind === 'blob' ? Number(size) : 0), 0) / 1e6;

const isCheckout = existsSync(join(root, '.git')) && !spawnSync('git', ['--version']).error;
const skip = isCheckout ? false : 'there is no git checkout to clone from';

test('the lines of the document fetch what builds the tool, and no model', {skip}, () => {
    const [cloning, narrowing, making, adding] = documented();
    assert.match(cloning, /^git clone --filter=blob:none --sparse https:\S+ && cd headlight$/);
    assert.equal(making, 'make native');
    mkdirSync(join(scratch, 'hub'));
    symlinkSync(root, join(scratch, 'hub/headlight'));
    sh(cloning.replace(/https:\S+/, `-q file://${scratch}/hub/headlight`), scratch);
    sh(narrowing);
    for (const file of ['src/headlight.h', 'build/setup.sh', 'Makefile', 'LICENSE'])
        assert.ok(existsSync(join(clone, file)), file);
    for (const folder of ['models', 'web', 'tests', 'corpora'])
        assert.ok(!existsSync(join(clone, folder)), folder);
    const small = megabytes();
    assert.ok(small > 1 && small < 6, `${small} MB of files were fetched`);

    // make knows a rule or a file for each thing that it needs, and the compiler finds each header
    sh(
        `mkdir -p build/out && cp -r "${root}build/out/utf8proc" "${root}build/out/unicode" build/out`,
    );
    const steps = sh('make -n build/out/native/headlight');
    const sources = [...new Set(steps.match(/\bsrc\/[\w/]+\.c\b/g))];
    assert.ok(sources.length > 150 && sources.includes('src/cli/main.c'), `${sources.length}`);
    const needs = sh(
        `cc -std=c11 -MM -Isrc -Ibuild/out/unicode ${sources.join(' ')} build/unicode_data.c build/unicode_rules.c -Ibuild/out/utf8proc`,
    );
    assert.match(needs, /src\/headlight\.h/);

    sh(adding);
    assert.ok(existsSync(join(clone, 'models/mini4-en/config.json')));
    assert.ok(!existsSync(join(clone, 'models/mini-en')));
    assert.ok(megabytes() > small + 5, 'the model came now');
});
