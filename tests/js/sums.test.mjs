/* Arithmetic in web/: what the model computes comes from C, and so does what is made of it. Every function of the rooms
 * that draw, say or ask which adds up, takes an exponential or a logarithm, or multiplies two lists is named here, with what
 * its numbers are of; those of attention, logits and probabilities are few, and each says why it is not C's. A new one
 * belongs into src/measure, src/intervene or src/study, or has its reason in this list.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import ts from 'typescript';
import {root} from './lib/model.mjs';

const ROOMS = ['compare', 'draw', 'figure', 'lessons', 'model', 'session', 'views'];

/** Of attention, logits or probabilities: file and function -> why it is here. */
const OF_MODEL = {
    'draw/marks/arcs.js given': 'the sum that bands, boxes, panels and lessons show',
    'draw/marks/arcs.js linksOf': 'the share that the lines drawn carry',
    'draw/scale.js reached':
        'which lines, words and neurons come first, until they are enough of it',
    'draw/scale.js total': 'what they are a share of',
    'draw/vector.js dot': 'q·k as a formula shows it, without the distances that C adds',
    'model/precision/difference.js createComparison': 'of two engines, each with its own memory',
    'views/change/numbers.js apart': 'of a row, and of two models, each with an engine of its own',
    'views/head/mix.js meanOf': 'the lines of the heads that are on, as one',
    'views/next/scene.js drawn': 'bars: the temperature and the limits that a reader moves',
    'views/parts/level.js mergeAttention': 'the cells of words, of those of tokens',
};
const MOST = 10;

/** Of anything else: file -> functions, by what they count. */
const OTHERS = {
    'lengths on the screen': {
        'draw/blocks/ends.js': ['ENDS'],
        'draw/blocks/equation.js': ['EQUATION', 'cellOf', 'layoutEquation'],
        'draw/blocks/heat.js': ['hatch'],
        'draw/blocks/rows.js': ['ROWS', 'narrowed'],
        'draw/plot.js': ['painterOf'],
        'draw/tokens.js': ['fitText', 'textWidth'],
        'draw/view.js': ['sizeOf', 'stacked'],
        'draw/wrap.js': ['wrapText'],
        'lessons/player.js': ['useWheel'],
        'views/change/grid.js': ['hatching'],
        'views/study/ask/heads.js': ['useBrush'],
    },
    'points and bytes of a picture': {
        'draw/marks/picture.js': ['averageTurned', 'taps'],
        'draw/marks/png.js': ['bitWriter', 'deflate'],
    },
    'scales and ticks': {
        'draw/chart.js': ['niceAbove', 'scaleOf'],
        'model/precision/precision.js': ['small'],
        'views/heatmap/view.js': ['inkOf'],
        'views/model/numbers.js': ['mostOf'],
        'views/next/lens_map.js': ['inkOfRank'],
        'views/next/scene.js': ['inkOfSurprise'],
        'views/study/roles/charts.js': ['scoreChart'],
        'views/study/roles/numbers.js': ['scoreBins'],
    },
    'steps, bytes, places in a text': {
        'lessons/say.js': ['Say'],
        'model/load_box.js': ['Kept'],
        'model/precision/recompute.js': ['compareWords'],
        'session/interventions.js': ['createInterventions'],
        'views/decides/scene.js': ['makeScene'],
        'views/steps/scene.js': ['zero'],
    },
    'vectors of the model, as figures show them': {
        'draw/vector.js': ['moments', 'sumOf'],
        'views/neuron/decide.js': ['keySum'],
        'views/neuron/scene.js': ['productScale'],
        'views/steps/stages.js': ['ofToken'],
    },
    'answers of measures, interventions and studies: means and counts that a sentence or a chart says':
        {
            'views/parts/begin_heads.js': ['FEW', 'speaking'],
            'views/study/ask/heads.js': ['meanOf'],
            'views/study/compare/numbers.js': ['byLayer'],
            'views/study/compare/view.js': ['say'],
            'views/study/distances/numbers.js': ['clustersOf', 'orderOf'],
            'views/study/patterns/view.js': ['beside'],
            'views/study/roles/numbers.js': ['countsByLayer'],
        },
};

const FUNCTIONS = new Set(['exp', 'log', 'log2', 'log10', 'log1p', 'expm1', 'pow', 'hypot']);

const {SyntaxKind: K} = ts;

/** An expression that adds. */
const adds = node =>
    ts.isConditionalExpression(node)
        ? adds(node.whenTrue) || adds(node.whenFalse)
        : ts.isParenthesizedExpression(node)
          ? adds(node.expression)
          : node.operatorToken?.kind === K.PlusToken;

/** Does it add up, take an exponential or a logarithm, or multiply what stands in two lists? */
function counts(node) {
    if (ts.isBinaryExpression(node)) {
        const {
            operatorToken: {kind},
            left,
            right,
        } = node;
        if (kind === K.PlusEqualsToken || kind === K.MinusEqualsToken)
            return !ts.isLiteralExpression(right) && !ts.isTemplateExpression(right);
        const ofLists = [left, right].every(ts.isElementAccessExpression);
        return kind === K.AsteriskToken && ofLists;
    }
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const {expression: of, name} = node.expression;
    if (of.getText() === 'Math') return FUNCTIONS.has(name.text);
    const [each] = node.arguments;
    return name.text === 'reduce' && Boolean(each?.body) && adds(each.body);
}

/** The names of the outermost functions and constants of a script in which something counts. */
function counting(text) {
    const found = new Set();
    const isNamed = node =>
        [ts.isFunctionDeclaration, ts.isClassDeclaration, ts.isVariableDeclaration].some(is =>
            is(node),
        );
    const look = (node, name) => {
        const own = name || (isNamed(node) ? node.name?.getText() : '') || '';
        if (counts(node)) found.add(own);
        ts.forEachChild(node, part => look(part, own));
    };
    look(ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest, true), '');
    return found;
}

const listed = Object.values(OTHERS).flatMap(files =>
    Object.entries(files).flatMap(([file, names]) => names.map(name => `${file} ${name}`)),
);

test('what counts in the rooms that draw is named here, with what its numbers are of', () => {
    const found = ROOMS.flatMap(room =>
        readdirSync(join(root, 'web', room), {recursive: true})
            .map(path => `${room}/${String(path).replaceAll('\\', '/')}`)
            .filter(path => path.endsWith('.js'))
            .flatMap(path =>
                [...counting(readFileSync(join(root, 'web', path), 'utf8'))].map(
                    name => `${path} ${name}`,
                ),
            ),
    );
    assert.deepEqual(found.sort(), [...Object.keys(OF_MODEL), ...listed].sort());
    assert.ok(
        Object.keys(OF_MODEL).length <= MOST,
        'no more are made of attention and predictions',
    );
});

test('a sum, a product of two lists, an exponential and a logarithm are seen, wherever they stand', () => {
    for (const [text, names] of [
        ['export const a = list => list.reduce((sum, one) => sum + one, 0);', ['a']],
        ['const b = {c() { let d = 0; for (const x of y) d += x; }};', ['b']],
        ['function e(x, y) { return x[0] * y[1]; }', ['e']],
        ['class F { g = Math.exp(1); }', ['F']],
        ['const h = x => () => Math.log(x);', ['h']],
        ['const i = list => list.reduce((a, b) => (b > a ? b : a)); const j = 2 * x[0];', []],
        ['let text = ""; function k() { text += "a"; }', []],
    ])
        assert.deepEqual([...counting(text)], names, text);
});
