/* package - the npm package as others get it: packed, and installed from the tarball into a project
 * of its own.
 */
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from './model.mjs';

export const npm = (folder, ...args) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
        cwd: folder,
        encoding: 'utf8',
    });

/** A folder with head-light in its node_modules, and `files`, by name. Not from the registry: the
 * package needs no other. */
export function makeProject(t, files = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'head-light-'));
    t.after(() => rmSync(folder, {recursive: true}));
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const [{filename, files: packed}] = JSON.parse(
        npm(root, 'pack', 'build/out/npm', '--json', '--pack-destination', folder),
    );
    npm(folder, 'install', '--offline', '--ignore-scripts', `./${filename}`);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return {folder, packed: packed.map(({path}) => path).sort()};
}
