/* command_line - answers of the command line to wrong or odd arguments and files: one line
 * "category: sentence", nothing taken in silence.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {writeRandomModel} from '../bench/random_model.mjs';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const shipped = join(root, 'models/mini-en');

const call = (args, input = '') => spawnSync(headlight, args, {input, encoding: 'utf8'});

/** It fails, with one line on stderr before the usage, if any. */
function refused(args, pattern, input) {
    const {status, stderr} = call(args, input);
    assert.notEqual(status, 0, `${args.join(' ')} was taken`);
    assert.match(stderr.split('\n')[0], pattern);
}

test('a vocabulary that was cut short is noted, also where only tokens are asked for', () => {
    const folder = join(scratch, 'short');
    cpSync(shipped, folder, {recursive: true});
    writeFileSync(
        join(folder, 'vocab.txt'),
        readFileSync(join(shipped, 'vocab.txt'), 'utf8').split('\n').slice(0, 3000).join('\n'),
    );
    for (const args of [
        ['run', folder, 'the cat'],
        ['info', folder],
        ['tokenize', folder],
    ]) {
        const {status, stderr} = call(args, 'the cat\n');
        assert.equal(status, 0);
        assert.match(
            stderr,
            /^note: the vocabulary has 3000 entries, but config\.json says vocab_size 8192: .*cut short/,
        );
    }
    assert.equal(call(['info', shipped]).stderr, '');
});

test('weights of int8 that come with rounded activations are noted, and no others', () => {
    const folder = join(scratch, 'w8a8');
    cpSync(join(root, 'tests/golden/models/bert-tiny-q8'), folder, {recursive: true});
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const [group] = Object.values(config.quantization_config.config_groups);
    const ids = ['--ids', '2 5 6 3', '--precision', 'fine'];
    const plain = call(['run', folder, ...ids]);
    assert.equal(plain.stderr.includes('rounded'), false);
    group.input_activations = {dynamic: true, num_bits: 8, strategy: 'token', type: 'int'};
    writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
    for (const args of [
        ['run', folder, ...ids],
        ['convert', folder, join(scratch, 'w8a8-again')],
    ]) {
        const {status, stdout, stderr} = call(args);
        assert.equal(status, 0, stderr);
        assert.match(
            stderr,
            /^note: config\.json asks for rounded activations \(input_activations\)/m,
        );
        if (args[0] === 'run') assert.equal(stdout, plain.stdout);
    }
    assert.doesNotMatch(call(['run', join(scratch, 'w8a8-again'), ...ids]).stderr, /rounded/);
});

/** Arguments with any bytes, which spawn of Node cannot give. @param {string} words of bash */
const inBash = (words, input = Buffer.alloc(0)) =>
    spawnSync('bash', ['-c', `"$0" ${words}`, headlight], {input, encoding: 'utf8'});

test('bytes that are no UTF-8 are noted once, with their place, whatever takes the text', () => {
    const latin = "$'the caf\\xe9 is red, caf\\xe9s too'";
    for (const words of [
        `run ${shipped} ${latin}`,
        `run ${shipped} 'the cat' ${latin}`,
        `run ${shipped} --lines <(printf 'the caf\\xe9 is\\n')`,
        `measure ${shipped} patterns ${latin}`,
        `why ${shipped} ${latin} --layer 0 --head 0 --query 1 --key 2`,
        `similarity ${join(root, 'models/all-minilm-l6-v2')} ${latin} a`,
        `next ${join(root, 'models/mini-gpt-en')} ${latin} --tokens 1`,
        `tokenize ${shipped} <<< ${latin}`,
        `tokenize ${shipped} --pair <<< $'the cat\\tthe caf\\xe9'`,
        `agree ${shipped} <<< ${latin}`,
    ]) {
        const {status, stderr} = inBash(words);
        assert.equal(status, 0, `${words}: ${stderr}`);
        const notes = stderr.split('\n').filter(line => line.includes('UTF-8'));
        assert.equal(notes.length, 1, `${words}: ${stderr}`);
        assert.match(
            notes[0],
            /^note: (line 1: )?the byte 0xE9 at 7 is not valid UTF-8 there, and/,
        );
    }
    const lines = Buffer.from('the cat\nthe \xff\nthe \xfe\n', 'latin1');
    for (const words of [`run ${shipped} --lines -`, `tokenize ${shipped}`])
        assert.match(inBash(words, lines).stderr, /^note: line 2: the byte 0xFF at 4 [^\n]+\n$/);
    assert.equal(call(['run', shipped, 'the caf\u00e9']).stderr, '');
});

