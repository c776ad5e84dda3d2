/* lessons - the data of lessons and of the articles' figures as tests and `npm run stories` read them:
 * what may stand in it, and whether what it claims is what a model computes.
 */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {defaults, FIELDS} from '../../../web/state/state.js';
import {STEPS} from '../../../web/views/parts/six_patterns.js';
import {views} from '../../../web/views/index.js';
import {NAMES} from '../../../web/lessons/equation.js';
import {sourceOf as shownSource} from '../../../web/lessons/number.js';
import {holds, KINDS, readSeen, ROLES} from '../../../web/lessons/seen.js';
import {engineFor, folderOf as folderOfModel} from '../../../web/package/node_engine.js';
import {openTwo} from '../../../web/session/two.js';
import {changesOf} from '../../../web/views/needs.js';
import {openModel, root} from './model.mjs';

const FOLDER = `${root}web/lessons/data/`;
const NO_LESSONS = ['examples.json'];
const read = name => JSON.parse(readFileSync(FOLDER + name, 'utf8'));

const publishedNames = JSON.parse(readFileSync(`${root}build/published.json`, 'utf8')).map(
    ({name}) => name,
);

/** A lesson whose steps all name their model, which is the lesson's where they name none (player.js). */
function named({model, steps, ...lesson}) {
    if (!model) return {...lesson, steps};
    const own = step => ({...step, state: {model, ...step.state}});
    const both = ({otherwise, ...step}) => ({
        ...own(step),
        ...(otherwise && {otherwise: own(otherwise)}),
    });
    return {...lesson, model, steps: steps.map(both)};
}

/** The lessons by id: what the page fetches. */
export const lessons = Object.fromEntries(
    readdirSync(FOLDER)
        .filter(name => name.endsWith('.json') && !NO_LESSONS.includes(name))
        .map(name => [name.replace('.json', ''), named(read(name))]),
);
export const examples = read('examples.json');

const isText = value => typeof value === 'string' && value.trim() !== '';
const isSaid = value =>
    value !== null &&
    typeof value === 'object' &&
    Object.keys(value).sort().join() === 'en,zh' &&
    isText(value.en) &&
    isText(value.zh);
const isHead = value => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
const isPlace = value => Number.isInteger(value) && value >= 0;
const isList = of => value => Array.isArray(value) && value.length > 0 && value.every(of);
const isBound = value => typeof value === 'number' && value > 0;

/** What an object may hold, by name; a name that ends in ! must be there.
 * @param {Record<string, (value: any) => boolean | string[]>} table */
const shaped = table => (value, path) => {
    const known = Object.keys(table).map(name => name.replace('!', ''));
    const found = Object.keys(value)
        .filter(name => !known.includes(name))
        .map(name => `${path}.${name} is no field; expected one of ${known.join(', ')}`);
    for (const [key, check] of Object.entries(table)) {
        const name = key.replace('!', '');
        if (value[name] === undefined) {
            if (key.endsWith('!')) found.push(`${path}.${name} is missing`);
            continue;
        }
        const says = check(value[name], `${path}.${name}`);
        if (says === false)
            found.push(`${path}.${name} does not fit: ${JSON.stringify(value[name])}`);
        else if (Array.isArray(says)) found.push(...says);
    }
    return found;
};

/** A part of the page's state: every field is one, with a value that it takes. */
export const stateProblems = (state, path) =>
    Object.entries(state).flatMap(([name, value]) => {
        const row = FIELDS.find(field => field.name === name);
        if (!row) return [`${path}.${name} is no field of the state`];
        return row.type.check(value) ? [] : [`${path}.${name} cannot be ${JSON.stringify(value)}`];
    });

const seen = shaped({
    'kind!': value => KINDS.includes(value),
    head: isHead,
    query: isPlace,
    keys: isList(isPlace),
    word: isText,
    neurons: isList(isPlace),
    role: value => ROLES.includes(value),
    from: isText,
    to: isText,
    measure: value => ['cls', 'sep', 'next', 'previous', 'delimiter'].includes(value),
    atLeast: isBound,
    atMost: isBound,
});
export const seenProblems = (value, path) => [
    ...seen(value, path),
    ...(value.atLeast === undefined && value.atMost === undefined ? [`${path} has no bound`] : []),
];

/** @type {(value: any, path: string) => string[]} */
const step = shaped({
    'title!': isSaid,
    'say!': isSaid,
    text: isText,
    textB: value => typeof value === 'string',
    view: value => views.some(({id}) => id === value),
    state: stateProblems,
    seen: seenProblems,
    question: isSaid,
    hint: isSaid,
    check: shaped({
        'kind!': value => value === 'pick',
        'side!': value => value === 'key',
        'query!': isPlace,
        'head!': isHead,
        'accept!': isList(isPlace),
        'atLeast!': isBound,
    }),
    pattern: value => STEPS.some(({id}) => id === value),
    texts: isList(pair => Array.isArray(pair) && pair.length === 2 && isText(pair[0])),
    equation: value => NAMES.includes(value),
    tool: value => ['sieves', 'pair', 'toy'].includes(value),
    switch: shaped({'label!': isSaid, 'state!': stateProblems}),
    otherwise: (value, path) => step({title: value.say, ...value}, path),
    figure: isText,
    stories: isList(isText),
    published: shaped({
        'name!': value => publishedNames.includes(value),
        view: value => views.some(({id}) => id === value),
        'state!': stateProblems,
        seen: seenProblems,
    }),
    hub: value => value === true,
    page: shaped({
        'find!': isText,
        'match!': value => Boolean(new RegExp(value)),
        'atLeast!': value => typeof value === 'number',
    }),
});
const lesson = shaped({
    model: value => ['mini2-en', 'mini-en', 'mini-gpt-en', 'mini-de-en'].includes(value),
    'steps!': (value, path) => value.flatMap((one, i) => step(one, `${path}[${i}]`)),
    next: value => value in lessons,
});

