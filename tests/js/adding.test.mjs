/* docs/adding.md against the tree: every path that it names is there, and its lists are whole: no
 * file outside a section's list names the one that the section shows, and no list elsewhere and no
 * sheet names any view or study without a reason. In a section, <name> stands for what it shows
 * ("Worked: `pair`").
 */
import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import ts from 'typescript';
import {studies} from '../../web/views/study/index.js';
import {views} from '../../web/views/index.js';
import {root} from './lib/model.mjs';

const guide = readFileSync(join(root, 'docs/adding.md'), 'utf8');
const FOLDERS = ['src', 'web', 'tests', 'build', 'docs', 'models', 'corpora'];

/** The worked one of each section, and what a file says that knows of it; where such files are
 * looked for. */
const WORKED = {
    'A family of models': ['distilbert', /\bfamily_distilbert\b/, ['src']],
    'A part of a block that no family has yet': ['head_norm', /\bhead_norm\b/, ['src', 'web']],
    'A weight type': ['bf16', /\b(widen_bf16|DT_BF16)\b/, ['src']],
    'A kept tensor': ['final_hidden', /\bTRACE_FINAL_HIDDEN\b/, ['src']],
    'A measure': ['pair', /\bmeasure_pair\b/, ['src']],
    'A study over a corpus': ['patterns', /\b(study_patterns|patternsStudy)\b/, ['src', 'web']],
    'A picture of a study': ['baselines', /\.baselines\b|\bbaselines:/, ['web']],
    'A command': ['tokenize', /\bcommand_tokenize\b/, ['src']],
    'A view of one text': [
        'heatmap',
        /\bheatmapView\b|\/heatmap\/|'heatmap'|\bheatmap: |\.heatmap-/,
        ['web'],
    ],
    'A language': ['zh', /\.\/zh\/|(code:|[=!]==) 'zh'/, ['web', 'build']],
    'A model in the menu': ['mini-en-sst2', null, []],
};

/** How many files of its list one takes at most, its own and those of tests aside; a file of words counts once
 * for all languages, and what is touched "only if" something else holds does not. */
const MOST = {
    'A view of one text': 3,
    'A part of a block that no family has yet': 6,
    'A picture of a study': 2,
};