test('tokenize needs no config.json', () => {
    const folder = join(scratch, 'vocabulary');
    mkdirSync(folder);
    cpSync(join(shipped, 'vocab.txt'), join(folder, 'vocab.txt'));
    cpSync(join(shipped, 'tokenizer_config.json'), join(folder, 'tokenizer_config.json'));
    const text = 'the cat sat.\n\nunbelievable\n',
        {status, stdout} = call(['tokenize', folder, '--offsets'], text);
    assert.equal(status, 0);
    assert.equal(stdout, call(['tokenize', shipped, '--offsets'], text).stdout);
    assert.match(stdout, /^\d+:0-0 \d+:0-3 /);
});

test('a tokenizer in a file of SentencePiece, by its class; a damaged one is refused', () => {
    const folder = join(scratch, 'sentencepiece');
    mkdirSync(folder);
    writeFileSync(join(folder, 'spiece.model'), 'x');
    const {status, stderr} = call(['tokenize', folder], 'the cat');
    assert.equal(status, 1);
    assert.match(stderr, /^vocab: the SentencePiece file is damaged, .*tokenizer.json beside it/);
    cpSync(join(root, 'tests/golden/sentencepiece/albert.model'), join(folder, 'spiece.model'));
    const unnamed = call(['tokenize', folder], 'the cat');
    assert.match(unnamed.stderr, /^vocab: no file names the tokenizer_class of the SentencePiece/);
    const config = {tokenizer_class: 'AlbertTokenizer'};
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
    const {texts, rows} = JSON.parse(
        readFileSync(join(root, 'tests/golden/sentencepiece/ids.json'), 'utf8'),
    );
    const at = texts.indexOf("don't");
    const read = call(['tokenize', folder], texts[at]);
    assert.equal(read.status, 0);
    assert.equal(read.stdout.trim(), rows[3].ids[at].join(' '));
});

test('text that begins with -- is given after a lone --', () => {
    const {status, stdout} = call(['run', shipped, '--store', 'f32', '--', '--really not', '--']);
    assert.equal(status, 0);
    assert.match(stdout, /^tokens \(9\): \[CLS\] - - really not \[SEP\] - - \[SEP\]/);
    refused(['run', shipped, '--really not'], /^unknown option --really not \(.*lone --\)/);
    refused(['run', shipped, 'a', 'b', '--', 'c'], /^usage/);
});

test('options and asks that a study does not know are refused with those that it does', () => {
    const corpus = join(root, 'corpora/pairs.tsv'),
        study = (name, ...more) => ['study', name, shipped, corpus, '--set', 'limit=2', ...more];
    refused(
        study('patterns', '--set', 'limitt=1'),
        /^state: the study patterns has no option limitt; there are: study limit draw seed format columns/,
    );
    refused(
        study('labels', '--set', 'epoch=1'),
        /^state: the study labels has no option epoch; there are: .*epochs/,
    );
    refused(
        study('roles', '--ask', 'taau=3'),
        /^state: the study roles has no ask taau; there are: part csv tau .*alpha/,
    );
    refused(
        study('patterns', '--ask', 'tau=3'),
        /^state: the study patterns has no ask tau; there are: part csv$/,
    );
    assert.equal(call(study('roles', '--ask', 'tau=3')).status, 0);
    refused(
        study('distances', '--with', 'random'),
        /^state: the study distances is of one model; leave the second one out/,
    );
    refused(study('about', '--with', 'random'), /^state: the study about is of one model/);
    refused(
        study('labels', '--set', 'draws=5', '--with', 'random'),
        /^state: draws=\.\.\. sets random layers beside the model, and --with another model/,
    );
});

test('a corpus that is called like a verdict is none', () => {
    const corpus = join(scratch, 'not compared with random layers');
    cpSync(join(root, 'corpora/texts.txt'), corpus);
    const ran = name => call(['study', name, shipped, corpus, '--set', 'limit=25']);
    assert.equal(ran('patterns').stderr, '');
    assert.match(ran('induction').stderr, /^note: not compared with random layers; --set/m);
});

