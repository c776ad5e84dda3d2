/* why - one link split over what wrote its stream (measure/why.c): the sides sum to the contrast on all
 * golden models; of BERT and GPT-2, every row is what components give that are carried forward in
 * float64, from the pass's own tensors; three links of shipped models.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {goldenCases, inputsOf} from './lib/golden.mjs';
import {openModel, root, run} from './lib/model.mjs';
import {readSafetensors} from './lib/safetensors.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const TOKENS = 14;
const [WORD, POSITION, SEGMENT, BIASES, , ROUNDING, SCORE, CONTRAST, MEAN_QUERY] = Array(9).keys();
const sum = list => list.reduce((all, x) => all + x, 0);
const cut = (list, from, count) => Array.from(list).slice(from, from + count);

/** Both sides of a link. */
function whyOf({pass, model}, link) {
    const {layers: L, heads: H} = model;
    const read = name => pass.measure(name, link);
    const [rows, mlps, heads, sources] = ['why', 'why_mlps', 'why_heads', 'why_sources'].map(read);
    const T = sources.length / (2 * L * H);
    return [0, 1].map(side => ({
        rows: cut(rows, side * 10, 10),
        mlps: cut(mlps, side * L, L),
        heads: cut(heads, side * L * H, L * H),
        sources: cut(sources, side * L * H * T, L * H * T),
    }));
}

const termsOf = ({rows, mlps, heads}) => [...rows.slice(0, ROUNDING), ...mlps, ...heads];

async function ran(folder, store, {input_ids: ids, token_type_ids: types}) {
    const opened = await openModel(folder, store);
    opened.session.useIds(ids.slice(0, TOKENS), types?.slice(0, TOKENS) ?? null);
    opened.run('fine');
    return opened;
}

/** Halves of a part of a head turned by an angle for each pair (Su et al. 2021, in halves). */
const turned = (head, half, angleOf) =>
    head.map((x, n) => {
        if (n >= 2 * half) return x;
        const [angle, size = 1] = angleOf(n % half);
        const other = n < half ? -head[n + half] : head[n - half];
        return size * (x * Math.cos(angle) + other * Math.sin(angle));
    });

/** By what a row was turned, from both; for scaled rotations, whose angles the golden data have tested. */
const turnOf = (before, after, half) => n => {
    const [x, y, u, v] = [before[n], before[n + half], after[n], after[n + half]];
    return [Math.atan2(x * v - y * u, x * u + y * v), Math.hypot(u, v) / Math.hypot(x, y)];
};

/** The score of a link, and the contrast that the mean query of the text has at the place of the query. */
function scoresOf({pass, model}, [layer, head, query, key]) {
    const {heads: H, key_heads: K, head_width: d, block, per_layer: rows} = model;
    const T = pass.tensor('q', layer).data.length / (H * d);
    const of = (name, h, t) => {
        const at = (h * T + t) * d;
        return Array.from(pass.tensor(name, layer).data.subarray(at, at + d));
    };
    const [{theta}, half] = [rows[layer], block.rotary / 2];
    const plain = block.rotary ? 'q_unrotated' : 'q';
    const asked = Array.from({length: T}, (_, t) => of(plain, head, t));
    const scaled = block.scaling !== 'none' && turnOf(asked[query], of('q', head, query), half);
    const angleOf = scaled || (n => [query / theta ** (n / half)]);
    const placed = vector => (half ? turned(vector, half, angleOf) : vector);
    of('q', head, query).forEach((x, n) => assert.ok(Math.abs(x - placed(asked[query])[n]) < 1e-4));
    const dot = (x, y) => sum(x.map((one, n) => one * y[n])) / Math.sqrt(d);
    const a = pass.tensor('attention', layer).data;
    const seen = [...Array(T).keys()].filter(j => a[(head * T + query) * T + j] > 0);
    const mean = placed(asked[0].map((_, n) => sum(asked.map(one => one[n])) / T));
    const scoreOf = (vector, j) => dot(vector, of('k', Math.floor((head * K) / H), j));
    const scores = pass.tensor('scores', layer).data.subarray((head * T + query) * T);
    // with what stands beside q · k, of the query's place (MPNet's relative positions)
    const own = of('q', head, query);
    const alone = j => scoreOf(mean, j) + scores[j] - scoreOf(own, j);
    return {score: scores[key], alone: alone(key) - sum(seen.map(alone)) / seen.length};
}

