/* Known answers: two models whose heads are written by hand (lib/built.mjs). To each question what was built in is found, all of it
 * and nothing else (recall and precision 1), on texts by chance, in f32 and in q8. A finding is a change of 0.1 or more
 * (intervention_least of src/intervene/answer.c), or a part as large. In the same models with their weights shuffled heads have effects,
 * too, which are what they are; the circuit is not there. What it prints is the table of docs/exactness.md.
 */
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {instantiate} from '../../web/worker/wasm.js';
import {asked} from './lib/asked.mjs';
import {inductionModel, pronounModel} from './lib/built.mjs';
import {loadFolder, root, run} from './lib/model.mjs';

const LEAST = 0.1;
const TEXTS = 8;
const TWINS = 10;
const scratch = mkdtempSync(join(tmpdir(), 'headlight-'));
after(() => rmSync(scratch, {recursive: true}));
const wasm = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight-full.wasm')));

let state = 1;
const below = n =>
    Math.floor(((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
const drawn = list => {
    const rest = [...list];
    return [...list].map(() => rest.splice(below(rest.length), 1)[0]);
};

/** n letters, and the first of them again: the next one is what followed there. */
function ofLetters() {
    const n = 5 + below(3);
    const again = 2 + below(n - 3);
    const letters = drawn('abcdefghijk').slice(0, n + 1);
    const half = letters.slice(0, n);
    const text = last => ['.', ...half.with(again, last), ...half.slice(0, again)].join('');
    const [query, key] = [n + again, again + 1];
    return {
        ...{text: text(half[again]), from: text(letters[n]), query, key},
        tokens: {masked: [], removed: [key - 1, key]},
        patched: [`0:${key}`, `1:${key}`],
    };
}

/** Two nouns, and a pronoun of one of them. */
function ofNouns() {
    const [him, her] = [drawn(['king', 'man', 'boy'])[0], drawn(['queen', 'woman', 'girl'])[0]];
    const nouns = drawn([him, her]);
    const isHer = below(2);
    const text = she => `${nouns[0]} saw ${nouns[1]} . ${she ? 'she' : 'he'} ran [MASK] .`;
    return {
        ...{text: text(isHer), from: text(!isHer), query: 7, key: 5},
        tokens: {masked: [nouns.indexOf(isHer ? her : him) * 2 + 1, 5], removed: null},
        patched: ['0:5', '1:5'],
    };
}

/** What was built: the heads that make the prediction, the edge between them, what the second one's link is made of. */
const BUILT = {
    'induction (GPT-2)': {
        ...{make: inductionModel, draw: ofLetters, how: 'removed'},
        ...{first: '0.0', second: '1.2', into: 'k', side: 'key'},
    },
    'pronoun (BERT)': {
        ...{make: pronounModel, draw: ofNouns, how: 'masked'},
        ...{first: '0.1', second: '1.3', into: 'v', side: null},
    },
};

const placeOf = ({kind, layer, head, position}) => {
    if (kind === 'head' || kind === 'patch_head') return `${layer}.${head}`;
    if (kind === 'mlp') return `mlp ${layer}`;
    if (kind === 'patch_token') return `${layer}:${position}`;
    return kind === 'no_positions' ? kind : position;
};

/** The places of the effects that are findings. @param {(effect: any) => string} name */
const found = (effects, name = placeOf) =>
    effects.filter(({change}) => Math.abs(change) >= LEAST).map(name);

const headsOf = (parts, H) =>
    [...parts].flatMap((part, i) =>
        Math.abs(part) >= LEAST ? `${Math.floor(i / H)}.${i % H}` : [],
    );
const maskOf = session => session.describe().special.mask;

/** The heads whose part of a link is a finding, on a side. */
function written(session, link, side) {
    const pass = session.run({precision: 'fine', keep: ['*'], over: null});
    const parts = pass.measure('why_heads', link);
    const {heads: H} = session.describe();
    const own = side === 'key' ? parts.slice(0, parts.length / 2) : parts.slice(parts.length / 2);
    pass.release();
    return headsOf(own, H);
}

/** Each question: what it finds in a session, and what is there to be found. */
const QUESTIONS = {
    'What decides: heads, MLPs': {
        ask: ({session, how}) =>
            found(asked(session, {intervention: 'decides', how, parts: ['heads', 'mlps']}).effects),
        built: ({first, second}) => [first, second],
    },
    'What decides: tokens': {
        ask: ({session, how}) =>
            found(asked(session, {intervention: 'decides', how, parts: ['tokens']}).effects),
        built: ({how, tokens}) => tokens[how],
    },
    'one edge into the second head': {
        ask({session, second}) {
            const [layer, head] = second.split('.').map(Number);
            const {effects} = asked(session, {intervention: 'edge', layer, head});
            return found(effects, one => `${placeOf(one)} ${one.into}`);
        },
        built: ({first, into}) => [`${first} ${into}`],
    },
    'one edge to its link': {
        ask({session, second, query, key}) {
            const [layer, head] = second.split('.').map(Number);
            const question = {intervention: 'edge_link', layer, head, query, key};
            return found(asked(session, question).effects, one => `${placeOf(one)} ${one.into}`);
        },
        built: ({first, into}) => (into === 'v' ? [] : [`${first} ${into}`]),
    },
    'Why? with each part off': {
        ask({session, second, query, key}) {
            const [layer, head] = second.split('.').map(Number);
            const question = {intervention: 'why_off', layer, head, query, key};
            return found(asked(session, {...question, parts: ['heads', 'mlps']}).effects);
        },
        built: ({first, into}) => (into === 'v' ? [] : ['no_positions', first]),
    },
    'Why?: written by heads': {
        ask: ({session, second, query, key}) =>
            ['key', 'query'].flatMap(side =>
                written(session, [...second.split('.').map(Number), query, key], side).map(
                    head => `${head} at the ${side}`,
                ),
            ),
        built: ({first, side}) => (side ? [`${first} at the ${side}`] : []),
    },
    'What wrote the logit: heads': {
        ask({session, how}) {
            const at = session.tokens().length - 1;
            const pass = session.run({precision: 'fine', keep: ['*'], over: null});
            const position =
                how === 'masked'
                    ? session.tokens().findIndex(({id}) => id === maskOf(session))
                    : at;
            const {ids} = pass.predictions(position, 2);
            const {heads: H} = session.describe();
            const parts = pass.measure('direct_heads', [position, ...ids]);
            pass.release();
            return headsOf(parts, H);
        },
        built: ({second}) => [second],
    },
    'patched from another text': {
        ask: ({session, from}) =>
            found(asked(session, {intervention: 'patch', from}).effects).map(String),
        built: ({how, first, second, patched}) => [
            ...patched,
            ...(how === 'masked' ? [first] : []),
            second,
        ],
    },
};

/** Asks each question of each text; tells what was found and what not. */
function examine(folder, store, built, texts) {
    const {session} = loadFolder(folder, store, wasm);
    return Object.entries(QUESTIONS).map(([name, question]) => {
        const sums = {name, found: 0, right: 0, built: 0, whole: []};
        for (const one of texts) {
            session.tokenize(one.text, null);
            const expected = question.built({...built, ...one}).map(String);
            const all = question.ask({...built, ...one, session}).map(String);
            sums.found += all.length;
            sums.built += expected.length;
            sums.right += all.filter(place => expected.includes(place)).length;
            sums.whole.push(all.toSorted().join() === expected.toSorted().join());
        }
        return sums;
    });
}

for (const [name, built] of Object.entries(BUILT)) {
    const texts = Array.from({length: TEXTS}, built.draw);
    test(`${name}: what was built in is found, and nothing else`, context => {
        const folder = built.make(join(scratch, name));
        for (const store of ['f32', 'q8'])
            for (const {name: question, ...sums} of examine(folder, store, built, texts)) {
                const told = `${store}, ${question}: built ${sums.built}, found ${sums.found}, right ${sums.right}`;
                assert.ok(sums.whole.every(Boolean), told);
                context.diagnostic(told);
            }
    });

    test(`${name}: with its weights shuffled no text has its circuit`, () => {
        for (let seed = 1; seed <= TWINS; seed++) {
            const folder = built.make(join(scratch, `${name}-${seed}`), seed);
            const [heads, , edge] = examine(folder, 'f32', built, texts);
            heads.whole.forEach((isWhole, i) =>
                assert.ok(!(isWhole && edge.whole[i]), `${seed}: ${texts[i].text}`),
            );
        }
    });
}

test('induction: the study finds the heads of the circuit, and none in the shuffled models', () => {
    const corpus = join(scratch, 'letters.txt');
    const lines = Array.from({length: 24}, () => drawn('abcdefghijk').slice(0, 7).join(''));
    writeFileSync(corpus, lines.join('\n'));
    const strong = seed => {
        const folder = inductionModel(join(scratch, `study-${seed}`), seed);
        const [head, ...rows] = run(
            'study',
            'induction',
            folder,
            corpus,
            '--set',
            'length=6',
            '--csv',
        )
            .trim()
            .split('\n');
        assert.match(head, /^measure,layer,head,n,mean,/);
        return rows
            .map(row => row.split(','))
            .filter(([, , , , mean]) => Number(mean) >= 0.49)
            .map(([measure, layer, one]) => `${measure} ${layer}.${one}`);
    };
    // half of what looks at the same letter falls on the token itself
    assert.deepEqual(strong(0).sort(), ['duplicate 0.1', 'induction 1.2', 'previous 0.0']);
    for (let seed = 1; seed <= TWINS; seed++) assert.deepEqual(strong(seed), [], String(seed));
});