/** What is wrong with a lesson, as sentences. */
export const lessonProblems = (value, path) => [
    ...lesson(value, path),
    ...(value.steps ?? []).flatMap((one, i) => {
        const at = `${path}.steps[${i}]`;
        return [
            ...(one.pattern && !one.texts ? [`${at} has a pattern and no texts`] : []),
            ...(one.check && !one.question ? [`${at} has a check and no question`] : []),
            ...(!one.pattern && one.text === undefined ? [`${at} has no text`] : []),
        ];
    }),
];

const opened = new Map();
/** A model, opened once. @param {string} folder */
async function open(folder) {
    if (!opened.has(folder)) opened.set(folder, await openModel(folder, 'q8'));
    return opened.get(folder);
}

/** The folder of a step's model, of those that come with the page. */
export const folderOf = ({state}) => `${root}models/${state?.model ?? 'mini-en'}`;

/** Whether that model is here: minilm-en is made apart (models/train), and a step of it is then neither
 * offered nor checked. */
export const isHere = step => existsSync(`${folderOf(step)}/config.json`);

/** A model of two stacks, opened once as the page opens it. @param {string} folder */
async function openStacks(folder) {
    if (!opened.has(folder)) {
        const wasmBytes = readFileSync(`${root}build/out/wasm/headlight-two.wasm`);
        const engine = await engineFor({wasmBytes});
        opened.set(folder, {engine, loaded: await engine.load(await folderOfModel(folder))});
    }
    return opened.get(folder);
}

/** The same of a step whose attention is that of a part. */
async function partOf({text, textB = '', state}, folder) {
    const {engine, loaded} = await openStacks(folder);
    const asked = {picked: false, signal: new AbortController().signal};
    const whole = {...defaults, ...state, text, textB};
    const two = await openTwo(engine, loaded, {...asked, state: whole});
    const needs = ({layers}) =>
        Array.from({length: layers}, (_, layer) => ({tensor: 'attention', layer}));
    const shown = await two.compute(state.part, needs, loaded.info);
    return shownSource({...shown, fills: []});
}

/** What the page would have computed for a step: its text through its changes. */
export async function sourceOf(step, folder = folderOf(step)) {
    const {text, textB = '', state = {}} = step;
    if (state.part) return partOf(step, folder);
    const one = await open(folder);
    const {session, model} = one;
    session.tokenize(text, textB || null);
    const whole = {masked: [], off: [], zeroed: [], ...state};
    const changes = changesOf(whole, model);
    session.change(changes);
    const run = one.run('fast');
    const tokens = session
        .tokens()
        .map(token => ({...token, piece: session.tokenText(token.id), special: token.word < 0}));
    const masks = tokens.flatMap(({id}, index) =>
        id === model.special.mask || (state.masked ?? []).includes(index) ? [index] : [],
    );
    const fills = masks.map(index => {
        const {ids, probabilities} = run.predictions(index, 5);
        const words = [...ids].map((id, i) => ({
            piece: session.tokenText(id),
            probability: probabilities[i],
        }));
        return {index, words};
    });
    const tensor = wanted => {
        const [kind, layer] = wanted.split('.');
        const {data, shape} = run.tensor(kind, Number(layer));
        return {data: Float32Array.from(data), shape};
    };
    const measure = (wanted, of = 'patterns') => {
        const size = model.layers * model.heads;
        const at = (of === 'sieves' ? ROLES : model.patterns).indexOf(wanted) * size;
        return run.measure(of).subarray(at, at + size);
    };
    return {tokens, tensor, fills, model, measure};
}

/** A step as it is told with the models that are here. */
export const toldHere = one => (isHere(one) ? one : {...one, ...one.otherwise});

/** Asserts what a step claims, of the model. */
export async function checkStep(one, path) {
    if (one.otherwise)
        await checkStep({...one, otherwise: undefined, ...one.otherwise}, `${path}, otherwise`);
    if (one.hub || !isHere(one)) return;
    const source = one.seen || one.check ? await sourceOf(one) : null;
    if (one.seen) {
        const value = readSeen(source, one.seen);
        assert.ok(value !== null, `${path}: its number cannot be read`);
        assert.ok(holds(value, one.seen), `${path}: ${value}, against ${JSON.stringify(one.seen)}`);
    }
    if (one.check) {
        const {head, query, accept, atLeast} = one.check;
        const row = source.tokens.map((_, key) =>
            readSeen(source, {kind: 'weight', head, query, keys: [key]}),
        );
        const best = row.indexOf(Math.max(...row));
        assert.ok(accept.includes(best), `${path}: ${best} gets the most, not ${accept}`);
        assert.ok(row[best] >= atLeast, `${path}: ${row[best]} < ${atLeast}`);
    }
}