const seenBy = (a, row, T) => Array.from(a.subarray(row * T, (row + 1) * T)).filter(x => x > 0);

const cases = goldenCases(scratch).filter(({runs, absent}) => runs && !absent);
for (const golden of new Map(cases.map(one => [one.name, one])).values())
    test(`${golden.name}: what wrote a link sums to its contrast`, async context => {
        let most = 0;
        for (const store of ['f32', 'q8']) {
            const opened = await ran(golden.folder, store, inputsOf(golden)[0]);
            const {layers: L, heads: H} = opened.model;
            const T = opened.session.tokens().length;
            for (let n = 0; n < L * H; n++) {
                const [layer, head] = [Math.floor(n / H), n % H];
                const [query, key] = [T - 1 - (n % 2), T - 1 - (n % 3)].sort((x, y) => y - x);
                const a = opened.pass.tensor('attention', layer).data;
                if (!(a[(head * T + query) * T + key] > 0)) continue;
                const row = seenBy(a, head * T + query, T).map(Math.log);
                const [ofKey, ofQuery] = whyOf(opened, [layer, head, query, key]);
                const contrast = Math.log(a[(head * T + query) * T + key]) - sum(row) / row.length;
                const {score, alone} = scoresOf(opened, [layer, head, query, key]);
                for (const {rows} of [ofKey, ofQuery])
                    for (const [at, value] of [
                        [SCORE, score],
                        [MEAN_QUERY, alone],
                    ])
                        assert.ok(
                            Math.abs(rows[at] - value) <= 1e-4 * (1 + Math.abs(value)),
                            `${at}: ${rows[at]}, not ${value}`,
                        );
                for (const side of [ofKey, ofQuery]) {
                    const terms = termsOf(side);
                    const size = sum(terms.map(Math.abs));
                    const [rounding, found] = [side.rows[ROUNDING], side.rows[CONTRAST]];
                    assert.ok(Math.abs(sum(terms) + rounding - found) <= 1e-5 * size);
                    assert.ok(
                        Math.abs(found - contrast) <= 1e-3 + 1e-4 * size,
                        `${found} ${contrast}`,
                    );
                    if (store === 'f32') {
                        assert.ok(Math.abs(rounding) <= 1e-4 * size, `${rounding} of ${size}`);
                        most = Math.max(most, Math.abs(rounding) / size);
                    }
                    side.heads.forEach((head, i) => {
                        const brought = sum(side.sources.slice(i * T, (i + 1) * T));
                        assert.ok(Math.abs(brought - head) <= 1e-5 * size);
                    });
                    assert.deepEqual([...new Set(side.mlps.slice(layer))], [0]);
                }
            }
        }
        context.diagnostic(`largest rounding in f32: ${most.toExponential(1)} of the sizes`);
    });

/** Names of weights, and how a matrix lies in the file. */
const NAMED = {
    'bert-tiny-random': (get, layer) => {
        const at = name => `bert.encoder.layer.${layer}.${name}`;
        const linear = name => ({
            w: get(at(`${name}.weight`)),
            b: get(at(`${name}.bias`)),
            turned: false,
        });
        const norm = name => ({gain: get(`${name}.weight`), bias: get(`${name}.bias`)});
        return {
            query: linear('attention.self.query'),
            key: linear('attention.self.key'),
            output: linear('attention.output.dense'),
            outer: linear('output.dense'),
            attentionNorm: norm(at('attention.output.LayerNorm')),
            mlpNorm: norm(at('output.LayerNorm')),
            embeddingNorm: norm('bert.embeddings.LayerNorm'),
        };
    },
    'gpt2-next': (get, layer) => {
        const at = name => `transformer.h.${layer}.${name}`;
        const D = get(at('ln_1.weight')).length;
        const conv = (name, from, width) => ({
            w: get(at(`${name}.weight`)),
            b: get(at(`${name}.bias`)).subarray(from),
            turned: true,
            from,
            width,
        });
        return {
            query: conv('attn.c_attn', 0, 3 * D),
            key: conv('attn.c_attn', D, 3 * D),
            output: conv('attn.c_proj', 0, D),
            outer: conv('mlp.c_proj', 0, D),
            attentionNorm: {gain: get(at('ln_1.weight')), bias: get(at('ln_1.bias'))},
        };
    },
};

