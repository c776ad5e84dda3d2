/* Files of more than 500 lines: each is named here with the subject that it has whole. Splitting one subject
 * into two files helps no reader (design.md, 2), but a file that grows past the limit without anyone
 * deciding so has mostly two subjects. A file that has become shorter leaves the list.
 */
import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

const LIMIT = 500;

/** Path without a language or an ending: why it is one file. */
const WHOLE = {
    'src/study/kinds/claims_list.c': 'a table: one entry for each published claim',
    'web/worker/passes.js': 'the life of a pass: kept, run again, shared, released',
    'web/worker/wasm.js': 'the only file that sees linear memory',
    'web/worker/worker.js': 'the protocol of the worker, an operation after the other',
    'web/package/api.js': 'models, results and indexes of the package, over one engine',
    'web/package/head-light.d.ts': 'the types of the package, which are its manual',
    'web/words/dialogs': 'words: a translator has a part of the page in one file',
    'web/words/studies': 'words',
    'web/words/views': 'words',
    'tests/c/test_claims.c': 'each published claim on answers made by hand',
    'tests/c/test_config.c': 'every bad config of the list',
    'tests/c/test_measure.c': 'every measure on attention made by hand',
    'tests/c/test_session.c': 'every bad call of headlight.h of the list',
    'tests/c/test_study_kinds.c': 'every kind of study: merged, forged, out of memory',
    'tests/c/test_tokenizer_files.c': 'every bad tokenizer file of the list',
    'tests/js/element.test.mjs': 'what a page of others can do to the element, without a browser',
    'tests/js/engine_wasm.test.mjs': 'the engine on the wasm: what is held, run again, cancelled',
    'tests/js/hub.test.mjs': 'every way in which a hub misbehaves',
    'tests/js/model_view.test.mjs': 'the model view without a browser',
    'tests/js/search.test.mjs': 'questions to an index, each kind against brute force',
    'tests/browser/beside.test.mjs': 'two figures, in whatever they differ',
    'tests/browser/element.test.mjs': 'what a page of others can do to the element',
    'tests/browser/first.test.mjs': 'the first minute',
    'tests/browser/phone.test.mjs': 'the page on a phone',
};

const nameOf = path => path.replace(/^(web\/words)\/\w+\/(\w+)\.js$/, '$1/$2');

test('a file of more than 500 lines is one that is named, with its subject', () => {
    const long = ['src', 'web', 'tests', 'build'].flatMap(folder =>
        readdirSync(join(root, folder), {recursive: true})
            .map(name => `${folder}/${name}`.replaceAll('\\', '/'))
            .filter(path => /\.(c|h|js|mjs|css|ts)$/.test(path))
            .filter(path => !/node_modules|^build\/out|^tests\/golden/.test(path))
            .filter(path => readFileSync(join(root, path), 'utf8').split('\n').length - 1 > LIMIT),
    );
    const sheets = long.filter(path => path.endsWith('.css')); // styles.test.mjs counts those
    assert.deepEqual(
        [...new Set(long.filter(path => !sheets.includes(path)).map(nameOf))].sort(),
        Object.keys(WHOLE).sort(),
    );
});