test('a label probe has random weights beside it, or is said not to be compared', () => {
    const corpus = join(root, 'corpora/pairs.tsv');
    const label = (...more) =>
        call(['study', 'labels', shipped, corpus, '--set', 'epochs=5', ...more]);
    const [plain, beside, drawn] = [label(), label('--with', 'random'), label('--set', 'draws=5')];
    const answers = [plain, beside, drawn].map(({stdout}) => JSON.parse(stdout));
    for (const one of [plain, beside])
        assert.match(one.stderr, /note: not compared with random layers; --set draws=5/);
    assert.equal(drawn.stderr, '');
    assert.deepEqual(
        answers.map(({accuracy, compared}) => [accuracy, compared]),
        [false, true, false].map(compared => [answers[0].accuracy, compared]),
    );
    assert.ok(answers[1].baseline.accuracy > 0.4 && answers[1].baseline.accuracy < 1);
    assert.equal(answers[0].verdict, 'not compared with random layers');
    assert.match(answers[2].verdict, /^(not )?better than random layers$/);
    const saved = join(scratch, 'drawn.json');
    writeFileSync(saved, drawn.stdout);
    assert.match(call(['study', 'rerun', saved]).stdout, /numbers are the same/);
});

test('layers, heads and positions are counted from 0: what is taken of 1 is taken of 0, and nothing of -1', () => {
    const tiny = join(root, 'tests/golden/models/bert-tiny-random');
    const why = ['why', tiny, 'the cat'];
    for (const words of [
        at => ['run', tiny, 'the cat', '--layer', at],
        at => ['run', tiny, 'the cat', '--layer', '1', '--head', at],
        at => ['lens', tiny, 'the cat', '--at', at],
        at => ['decides', tiny, 'the cat', '--at', at],
        at => ['patch', tiny, 'the cat [MASK]', 'a cat [MASK]', '--tokens', `${at}:1`, '--at', '3'],
        at => ['patch', tiny, 'the cat [MASK]', 'a cat [MASK]', '--tokens', `1:${at}`, '--at', '3'],
        at => ['patch', tiny, 'the cat [MASK]', 'a cat [MASK]', '--at', at],
        at => ['measure', tiny, 'zeroed', 'the cat', '--set', `layer=${at}`, '--set', 'key=1'],
        at => ['measure', tiny, 'zeroed', 'the cat', '--set', 'layer=1', '--set', `key=${at}`],
        at => [...why, ...['--layer', at, '--head', '1', '--query', '1', '--key', '1']],
        at => [...why, ...['--layer', '1', '--head', at, '--query', '1', '--key', '1']],
        at => [...why, ...['--layer', '1', '--head', '1', '--query', at, '--key', '1']],
        at => [...why, ...['--layer', '1', '--head', '1', '--query', '1', '--key', at]],
    ]) {
        const [none, first, second] = ['-1', '0', '1'].map(at => call(words(at)));
        const said = words('0').join(' ');
        assert.deepEqual([first.status, second.status], [0, 0], `${said}: ${first.stderr}`);
        assert.notEqual(none.status, 0, said);
        assert.notEqual(first.stdout, second.stdout, `${said}: as of 1`);
    }
});

test('files and ids that are none', () => {
    const junk = join(scratch, 'junk'),
        folder = join(scratch, 'odd');
    writeFileSync(junk, 'junk');
    mkdirSync(join(folder, 'config.json'), {recursive: true});
    refused(['study', 'merge', junk], /^text: .*junk: the part of a study is not valid JSON/);
    refused(
        ['run', folder, 'a'],
        /^config: .*config\.json cannot be read \(it is a folder, or not a file\); expected a Hugging Face folder/,
    );
    refused(
        ['run', shipped, '--ids', '2 99999999999 3'],
        /^text: there is no id 99999999999; ids must be/,
    );
    refused(
        ['run', shipped, '--ids', '2 8192 3'],
        /^text: id 8192 at position 1 is outside the vocabulary/,
    );
    refused(['run', shipped, '--ids', '2 x'], /^text: ids must be numbers/);
});

test('a flipped bit in a scale is said, with its layer, instead of uniform attention', () => {
    const folder = join(scratch, 'flipped');
    cpSync(shipped, folder, {recursive: true});
    const file = join(folder, 'model.safetensors'),
        bytes = readFileSync(file),
        size = Number(bytes.readBigUInt64LE(0));
    const head = JSON.parse(bytes.subarray(8, 8 + size).toString());
    const at =
        8 + size + head['bert.encoder.layer.2.attention.output.dense.weight_scale'].data_offsets[0];
    bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ (1 << 30)) >>> 0, at);
    writeFileSync(file, bytes);
    for (const more of [[], ['--precision', 'fine'], ['--store', 'f32']])
        refused(
            ['run', folder, 'the cat sat on the mat.', ...more],
            /^weights: the numbers overflow in layer 2; the checkpoint is damaged/,
        );
});