/** Number of out neuron r and in neuron c. */
const entry = ({w, turned, from = 0, width}, r, c, D) =>
    turned ? w[c * width + from + r] : w[r * D + c];

/** Components of the rows [T, D] of a stream, carried through a norm whose sigma is held. */
function normed(parts, {gain, bias}, sigma, D) {
    for (const [name, rows] of parts) {
        const out = rows.map((x, i) => {
            const row = rows.subarray(i - (i % D), i - (i % D) + D);
            return (gain[i % D] * (x - sum(row) / D)) / sigma[Math.floor(i / D)];
        });
        parts.set(name, name === 'biases' ? out.map((x, i) => x + bias[i % D]) : out);
    }
}

function plus(parts, name, rows) {
    const there = parts.get(name);
    parts.set(name, there ? there.map((x, i) => x + rows[i]) : Float64Array.from(rows));
}

/** The stream that a layer's maps take, as components. */
function componentsOf({pass, model}, named, layer) {
    const {hidden: D, heads: H, head_width: d} = model;
    const read = (name, l = 0) => Float64Array.from(pass.tensor(name, l).data);
    const first = model.block.norm_first;
    const parts = new Map();
    for (const name of ['word', 'position', 'type'])
        if (model.tensors.some(one => one.name === `${name}_embeddings`))
            plus(parts, name, read(`${name}_embeddings`));
    const T = parts.get('word').length / D;
    const all = value => Float64Array.from({length: T * D}, (_, i) => value[i % D]);
    plus(parts, 'biases', new Float64Array(T * D));
    if (!first) {
        const total = Float64Array.from({length: T * D}, (_, i) =>
            sum([...parts.values()].map(x => x[i])),
        );
        const sigma = Array.from({length: T}, (_, t) => {
            const row = total.subarray(t * D, (t + 1) * D);
            return Math.sqrt(sum(row.map(x => (x - sum(row) / D) ** 2)) / D + 1e-12);
        });
        normed(parts, named(0).embeddingNorm, sigma, D);
    }
    for (let l = 0; l < layer; l++) {
        const {output, outer, attentionNorm, mlpNorm} = named(l);
        const z = read('context', l);
        for (let h = 0; h < H; h++) {
            const rows = Float64Array.from({length: T * D}, (_, i) => {
                let made = 0;
                for (let n = h * d; n < (h + 1) * d; n++)
                    made += z[Math.floor(i / D) * H * d + n] * entry(output, i % D, n, H * d);
                return made;
            });
            plus(parts, `head ${l} ${h}`, rows);
        }
        plus(parts, 'biases', all(output.b));
        if (!first) normed(parts, attentionNorm, read('attention_sigma', l), D);
        const bias = all(outer.b);
        plus(parts, 'biases', bias);
        plus(
            parts,
            `mlp ${l}`,
            read('mlp_out', l).map((x, i) => x - bias[i]),
        );
        if (!first) normed(parts, mlpNorm, read('mlp_sigma', l), D);
    }
    if (first) normed(parts, named(layer).attentionNorm, read('attention_sigma', layer), D);
    return parts;
}