/** Heading -> {text, worked}; the code in them is left out. */
const sections = Object.fromEntries(
    guide
        .replace(/^( *)```.*?^\1```$/gms, '')
        .split(/^## /m)
        .slice(1)
        .map(text => {
            const heading = text.slice(0, text.indexOf('\n'));
            return [heading, {text, worked: /^Worked: `([^`]+)`/m.exec(text)?.[1]}];
        }),
);

/** The paths among the words of code spans; those of tables alone when `listed`. */
function pathsOf({text, worked}, listed = false) {
    const lines = listed
        ? text.split('\n').filter(line => line.startsWith('| `'))
        : text.split('\n');
    return lines
        .flatMap(line => [...line.matchAll(/`([^`]+)`/g)])
        .flatMap(([, code]) => code.split(/\s+/))
        .filter(
            word =>
                FOLDERS.some(folder => word.startsWith(`${folder}/`)) &&
                !/^build\/out\/|^models\/NAME/.test(word),
        )
        .map(word => word.replaceAll('<name>', worked ?? '<name>'));
}

/** All files with code under a folder, but for packages and what was built. */
const filesUnder = folder =>
    readdirSync(join(root, folder), {recursive: true})
        .map(file => join(folder, file))
        .filter(
            file =>
                /\.(c|h|m?js|css)$/.test(file) &&
                !/node_modules|^build\/out\b/.test(file) &&
                statSync(join(root, file)).isFile(),
        );

test('each kind of thing has its section, with a list of files and the one that it shows', () => {
    for (const [heading, [name]] of Object.entries(WORKED)) {
        assert.equal(sections[heading]?.worked, name, heading);
        assert.ok(pathsOf(sections[heading], true).length >= 2, heading);
    }
});

test('every path that the guide names is there', () => {
    const paths = Object.values(sections).flatMap(section => pathsOf(section));
    assert.ok(paths.length > 90, `${paths.length} paths were found`);
    assert.deepEqual(
        paths.filter(path => !existsSync(join(root, path))),
        [],
    );
});

test('the lists are whole: what knows of the one that is shown is in its list', () => {
    for (const [heading, [name, says, folders]] of Object.entries(WORKED)) {
        if (!says) continue;
        const listed = new Set(pathsOf(sections[heading], true));
        const found = folders
            .flatMap(filesUnder)
            .filter(file => !file.includes(`/${name}/`))
            .filter(file => says.test(readFileSync(join(root, file), 'utf8')));
        assert.ok(found.length > 1, `${heading}: nothing names ${name}`);
        assert.deepEqual(
            found.filter(file => !listed.has(file)),
            [],
            heading,
        );
    }
});

test('a view, a part of a block and a picture of a study take as few files as they are to', () => {
    for (const [heading, most] of Object.entries(MOST)) {
        const {text, worked} = sections[heading];
        const rows = text.match(/^\| `[^|]*\|(?! only )/gm) ?? [];
        assert.ok(rows.length >= 2, heading);
        const files = pathsOf({text: rows.join('\n'), worked}, true)
            .filter(path => !/^tests\//.test(path) && !path.includes(`/${worked}/`))
            .map(path => path.replace(/^web\/words\/\w+\//, 'words of '));
        assert.ok(new Set(files).size <= most, `${heading}: ${[...new Set(files)].join(', ')}`);
    }
});

/** Ids that are the names of other things, too: alone in a list they say nothing. */
const COMMON = [
    'head',
    'model',
    'next',
    'find',
    'change',
    'patterns',
    'labels',
    'roles',
    'importance',
];

const OTHERS = ['head', 'model', 'compare'];

/** Lists in code that name views or studies, with the reason: what is added need not be in them. */
const NAMED = {
    'web/app/boot.js':
        'DEEP, read before any view is fetched; session.test compares it with the views',
    'web/cards/card.js': 'the ways on from a card, a sentence each',
    'web/package/api.js': 'what of a head is switched off: itself, or a neuron of it',
    'web/package/options.js': 'the same, on the command line',
    'web/text/remarks.js': 'where a change of the text is seen without being said',
};

/** Classes of a view that sheets of others name, with the reason. */
const STYLED = {
    'decides-grid': 'scrolls sideways, like .scroll',
    'change-says': 'the answers of “what if”, which the experiments below a figure show, too',
    'change-table': 'of the study of two models',
};

/** The lists of ids in a script: an array of nothing but such strings, an object with nothing but such keys.
 * @param {string} text @param {string[]} ids */
function listsIn(text, ids) {
    const found = [];
    const visit = node => {
        const names = ts.isArrayLiteralExpression(node)
            ? node.elements.map(one => (ts.isStringLiteral(one) ? one.text : ''))
            : ts.isObjectLiteralExpression(node)
              ? node.properties.map(({name}) => name?.text ?? '')
              : [];
        const known = names.filter(name => ids.includes(name));
        const least = ts.isObjectLiteralExpression(node) || COMMON.includes(known[0]) ? 2 : 1;
        const whole = names.every(name => name === '' || ids.includes(name));
        if (whole && known.length >= least) found.push(known.join());
        ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest));
    return found;
}

/** The classes of a sheet that begin with an id, but for those of any head or model, and of compare/. */
const classesIn = (css, ids) =>
    [...css.matchAll(/\.([a-z]+)-[\w-]+/g)]
        .filter(([, id]) => ids.includes(id) && !OTHERS.includes(id))
        .map(([it]) => it.slice(1));

test('no list and no sheet outside of its folder names a view or a study, but for a reason', () => {
    assert.deepEqual(
        listsIn(
            "const A = ['steps', ...more]; const B = {why: 1, head: 2}; const C = ['head']; f('why');",
            ['steps', 'why', 'head'],
        ),
        ['steps', 'why,head'],
    );
    const [lists, styles] = [new Set(), new Set()];
    const homes = [...views.map(({id}) => id), ...studies.map(({id}) => `study/${id}`)].map(
        folder => `web/views/${folder}/`,
    );
    for (const all of [studies, views]) {
        const ids = all.map(({id}) => id);
        for (const file of filesUnder('web')) {
            if (/^web\/words\//.test(file) || homes.some(home => file.startsWith(home))) continue;
            const text = readFileSync(join(root, file), 'utf8');
            if (file.endsWith('.js') && listsIn(text, ids).length) lists.add(file);
            if (file.endsWith('.css') && (all === views || file !== 'web/studies/study.css'))
                for (const name of classesIn(text, ids)) styles.add(name);
        }
    }
    assert.deepEqual([...lists].sort(), Object.keys(NAMED).sort());
    assert.deepEqual([...styles].sort(), Object.keys(STYLED).sort());
});

test('a language: all of its files are in the list', () => {
    const files = readdirSync(join(root, 'web/words/zh')).map(file => `web/words/zh/${file}`);
    const listed = pathsOf(sections['A language'], true);
    assert.deepEqual(
        files.filter(file => !listed.includes(file)),
        [],
    );
});

test('the README is short and leads to the guide; what README and docs link to is there', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    assert.match(readme, /\(docs\/adding\.md\)/);
    assert.ok(Buffer.byteLength(readme) <= 7000, 'at most 7 kB: details belong into docs/');
    const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
    for (const file of ['README.md', 'web/README.md', ...docs.map(name => `docs/${name}`)]) {
        const text = readFileSync(join(root, file), 'utf8').replace(/^```.*?^```$/gms, '');
        for (const [, inline, html] of text.matchAll(/\]\(([^)#:]+)\)|(?:src|srcset)="([^":]+)"/g))
            assert.ok(
                existsSync(join(root, file, '..', inline ?? html)),
                `${file}: ${inline ?? html}`,
            );
    }
});
