/* convert_round - there and back: what `headlight convert` writes has every tensor that transformers wrote, under its name
 * and with its values, and computes the bits that the source does, in f32 and in q8; of every golden model, as it is, in
 * mixed types, in shards, with a decoder that config.json unties and with one that only the weights have.
 * tests/real/convert.py opens the same folders in transformers.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {isDeepStrictEqual} from 'node:util';
import {headlight, root} from './lib/model.mjs';
import {rawTensors, tensor, writeSafetensors} from './lib/safetensors.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));
const golden = join(root, 'tests/golden/models');
const IDS = ['--ids', '2 5 6 4 7', '--precision', 'fine'];

/** @typedef {import('./lib/safetensors.mjs').Raw} Raw */

/** Of all files of a folder. @param {string} from */
const tensorsOf = from =>
    readdirSync(from)
        .filter(name => name.endsWith('.safetensors'))
        .map(name => rawTensors(readFileSync(join(from, name))))
        .reduce((all, some) => ({...all, ...some}), {});

/** @param {number} half */
function fromHalf(half) {
    const [sign, exponent, part] = [half >> 15 ? -1 : 1, (half >> 10) & 31, half & 1023];
    return sign * (exponent ? 2 ** (exponent - 25) * (1024 + part) : 2 ** -24 * part);
}

/** How a value of each type is read. @type {Record<string, [number, (bytes: Buffer, at: number) => number]>} */
const READ = {
    F64: [8, (bytes, at) => bytes.readDoubleLE(at)],
    F32: [4, (bytes, at) => bytes.readFloatLE(at)],
    F16: [2, (bytes, at) => fromHalf(bytes.readUInt16LE(at))],
    BF16: [
        2,
        (bytes, at) => new Float32Array(Uint32Array.of(bytes.readUInt16LE(at) << 16).buffer)[0],
    ],
};

/** @param {Raw} raw */
function valuesOf({dtype, bytes}) {
    const [size, read] = READ[dtype];
    return Float64Array.from({length: bytes.length / size}, (_, i) => read(bytes, i * size));
}

/** The same values in several types: its own, float64, float32. @param {Record<string, Raw>} tensors */
const mixed = tensors =>
    Object.fromEntries(
        Object.entries(tensors).map(([name, raw], i) => {
            if (!READ[raw.dtype] || i % 3 === 0) return [name, raw];
            const values = valuesOf(raw);
            const bytes = i % 3 === 1 ? values.buffer : Float32Array.from(values).buffer;
            const dtype = i % 3 === 1 ? 'F64' : 'F32';
            return [name, {dtype, shape: raw.shape, bytes: Buffer.from(bytes)}];
        }),
    );

/** The decoder of a family, what its bias beside that of its head is called, and whose rows it has.
 * @type {Record<string, {decoder: string, bias?: string}>} */
const DECODERS = {
    'bert-sixteen-heads': {
        decoder: 'cls.predictions.decoder.weight',
        bias: 'cls.predictions.decoder.bias',
    },
    'distilbert-masked': {decoder: 'vocab_projector.weight'},
    'albert-groups': {decoder: 'predictions.decoder.weight', bias: 'predictions.decoder.bias'},
    'electra-generator': {decoder: 'generator_lm_head.weight'},
    'roberta-masked': {decoder: 'lm_head.decoder.weight', bias: 'lm_head.decoder.bias'},
    'camembert-masked': {decoder: 'lm_head.decoder.weight', bias: 'lm_head.decoder.bias'},
    'xlm-roberta-masked': {decoder: 'lm_head.decoder.weight', bias: 'lm_head.decoder.bias'},
    'mpnet-masked': {decoder: 'lm_head.decoder.weight', bias: 'lm_head.decoder.bias'},
    'modernbert-masked': {decoder: 'decoder.weight'},
    'gpt2-next': {decoder: 'lm_head.weight'},
    'qwen2-next': {decoder: 'lm_head.weight'},
    'qwen3-next': {decoder: 'lm_head.weight'},
    'llama-next': {decoder: 'lm_head.weight'},
};
const WORDS = /\b(word_embeddings|tok_embeddings|embed_tokens|wte)\.weight$/;

/** With a decoder of its own. @param {string} name @param {Record<string, Raw>} tensors */
function withDecoder(name, tensors) {
    const {decoder, bias} = DECODERS[name];
    const {shape} = tensors[Object.keys(tensors).find(key => WORDS.test(key)) ?? ''];
    const values = Array.from({length: shape[0] * shape[1]}, (_, i) => Math.sin(i) / 4);
    const more = {[decoder]: tensor(shape, values)};
    // of a bias transformers writes both names, too
    for (const one of bias ? [bias, bias.replace('.decoder', '')] : [])
        more[one] = tensor(
            [shape[0]],
            Array.from({length: shape[0]}, (_, k) => Math.cos(k)),
        );
    return {...tensors, ...more};
}

/** @param {string} name of a golden model @param {string} form @param {Record<string, unknown>} config that is other
 * @param {Record<string, Raw>} tensors @param {number} files */