/** Both sides of a link from components: name -> number. */
function referenceOf(opened, named, [layer, head, query, key]) {
    const {pass, model} = opened;
    const {hidden: D, head_width: d, heads: H} = model;
    const parts = componentsOf(opened, named, layer);
    const maps = named(layer);
    const T = parts.get('word').length / D;
    const tensor = name => pass.tensor(name, layer).data.subarray(head * T * d, (head + 1) * T * d);
    const [q, k] = [tensor('q'), tensor('k')];
    const a = pass.tensor('attention', layer).data;
    const seen = [...Array(T).keys()].filter(j => a[(head * T + query) * T + j] > 0);
    const project = (map, rows, t, n, bias) => {
        let made = bias ? map.b[head * d + n] : 0;
        for (let c = 0; c < D; c++) made += rows[t * D + c] * entry(map, head * d + n, c, D);
        return made;
    };
    const mean = of => sum(seen.map(of)) / seen.length;
    assert.equal(H * d, D);
    return ['key', 'query'].map(side => {
        const found = new Map();
        for (const [name, rows] of parts) {
            let total = 0;
            for (let n = 0; n < d; n++) {
                const ofKey = j => project(maps.key, rows, j, n, name === 'biases');
                total +=
                    side === 'key'
                        ? q[query * d + n] * (ofKey(key) - mean(ofKey))
                        : project(maps.query, rows, query, n, name === 'biases') *
                          (k[key * d + n] - mean(j => k[j * d + n]));
            }
            found.set(name, total / Math.sqrt(d));
        }
        return found;
    });
}

for (const [name, names] of Object.entries(NAMED))
    test(`${name}: each row is that of components carried forward`, async () => {
        const golden = cases.find(one => one.name === name);
        const opened = await ran(golden.folder, 'f32', inputsOf(golden)[0]);
        const weights = readSafetensors(join(golden.folder, 'model.safetensors'));
        const named = layer => names(key => weights.get(key).data, layer);
        const {layers: L, heads: H} = opened.model;
        for (let layer = 0; layer < L; layer++) {
            const link = [layer, layer % H, 6, 3];
            const found = whyOf(opened, link);
            referenceOf(opened, named, link).forEach((reference, side) => {
                const {rows, mlps, heads} = found[side];
                const most = Math.max(...[...reference.values()].map(Math.abs));
                for (const [part, value] of reference) {
                    const [kind, l, h] = part.split(' ');
                    const at = {word: WORD, position: POSITION, type: SEGMENT, biases: BIASES}[
                        kind
                    ];
                    const ours =
                        kind === 'head'
                            ? heads[l * H + Number(h)]
                            : kind === 'mlp'
                              ? mlps[l]
                              : rows[at];
                    assert.ok(
                        Math.abs(ours - value) <= 1e-5 * most,
                        `${part} of L${layer}: ${ours}, not ${value}`,
                    );
                }
            });
        }
    });

