/* All cores of the machine on the command line: with any number of threads a pass has the same bits,
 * and a study that processes share has the same bytes, also when one of them is killed.
 */
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const model = join(root, 'models/mini-en');
const corpus = join(root, 'corpora/sentences.conllu');
const call = args => spawnSync(headlight, args, {encoding: 'utf8', maxBuffer: 1 << 28});

/** What a command prints, which says nothing else. */
function output(...args) {
    const {status, stdout, stderr} = call(args);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    return stdout;
}

test('a pass has the same bits with any number of threads', () => {
    const text = 'It was longer than what one thread would do alone. '.repeat(18);
    const dumpOf = threads => {
        const file = join(scratch, `${threads}.safetensors`);
        output('run', model, text, '--threads', threads, '--dump', file);
        return readFileSync(file);
    };
    const alone = dumpOf('1');
    for (const threads of ['2', '3', '9']) assert.ok(alone.equals(dumpOf(threads)), threads);
});

test('a study has the same bytes with any number of processes, a part of it too', () => {
    for (const args of [
        ['patterns', model, corpus],
        ['patterns', model, corpus, '--shard', '2/3'],
        ['claims', model, corpus, '--set', 'draws=5', '--set', 'limit=20'],
        ['labels', model, join(root, 'corpora/pairs.tsv'), '--set', 'limit=20'], // it has no parts
    ]) {
        const alone = output('study', ...args, '--threads', '1');
        for (const threads of ['2', '5'])
            assert.equal(output('study', ...args, '--threads', threads), alone, args.join(' '));
    }
});

test('a wrong number of threads is refused', () => {
    for (const threads of ['0', '-1', 'two', '2x', '257']) {
        const {status, stderr} = call(['bench', model, '--threads', threads]);
        assert.equal(status, 2);
        assert.match(stderr, /^--threads is a number from 1 to 256, not /);
    }
});

/** Kills the first process that `parent` has forked. @returns {boolean} whether there was one */
function killChild(parent) {
    for (const entry of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
        try {
            const stat = readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1].split(' ');
            if (Number(stat[1]) !== parent || stat[0] === 'Z') continue;
            process.kill(Number(entry), 'SIGKILL');
            return true;
        } catch {
            // it has ended meanwhile
        }
    }
    return false;
}

/** Runs a study and kills its helper as soon as there is one. */
async function studyWithoutHelper(file) {
    const args = ['study', 'patterns', model, file, '--threads', '2'];
    const child = spawn(headlight, args, {stdio: ['ignore', 'pipe', 'pipe']});
    const ended = new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('close', resolve);
    });
    const [out, said] = [[], []];
    child.stdout.on('data', bytes => out.push(bytes));
    child.stderr.on('data', bytes => said.push(bytes));
    let killed = false;
    while (!killed && child.exitCode === null) {
        killed = killChild(child.pid);
        await new Promise(setImmediate);
    }
    const status = await ended;
    return {status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(said).toString()};
}

test(
    'the steps of a process that is killed are run by the one that waits for it',
    {skip: process.platform === 'linux' ? false : 'processes are looked up in /proc'},
    async () => {
        const file = join(scratch, 'long.conllu');
        let text = readFileSync(corpus, 'utf8');
        for (let seen = false; !seen; text += text) {
            writeFileSync(file, text);
            const {status, stdout, stderr} = await studyWithoutHelper(file);
            assert.equal(status, 0);
            assert.equal(stdout, call(['study', 'patterns', model, file, '--threads', '1']).stdout);
            seen = /^note: a process that helped was ended \(signal 9\)/.test(stderr);
            assert.ok(seen || text.length < 1e8, 'the helper was always faster');
        }
    },
);
