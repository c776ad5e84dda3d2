/* The documents against the tree: every link leads to a file, or a heading, that is there; every
 * file and command that they name exists (scripts, make targets, npm scripts, commands of the tool).
 * What the commands print is not compared. docs/adding.md has a stricter test: adding.test.mjs.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {basename, dirname, join, normalize} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

const foldersIn = folder =>
    readdirSync(join(root, folder), {withFileTypes: true})
        .filter(entry => entry.isDirectory())
        .map(entry => `${folder}/${entry.name}`);
const DOCUMENTS = ['.', 'docs', 'web', 'corpora', ...foldersIn('models'), ...foldersIn('tests')]
    .flatMap(folder => readdirSync(join(root, folder)).map(name => join(folder, name)))
    .filter(file => file.endsWith('.md'));
const FOLDERS = /^(src|web|tests|build|docs|models|corpora)\/[\w./-]+$/;
const textOf = file => readFileSync(join(root, file), 'utf8');

/** The name that GitHub gives a heading in links. */
const anchorOf = heading =>
    heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');

const headingsOf = text =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading.trim()));

/** [target, ...] of Markdown links and of HTML's src, srcset and href; other sites' are left out. */
const linksOf = text =>
    [...text.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
        .map(([, markdown, html]) => markdown ?? html)
        .filter(target => !/^[a-z]+:/.test(target));

/** Commands: the contents of code spans, and the lines of indented and fenced blocks. */
const codeOf = text => [
    ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code),
    ...[...text.matchAll(/^ {4,}(.*)$/gm)].map(([, line]) => line),
    ...[...text.matchAll(/^```\w*\n(.*?)^```/gms)].flatMap(([, block]) => block.split('\n')),
];

/** What a pattern finds in the code of all documents, as [document, what] without repetition. */
const named = pattern =>
    DOCUMENTS.flatMap(document => {
        const found = codeOf(textOf(document)).flatMap(code => [...code.matchAll(pattern)]);
        return [...new Set(found.map(match => match[1]))].map(what => [document, what]);
    });

test('the documents are found', () => {
    for (const name of ['README.md', 'docs/adding.md', 'web/README.md', 'models/train/README.md'])
        assert.ok(DOCUMENTS.includes(name), name);
});

test('every link leads to a file and a heading that are there', () => {
    const wrong = DOCUMENTS.flatMap(document => {
        const text = textOf(document);
        const broken = linksOf(text.replace(/^```.*?^```$/gms, '')).filter(target => {
            const [path, anchor] = target.split('#');
            const file = path ? normalize(join(dirname(document), path)) : document;
            if (!existsSync(join(root, file))) return true;
            return anchor !== undefined && !headingsOf(textOf(file)).includes(anchor);
        });
        return broken.map(target => `${document}: ${target}`);
    });
    assert.deepEqual(wrong, []);
});

test('every script, source and folder that is named exists', () => {
    const scripts = named(/\b(?:node|python)(?: --test)? ([\w/.-]+\.(?:mjs|js|py))/g);
    const paths = named(/^([\w./-]+)$/g).filter(([, path]) => FOLDERS.test(path));
    assert.ok(scripts.length > 10 && paths.length > 40, 'there are some');
    const near = (document, path) =>
        existsSync(join(root, path)) || existsSync(join(root, dirname(document), path));
    const wrong = [...scripts, ...paths].filter(
        ([document, path]) => !/^(build\/out|models\/NAME)/.test(path) && !near(document, path),
    );
    assert.deepEqual(wrong, []);
});