const FOOD = 'The cat was sad because it could not find food.';
/** Of the float64 study that proposed this: the link, and numbers of its two sides. */
const LINKS = [
    {
        model: 'mini-gpt-en',
        text: 'The teacher read the book, and then the teacher read the',
        link: [5, 4, 12, 5],
        rows: {[SCORE]: 11.017, [CONTRAST]: 4.631, [MEAN_QUERY]: 0.96},
        heads: [2.91, 1.07],
        mlps: [[0, 1.98, 3.42]],
        brought: [
            [0, 4, 2.81],
            [0, 3, 0.56],
            [0, 9, -0.82],
        ],
    },
    {
        model: 'mini2-en',
        text: FOOD,
        link: [3, 1, 6, 2],
        rows: {
            [SCORE]: 4.212,
            [CONTRAST]: 3.529,
            [MEAN_QUERY]: 1.085,
            [WORD]: 1.57,
            [POSITION]: 0.71,
        },
        heads: [1.3, 0.97],
        mlps: [
            [1, 0.85, 0.01],
            [2, -0.6, 0.9],
        ],
        brought: [],
    },
    {
        model: 'mini2-en',
        text: FOOD,
        link: [4, 2, 4, 0],
        rows: {[CONTRAST]: 3.57, [MEAN_QUERY]: 3.96, [SEGMENT]: 0.54},
        heads: [-0.13, 1.35],
        mlps: [
            [3, 2.11, -0.11],
            [2, 0.91, -0.68],
        ],
        brought: [],
    },
];
for (const {model, text, link, rows, heads, mlps, brought} of LINKS)
    test(`${model} L${link[0]}·H${link[1]}: the link of the notes`, async () => {
        const opened = await openModel(join(root, 'models', model), 'f32');
        opened.session.tokenize(text, null);
        opened.run('fine');
        const sides = whyOf(opened, link);
        const near = (ours, theirs) =>
            assert.ok(Math.abs(ours - theirs) <= 0.01, `${ours} ${theirs}`);
        for (const [at, value] of Object.entries(rows)) near(sides[0].rows[at], value);
        heads.forEach((value, side) => near(sum(sides[side].heads), value));
        for (const [layer, ofKey, ofQuery] of mlps) {
            near(sides[0].mlps[layer], ofKey);
            near(sides[1].mlps[layer], ofQuery);
        }
        const T = opened.session.tokens().length;
        for (const [side, token, value] of brought)
            near(sum(sides[side].sources.filter((_, i) => i % T === token)), value);
    });

test('the command: all parts, and the exact weight without each head', async () => {
    const folder = join(root, 'models/mini2-en');
    const [layer, head, query, key] = [3, 1, 6, 2];
    const places = ['--layer', layer, '--head', head, '--query', query, '--key', key].map(String);
    const why = (...more) => run('why', folder, FOOD, ...places, '--store', 'f32', ...more);
    const found = JSON.parse(why());
    assert.deepEqual([found.query_token, found.key_token], ['it', 'cat']);
    const {parts, contrast} = found;
    const near = (ours, theirs, most = 1e-4) =>
        assert.ok(Math.abs(ours - theirs) <= most, `${ours}, not ${theirs}`);
    near(found.weight, 0.479, 0.01);
    near(contrast, 3.529, 0.01);
    near(found.times, Math.exp(contrast), 1e-3);
    for (const side of ['key', 'query']) {
        const all = parts.filter(({part}) => part !== 'brought');
        near(sum(all.map(one => one[side])), contrast);
        const heads = parts.filter(({part}) => part === 'head').map(one => one[side]);
        near(sum(parts.filter(({part}) => part === 'brought').map(one => one[side])), sum(heads));
    }
    const opened = await openModel(folder, 'f32');
    opened.session.tokenize(FOOD, null);
    const H = opened.model.heads;
    const off = parts.filter(({weight_off: weight}) => weight !== undefined);
    assert.equal(off.length, layer * H, 'every head of earlier layers');
    for (const one of off.filter((_, i) => i % 5 === 0)) {
        opened.session.change([['head', one.layer, one.head]]);
        const a = opened.run('fine').tensor('attention', layer).data;
        const T = opened.session.tokens().length;
        near(one.weight_off, a[(head * T + query) * T + key], 1e-5);
    }
    const strongest = off.find(one => one.layer === 2 && one.head === 3);
    near(strongest.weight_off, 0.4, 0.01); // insight-notes, example 2
    const [names, ...rows] = why('--csv').trimEnd().split('\n');
    assert.equal(names, 'part,layer,head,position,token,key,query,weight_off');
    assert.equal(rows.length, parts.length);
    const gpt = join(root, 'models/mini-gpt-en');
    const ahead = ['--layer', '1', '--head', '0', '--query', '1', '--key', '3'];
    assert.throws(() => run('why', gpt, FOOD, ...ahead), /token 1 cannot see token 3/);
    assert.throws(() => run('why', folder, FOOD, '--layer', '9', ...places.slice(2)), /no layer 9/);
    assert.throws(() => why('--precision', 'fast'), /^Error: .*\n?state: the precision is fast; /);
    const own = run('why', folder, FOOD, ...places);
    assert.equal(own, run('why', folder, FOOD, ...places, '--precision', 'fine'));
});