test('scales of int8 rows that are 0 or below are noted, how many and where the first is', () => {
    const folder = join(scratch, 'below');
    cpSync(shipped, folder, {recursive: true});
    const file = join(folder, 'model.safetensors'),
        bytes = readFileSync(file),
        size = Number(bytes.readBigUInt64LE(0));
    const head = JSON.parse(bytes.subarray(8, 8 + size).toString());
    const name = 'bert.encoder.layer.2.attention.self.query.weight_scale';
    const at = 8 + size + head[name].data_offsets[0];
    bytes.writeFloatLE(-bytes.readFloatLE(at), at);
    bytes.writeFloatLE(0, at + 4);
    writeFileSync(file, bytes);
    for (const store of ['q8', 'f32']) {
        const {status, stderr} = call(['run', folder, 'the cat.', '--store', store]);
        assert.equal(status, 0);
        assert.match(
            stderr,
            /^note: 2 scales of int8 weights are 0 or below, the first in \S*layer\.2\.attention\.self\.query\.weight_scale/m,
        );
    }
    assert.equal(call(['run', shipped, 'the cat.']).stderr, '');
});

test('ids need no tokenizer: one that cannot be read is left out, with a note', () => {
    const folder = join(scratch, 'unread');
    cpSync(join(root, 'tests/golden/models/gpt2-next'), folder, {recursive: true});
    writeFileSync(join(folder, 'tokenizer.json'), '{"model": {"type": "Letters"}}');
    const {status, stdout, stderr} = spawnSync(headlight, ['run', folder, '--ids', '5 6 7'], {
        encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^tokens \(3\):/);
    assert.match(
        stderr,
        /only WordPiece.* are supported\nnote: the tokenizer is left out, since ids need none\n/,
    );
});

test('a text without a token that may be an answer is run all the same', () => {
    const answers = join(root, 'tests/golden/models/bert-answers'),
        dump = join(scratch, 'answers.safetensors');
    const {status, stdout, stderr} = call(['run', answers, '--ids', '2 3', '--dump', dump]);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /answer: none, no token of this text can be part of one/);
    assert.ok(readFileSync(dump).length > 1000);
});

test('--help says how a command is called, and all is well; an unknown command is named', () => {
    for (const command of ['run', 'study', 'fetch', 'info']) {
        const {status, stdout, stderr} = call([command, '--help']);
        assert.equal(status, 0);
        assert.ok(stdout.startsWith(`usage: headlight ${command} `), stdout);
        assert.equal(stderr, '');
    }
    for (const asked of ['--help', 'help']) {
        const {status, stdout} = call([asked]);
        assert.equal(status, 0);
        assert.match(stdout, /^usage: headlight COMMAND[^]*\ntokenize DIR/);
    }
    const text = call(['run', shipped, '--', '--help']);
    assert.equal(text.status, 0);
    assert.match(text.stdout, /help/, 'after a lone -- it is text');
    assert.doesNotMatch(text.stdout, /usage/);
    refused(['rum', shipped], /^there is no command 'rum'$/);
    refused(['figure', shipped, 'a'], /node build\/out\/npm\/figure\.js figure DIR TEXT/);
});

test('--layer and --head keep the maps of these alone, with the same numbers; over 4 GB none are kept unasked', () => {
    const told = (...more) => {
        const {status, stdout, stderr} = call(['run', shipped, 'The cat sat.', '--json', ...more]);
        assert.equal(status, 0, stderr);
        return JSON.parse(stdout);
    };
    const all = told();
    const {layer, concentrated, tokens} = told('--layer', '2');
    assert.deepEqual([layer, concentrated, tokens], [2, [all.concentrated[2]], all.tokens]);
    const [first] = concentrated[0];
    assert.deepEqual(told('--layer', '2', '--head', `${first.head}`).concentrated, [[first]]);
    refused(['run', shipped, 'a', '--layer', '6'], /^state: there is no attention\.6 to keep/);
    refused(['run', shipped, 'a', '--head', '1'], /^--head goes with --layer/);
    const long = join(scratch, 'long');
    const shape = {layers: 24, heads: 16, hidden: 32, inner: 32, vocab: 100, positions: 1650};
    writeRandomModel(long, shape);
    const ids = ['run', long, '--ids', '5 '.repeat(1650)];
    const without = call(ids);
    assert.equal(without.status, 0, without.stderr);
    assert.match(
        without.stderr,
        /^note: the maps of all layers are 4182 MB and were not kept; --layer L/,
    );
    assert.doesNotMatch(without.stdout, /concentrated/);
    assert.match(call([...ids, '--layer', '23', '--head', '15']).stdout, /layer 23: {2}head 15 /);
});
