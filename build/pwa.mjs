/* pwa - makes the built site installable: the build's name in the addresses of scripts and styles
 * (so that no cache mixes two builds), and sw.js with the list of the files that it keeps, each
 * with its hash. Of several models only the first of the menu is kept from the start; others are
 * kept when they are used (web/files/cache.js). Attention of published models is fetched when asked
 * for, and so is everything for several threads, in whose place that for one will do, and the file for
 * models of two stacks.
 */
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {relative} from 'node:path';
import {BUILD, bundle, filesBelow, sha256} from './bundle.mjs';

const LEFT_OUT =
    /(^sw\.js|\.map|\.md|^headlight-(full(-relaxed)?-threads|two(-relaxed)?)\.wasm|^published\/.*\.safetensors)$/;

/** `main.js` becomes `main.js?v=...` in every page of the site. @param {string} site
 * @param {string} build */
async function stampPages(site, build) {
    for (const name of (await readdir(site)).filter(file => file.endsWith('.html'))) {
        const html = await readFile(`${site}/${name}`, 'utf8');
        await writeFile(
            `${site}/${name}`,
            html.replace(/((?:src|href)="[\w/-]+\.(?:js|css))"/g, `$1?v=${build}"`),
        );
    }
}

/** @param {string} site @param {string[]} models the folders of the menu */
async function listFiles(site, [, ...otherModels]) {
    const paths = (await filesBelow(site))
        .map(file => relative(site, file).replaceAll('\\', '/'))
        .filter(
            path => !LEFT_OUT.test(path) && !otherModels.some(folder => path.startsWith(folder)),
        );
    return Promise.all(
        paths.map(async path => ({path, hash: sha256(await readFile(`${site}/${path}`))})),
    );
}

/** Last of all steps: every file must be there. @param {string} site @param {{url: string}[]} menu
 * @param {string} [build] */
export async function makeInstallable(site, menu, build = BUILD) {
    await stampPages(site, build);
    const files = await listFiles(
        site,
        menu.map(({url}) => url),
    );
    const version = `${build}-${sha256((await readFile('web/sw.js', 'utf8')) + JSON.stringify(files)).slice(0, 12)}`;
    await bundle({
        entryPoints: ['web/sw.js'],
        outfile: `${site}/sw.js`,
        format: 'iife',
        define: {HEADLIGHT_SITE: JSON.stringify({version, files})},
    });
    return version;
}
