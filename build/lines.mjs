#!/usr/bin/env node
/* lines - the size of web/ against its record: node build/lines.mjs [--rooms], a part of make check.
 * Three things are measured apart: the shim (worker/ and engine/, all that stands between the page and C),
 * a first visit (the files that a visit fetches before its first picture), and the workbench (all of it,
 * most of which a press fetches). More than build/lines.json allows in any row of the whole is refused.
 *     node build/lines.mjs --record    allows what there is now: in a commit that says why
 */
import {readFileSync, writeFileSync} from 'node:fs';
import {build, transform} from 'esbuild';
import {filesBelow} from './bundle.mjs';
import {firstVisit, sized, verdict} from './lines_of.mjs';

const RECORD = 'build/lines.json';

/** Each file of web/ with its text and, of JavaScript, its size minified. */
async function readAll() {
    const paths = (await filesBelow('web')).filter(path => !path.includes('node_modules'));
    return Promise.all(
        paths
            .filter(path => /\.(js|css|json|webmanifest|html|d\.ts)$/.test(path))
            .map(async path => {
                const text = readFileSync(path, 'utf8');
                const {code} = path.endsWith('.js')
                    ? await transform(text, {minify: true, charset: 'utf8', format: 'esm'})
                    : {code: ''};
                return {path, lines: text.split('\n').length - 1, bytes: Buffer.byteLength(code)};
            }),
    );
}

/** What imports what, by esbuild: it follows each import as the site's build does. */
async function imports() {
    const {metafile} = await build({
        entryPoints: firstVisit.entries,
        bundle: true,
        splitting: true,
        format: 'esm',
        write: false,
        metafile: true,
        outdir: 'build/out/lines',
        logLevel: 'error',
    });
    return metafile.inputs;
}

const files = await readAll();
const now = sized(files, firstVisit.closure(await imports()));
if (process.argv.includes('--record')) writeFileSync(RECORD, `${JSON.stringify(now, null, 4)}\n`);
const {table, over} = verdict(now, JSON.parse(readFileSync(RECORD, 'utf8')), {
    rooms: process.argv.includes('--rooms'),
});
console.log(table);
if (over.length) {
    console.error(
        `lines: ${over.join('; ')}. Take lines away, or allow them with a reason: node build/lines.mjs --record`,
    );
    process.exit(1);
}