test('a pattern of names of tests that is named finds one', () => {
    const patterns = DOCUMENTS.flatMap(document => [
        ...textOf(document).matchAll(/--test-name-pattern='([^']+)' ([\w/.-]+)/g),
    ]);
    assert.ok(patterns.length > 0, 'there is one');
    const tests = file =>
        [...textOf(file).matchAll(/^test\(\s*['"`](.*)['"`]/gm)].map(([, name]) => name);
    assert.deepEqual(
        patterns
            .filter(([, pattern, file]) => !tests(file).some(name => RegExp(pattern).test(name)))
            .map(([all]) => all),
        [],
    );
});

test('every make target, npm script and command of the tool that is named exists', () => {
    const targets = new Set(textOf('Makefile').match(/^[\w-]+(?=:)/gm));
    const {scripts} = JSON.parse(textOf('package.json'));
    const commands = new Set(
        [...textOf('src/cli/main.c').matchAll(/^ {4}\{"(\w+)", command_/gm)].map(
            ([, name]) => name,
        ),
    );
    const tool = named(/\bheadlight ([a-z]+)\b(?![./-])/g).filter(([, name]) => name !== 'figure');
    const made = named(/^(?:\$ )?make ([a-z][\w-]*)/g);
    assert.ok(tool.length > 10 && made.length > 5, 'there are some');
    assert.deepEqual(
        [
            made.filter(([, name]) => !targets.has(name)),
            named(/\bnpm run ([\w-]+)/g).filter(([, name]) => !scripts[name]),
            tool.filter(([, name]) => !commands.has(name)),
        ],
        [[], [], []],
    );
});

/** Sources that people read, and their text. */
const SOURCES = ['src', 'web', 'tests', 'build'].flatMap(folder =>
    readdirSync(join(root, folder), {recursive: true})
        .map(name => join(folder, String(name)))
        .filter(file => /\.(c|h|mjs|js|py)$/.test(file) && !/node_modules|build\/out/.test(file)),
);

test('files that comments of sources point to are there', () => {
    const dead = SOURCES.flatMap(file => {
        const comments = textOf(file).match(/\/\*[\s\S]*?\*\/|\/\/.*/g) ?? [];
        return comments
            .flatMap(
                text =>
                    text.match(
                        /(?<![\w./-])(?:src|web|tests|docs)\/[\w./-]+\.(?:c|h|m?js|md|py)\b/g,
                    ) ?? [],
            )
            .filter(name => !existsSync(join(root, name)))
            .map(name => `${file}: ${name}`);
    });
    assert.deepEqual(dead, []);
    const outside = SOURCES.filter(file =>
        /\.\.\/shared\/reference|reference\/[\w-]+\.md/.test(textOf(file)),
    );
    assert.deepEqual(
        outside.filter(file => !file.endsWith('docs.test.mjs')),
        [],
    );
});

test('what comments of web/ and its documents call a file by a short name is one of theirs', () => {
    const all = [...SOURCES, ...readdirSync(join(root, 'web'), {recursive: true}).map(String)];
    const names = new Set(all.map(file => basename(file)));
    const scripts = SOURCES.filter(file => file.startsWith('web/'));
    const NO_FILES = ['transformers.js', 'worker-classic.js', 'worker-full-classic.js']; // a library; what a build writes
    const named = file =>
        (file.endsWith('.md')
            ? [textOf(file)]
            : (textOf(file).match(/\/\*[^]*?\*\/|\/\/.*/g) ?? [])
        )
            .map(text => text.replace(/import\('[^']*'\)/g, ''))
            .flatMap(
                text => text.match(/(?<![\w./<>-])(?:[\w-]+\/)*[\w-]+\.(?:m?js|css|c|h)\b/g) ?? [],
            )
            .filter(name => !NO_FILES.includes(name))
            .map(name => ({file, name}));
    const places = file => ['.', 'web', 'src', 'web/views', dirname(file), dirname(dirname(file))];
    const is = ({file, name}) =>
        name.includes('/')
            ? places(file).some(place => existsSync(join(root, place, name)))
            : names.has(name);
    const found = [...scripts, 'docs/web.md', 'docs/adding.md'].flatMap(named);
    assert.ok(found.length > 500, `${found.length} names`);
    assert.deepEqual(
        found.filter(one => !is(one)),
        [],
    );
});

test('the example in the heading of pass.h compiles', () => {
    const [, lines] = /^ \*\n((?: \* {5}.*\n)+)/m.exec(textOf('src/model/pass.h'));
    const code = lines.replace(/^ \* {5}/gm, '');
    const source = `#include "model/pass.h"
const float *example(const weights *w, input text, input changed, int keep, int layer, arena scratch, error err);
const float *example(const weights *w, input text, input changed, int keep, int layer, arena scratch, error err) {
    const weights weights = *w;
${code}
    return attention;
}`;
    const flags = [
        '-std=c11',
        '-Wall',
        '-Wextra',
        '-Wpedantic',
        '-Werror',
        '-fsyntax-only',
        '-Isrc',
    ];
    const {status, stderr} = spawnSync(process.env.CC ?? 'cc', [...flags, '-xc', '-'], {
        cwd: root,
        input: source,
        encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
});