function written(name, form, config, tensors, files) {
    const to = join(folder, `${name}-${form}`);
    mkdirSync(to, {recursive: true});
    const own = JSON.parse(readFileSync(join(golden, name, 'config.json'), 'utf8'));
    writeFileSync(join(to, 'config.json'), JSON.stringify({...own, ...config}));
    const keys = Object.keys(tensors);
    /** @type {Record<string, string>} */
    const map = {};
    for (let i = 0; i < files; i++) {
        const file = files > 1 ? `model-${i + 1}.safetensors` : 'model.safetensors';
        const mine = keys.filter((_, k) => k % files === i);
        for (const key of mine) map[key] = file;
        const part = Object.fromEntries(mine.map(key => [key, tensors[key]]));
        writeFileSync(join(to, file), writeSafetensors(part));
    }
    if (files > 1)
        writeFileSync(
            join(to, 'model.safetensors.index.json'),
            JSON.stringify({metadata: {}, weight_map: map}),
        );
    return to;
}

/** @param {string[]} words */
function run(...words) {
    const {status, stdout, stderr} = spawnSync(headlight, words, {encoding: 'utf8'});
    assert.equal(status, 0, `${words.join(' ')}: ${stderr}`);
    return stdout;
}

/** Every kept tensor and what is printed. @param {string} from @param {string} store */
function computed(from, store) {
    const dump = join(folder, 'dump.safetensors');
    const said = run('run', from, ...IDS, '--store', store, '--dump', dump);
    return {said, tensors: rawTensors(readFileSync(dump))};
}

/** The name that transformers has today: an encoder saved alone has none of its class before it, and once LayerNorm
 * had a gamma and a beta. @param {string} name @param {Record<string, Raw>} all */
const nameOf = (name, all) =>
    [name, `bert.${name}`]
        .map(one =>
            one
                .replace(/LayerNorm\.gamma$/, 'LayerNorm.weight')
                .replace(/LayerNorm\.beta$/, 'LayerNorm.bias'),
        )
        .find(one => one in all);

/** What is tied may stand there twice. @param {string} name @param {Record<string, Raw>} all */
const isCopy = (name, all) =>
    /\.decoder\./.test(name) &&
    Object.entries(all).some(
        ([other, raw]) =>
            other !== name &&
            READ[raw.dtype] &&
            String(raw.shape) === String(all[name].shape) &&
            isDeepStrictEqual(valuesOf(raw), valuesOf(all[name])),
    );

/** @param {string} source @param {string} said */
function thereAndBack(source, said) {
    const before = tensorsOf(source);
    for (const store of ['f32', 'q8']) {
        const to = `${source}-${store}`;
        run('convert', source, to, '--store', store);
        assert.deepEqual(computed(to, store), computed(source, store), `${said}, ${store}`);
        if (store === 'q8') continue;
        const after = tensorsOf(to);
        let found = 0;
        for (const [name, raw] of Object.entries(before)) {
            if (!READ[raw.dtype]) continue; // position_ids
            const now = nameOf(name, after);
            if (!now && isCopy(name, before)) continue;
            assert.ok(now, `${said}: ${name} is not written`);
            const {dtype, shape, bytes} = after[now];
            assert.deepEqual({dtype, shape}, {dtype: 'F32', shape: raw.shape}, `${said}: ${name}`);
            const wanted = Buffer.from(Float32Array.from(valuesOf(raw)).buffer);
            assert.ok(bytes.equals(wanted), `${said}: ${name} has other values`);
            found++;
        }
        assert.ok(found > 10, said);
        assert.equal(Object.keys(after).length, found, `${said}: nothing else is written`);
    }
}

const names = readdirSync(golden).filter(name => name !== 'bert-tiny-q8');

test('every golden model, as it is and in mixed types', () => {
    for (const name of names) {
        const tensors = tensorsOf(join(golden, name));
        thereAndBack(written(name, 'plain', {}, tensors, 1), name);
        const types = mixed(tensors);
        assert.ok(new Set(Object.values(types).map(({dtype}) => dtype)).size > 1);
        thereAndBack(written(name, 'mixed', {}, types, 3), `${name}, mixed, in shards`);
    }
});

for (const [form, config] of Object.entries({
    untied: {tie_word_embeddings: false},
    own: {tie_word_embeddings: true},
}))
    test(`decoders that are ${form === 'own' ? 'tied by config.json alone' : form}`, () => {
        for (const name of Object.keys(DECODERS)) {
            const tensors = withDecoder(name, tensorsOf(join(golden, name)));
            const said = `${name}, ${form}`;
            thereAndBack(written(name, form, config, tensors, 1), said);
            thereAndBack(written(name, `${form}-mixed`, config, mixed(tensors), 2), said);
            const kept = JSON.parse(
                readFileSync(join(folder, `${name}-${form}-f32`, 'config.json'), 'utf8'),
            );
            assert.equal(kept.tie_word_embeddings, false, said);
        }
    });
