/* Needs of passes of their own (views/also.js) and the passes of session/deep.js: each need has its name, one pass goes
 * over the one before, and all are given back.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {runEach} from '../../web/session/deep.js';
import {defaults, update} from '../../web/state/state.js';
import {deepName} from '../../web/views/also.js';

test('needs that are of another pass, text, token or number have each a name of their own', () => {
    const need = {measure: 'log_probability', args: [1, 2]};
    const [also, source] = [['patch_token', 0, 1], {text: 'a', textB: '', from: [1, -1]}];
    const needs = [
        need,
        {...need, args: [1, 3]},
        {...need, args: [2, 2]},
        {...need, also},
        {...need, also: ['patch_token', 0, 2]},
        {...need, also: ['patch_token', 1, 1]},
        {...need, also: ['patch_head', 0, 1]},
        {...need, also, source},
        {...need, also, source: {...source, text: 'b'}},
        {...need, also, source: {...source, from: [-1, 1]}},
        {...need, also, source: {...source, from: undefined}},
        {...need, source, alone: true},
        {...need, also, source, alone: true},
        {...need, also, source: {...source, embeds: true}, alone: true},
        {source, alone: true, tokens: true},
        {source: {...source, text: 'b'}, alone: true, tokens: true},
        {nextSentence: true, source, alone: true},
        {labels: true, source, alone: true},
        {labels: true, also, source},
        {labels: true},
    ];
    const names = needs.map(deepName);
    assert.deepEqual(
        names.filter((name, i) => names.indexOf(name) !== i),
        [],
    );
});

test('of another text by itself: its plain pass first and kept, one over the other, all given back', async () => {
    const log = [];
    const open = new Set();
    let pass = 0;
    const engine = {
        run({input, over = 0}) {
            log.push([input.text, input.changes.map(String), over]);
            assert.ok(!over || open.has(over), 'a pass that is there is run over');
            open.add(++pass);
            return {pass, facts: Promise.resolve({tokens: []}), answers: [Promise.resolve(pass)]};
        },
        release: ({pass: given}) => assert.ok(open.delete(given), `${given} is given back once`),
    };
    const state = update(defaults, {text: 'own', off: ['0.1']});
    const need = {tensor: 'sentence_embedding'};
    const alone = text => ({...need, alone: true, source: {text, textB: ''}});
    const needs = [
        alone('a'),
        {...alone('a'), also: ['mlp', 0]},
        {...alone('a'), also: ['mlp', 1]},
        {...alone('b'), also: ['mlp', 0]},
        {...need, also: ['mlp', 1]},
    ];
    const info = {layers: 2, heads: 2, head_width: 4, special: {mask: -1}};
    await runEach(engine, {model: 1, info}, state, needs, () => {});
    assert.deepEqual(log, [
        ['a', [], 0],
        ...[
            ['a', [], 0],
            ['a', ['mlp,0'], 0],
            ['a', ['mlp,1'], 3],
        ],
        ...[
            ['b', [], 0],
            ['b', ['mlp,0'], 0],
        ],
        ['own', ['head,0,1', 'mlp,1'], 0],
    ]);
    assert.equal(open.size, 0);
    let count = 0;
    const failing = {
        ...engine,
        run: asked => ({
            ...engine.run(asked),
            answers: asked.want.map(async () => {
                if (++count === 2) throw new Error('cancelled');
            }),
        }),
    };
    const failed = runEach(failing, {model: 1, info}, state, needs.slice(1), () => {});
    await assert.rejects(failed, {message: 'cancelled'});
    assert.equal(open.size, 0, 'also one that fails, and those before it');
});

test('one pass after the other, each over the one before, the last given back; cancelled between two', async () => {
    const log = [];
    let pass = 0;
    const engine = {
        run: ({input, over = 0}) => (
            log.push([input.changes.at(-1), over]),
            {pass: ++pass, answers: [Promise.resolve({data: [pass]})]}
        ),
        release: given => log.push(given),
    };
    const info = {layers: 2, heads: 2, special: {mask: -1}};
    const needs = [0, 1].map(l => ({measure: 'log_probability', args: [1, 2], also: ['mlp', l]}));
    const state = update(defaults, {text: 'a', off: ['0.1']});
    const found = new Map();
    const onFound = (name, answer) => found.set(name, answer.data[0]);
    await runEach(engine, {model: 1, info}, state, needs, onFound);
    assert.deepEqual(log, [[['mlp', 0], 0], [['mlp', 1], 1], {pass: 1}, {pass: 2}]);
    assert.equal(found.get('with.mlp.1.measure.log_probability.1.2'), 2);
});
