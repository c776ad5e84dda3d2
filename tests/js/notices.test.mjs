/* notices - the licences in the products: of every package that web/ imports, in the npm package, the wheel, the site
 * and headlight.html; of a model that has its own, inside the page that holds it; what CITATION.cff says.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {commentOf, noticesText} from '../../build/notices.mjs';
import {headlight, root} from './lib/model.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'headlight-notices-'));
after(() => rmSync(scratch, {recursive: true}));
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const NOTICES = await noticesText();
const built = name => !existsSync(join(root, 'build/out', name)) && `build/out/${name} is not made`;

test('every package that web/ imports is named with its version and the text of its licence', () => {
    const imported = new Set();
    for (const file of readdirSync(join(root, 'web'), {recursive: true}))
        if (file.endsWith('.js') && !file.includes('node_modules'))
            for (const [, name] of read('web', file).matchAll(
                /^(?:import|\} from)\b.*'([a-z@][^'.]*)'/gm,
            ))
                if (!name.startsWith('node:')) imported.add(name.split('/')[0]);
    assert.ok(imported.has('preact') && imported.size > 3);
    for (const name of imported)
        assert.match(NOTICES, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
    assert.match(NOTICES, /preact-render-to-string[^]*Permission is hereby granted/);
});

test('so is what stands in every .wasm file beside our own code', () => {
    for (const said of [
        /^Emscripten's runtime \(MIT\)\n\nCopyright \(c\) 2010-2014 Emscripten authors/m,
        /^musl, Emscripten's C library \(MIT\)\n\nmusl as a whole is licensed under/m,
        /^Unicode data, [^\n]*\(Unicode-3\.0\)\n\nUNICODE LICENSE V3[^]*written\nauthorization of the copyright holder/m,
        /^utf8proc, [^\n]*\(MIT\)\n\nCopyright \(c\) 2014-2021 Steven G\. Johnson/m,
    ])
        assert.match(NOTICES, said);
    // whose libc it is that is linked
    const installed = '/usr/share/emscripten/system/lib/libc/musl/COPYRIGHT';
    if (existsSync(installed)) assert.ok(NOTICES.includes(readFileSync(installed, 'utf8').trim()));
});

test(
    'they are in the npm package, the site and the wheel',
    {skip: built('npm') || built('site') || built('wheel')},
    () => {
        assert.equal(read('build/out/npm/NOTICES.txt'), NOTICES);
        assert.equal(read('build/out/site/NOTICES.txt'), NOTICES);
        assert.equal(read('build/out/site/LICENSE'), read('LICENSE'));
        const [wheel] = readdirSync(join(root, 'build/out/wheel')).filter(name =>
            name.endsWith('.whl'),
        );
        const list =
            "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(next(z.read(n).decode() for n in z.namelist() if n.endswith('NOTICES.txt')), end='')";
        assert.equal(
            execFileSync('python3', ['-c', list, join(root, 'build/out/wheel', wheel)], {
                encoding: 'utf8',
            }),
            NOTICES,
        );
    },
);

test(
    'headlight.html has them, and the licence of its model, as text',
    {skip: built('headlight.html')},
    () => {
        const html = read('build/out/headlight.html');
        assert.ok(html.includes(commentOf(`${read('LICENSE')}\n${NOTICES}`)));
        const model = html.slice(html.indexOf('<!--model-->'), html.indexOf('<!--/model-->'));
        const apache = read('models/mini2-en/LICENSE');
        assert.ok(
            model.includes(commentOf(`The model mini2-en is under this licence:\n\n${apache}`)),
        );
    },
);

test(
    'headlight bundle: the licence of the model goes along, whatever stands in it',
    {skip: built('headlight.html')},
    () => {
        const folder = join(scratch, 'my--model');
        cpSync(join(root, 'models/mini-en'), folder, {recursive: true});
        writeFileSync(
            join(folder, 'LICENSE'),
            'Apache\n---\n--> <script>alert(1)</script> --!> end',
        );
        const out = join(scratch, 'page.html');
        const bundled = () => {
            const page = join(root, 'build/out/headlight.html');
            execFileSync(headlight, ['bundle', folder, '-o', out, '--page', page]);
            return readFileSync(out, 'utf8');
        };
        const html = bundled();
        const from = html.indexOf('<!--model-->') + '<!--model-->'.length;
        const comment = html.slice(from, html.indexOf('-->', from) + 3).trim();
        assert.match(
            comment,
            /^<!--\nThe model my- -model is under this licence:\n\nApache\n- - -\n- -> <script>alert\(1\)<\/script> - -!> end\n-->$/,
        );
        assert.ok(!html.includes('The model mini2-en is under'));
        rmSync(join(folder, 'LICENSE'));
        assert.ok(!bundled().includes('is under this licence'));
    },
);

test('CITATION.cff is of this release', () => {
    const {version, license} = JSON.parse(read('web/package.json'));
    const cff = read('CITATION.cff');
    assert.match(cff, new RegExp(`^version: ${version.replaceAll('.', '\\.')}$`, 'm'));
    assert.match(cff, new RegExp(`^license: ${license}$`, 'm'));
});