test('refused: what the mask hides, tokens that are not there, imported attention; one token', async () => {
    const {session, pass} = await ran(join(root, 'tests/golden/models/gpt2-next'), 'f32', {
        input_ids: [5, 6, 7, 8],
    });
    assert.throws(
        () => pass.measure('why', [0, 0, 1, 3]),
        /^Error: state: token 1 cannot see token 3/,
    );
    assert.throws(() => pass.measure('why', [0, 0, 1, 9]), /there is no token 9; the text has 4/);
    assert.ok(pass.measure('why', [0, 0, 0, 0])[CONTRAST] === 0);
    pass.release();
    session.useIds([5], null);
    const one = session.run({precision: 'fine', keep: ['*'], over: null});
    assert.deepEqual([...one.measure('why_heads', [1, 0, 0, 0])].slice(0, 2), [0, 0]);
    one.release();
    const attention = new Float32Array(8).fill(0.5);
    const imported = session.adopt({sizes: [1, 2, 2], attention, columns: new Int32Array(6)});
    assert.throws(() => imported.measure('why', [0, 0, 0, 1]), /without values, which why needs/);
});

test('a key is refused just where the mask of the layer hides it', async () => {
    const sees = {
        all: () => true,
        causal: (query, key) => key <= query,
        window: (query, key, window) => Math.abs(query - key) <= window,
        causal_window: (query, key, window) => key <= query && query - key < window,
    };
    const met = new Set();
    for (const name of ['gpt2-next', 'mistral-next', 'modernbert-masked', 'bert-tiny-random']) {
        const {pass, model} = await ran(join(root, 'tests/golden/models', name), 'f32', {
            input_ids: [5, 6, 7, 8, 9, 5, 6, 7],
        });
        for (const [layer, {mask, window}] of model.per_layer.entries())
            for (let i = 0; i < 64; i++) {
                const [query, key] = [Math.floor(i / 8), i % 8];
                const ask = () => pass.measure('why', [layer, 1, query, key]);
                const where = `${name} L${layer}, ${query} to ${key}`;
                met.add(`${mask} ${sees[mask](query, key, window)}`);
                if (sees[mask](query, key, window)) assert.doesNotThrow(ask, where);
                else
                    assert.throws(
                        ask,
                        {
                            message: `state: token ${query} cannot see token ${key} in layer ${layer}, so nothing draws it there`,
                        },
                        where,
                    );
            }
        assert.throws(() => pass.measure('why', [0, 0, 8, 0]), /there is no token 8; the text/);
        assert.throws(() => pass.measure('why', [0, 0, 7, 8]), /there is no token 8; the text/);
        pass.release();
    }
    assert.deepEqual([...met].sort(), [
        ...['all true', 'causal false', 'causal true', 'causal_window false', 'causal_window true'],
        ...['window false', 'window true'],
    ]);
});

test('a head that is off, and a neuron: their parts are gone from the sum', async () => {
    const {session} = await openModel(join(root, 'models/mini2-en'), 'f32');
    const run = changes => {
        session.tokenize(FOOD, null);
        session.change(changes);
        const pass = session.run({precision: 'fine', keep: ['*'], over: null});
        const [rows, heads] = ['why', 'why_heads'].map(name => pass.measure(name, [3, 1, 6, 2]));
        const weight = pass.tensor('attention', 3).data[(13 + 6) * 13 + 2];
        pass.release();
        return {rows, heads, weight};
    };
    const off = run([['head', 2, 3]]);
    assert.equal(off.heads[2 * 12 + 3], 0);
    assert.ok(Math.abs(off.rows[CONTRAST] - 2.4) < 0.01 && Math.abs(off.weight - 0.4) < 0.01);
    assert.ok(Math.abs(off.rows[ROUNDING]) < 1e-4);
    assert.ok(Math.abs(run([['neuron', 3, 1, 5]]).rows[9 + ROUNDING]) < 1e-4);
});
