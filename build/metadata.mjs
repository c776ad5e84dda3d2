/* metadata - of a package, besides its own manifest, for registries: where its source is. A build knows
 * that from HEADLIGHT_REPOSITORY, or on GitHub from the repository that it runs in; else nothing is said.
 * `node build/metadata.mjs TAG` fails unless all sources say the version of that tag.
 */
import {readFile} from 'node:fs/promises';
import process, {argv, env} from 'node:process';

/** The address of the repository, '' where nobody says it. @param {Record<string, string | undefined>} [from] */
export function repositoryOf(from = env) {
    const {HEADLIGHT_REPOSITORY: own, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name} = from;
    const url = own || (server && name ? `${server}/${name}` : '');
    if (!url || /^https:\/\/[^\s"<>]+$/.test(url)) return url.replace(/(\.git)?\/*$/, '');
    throw new Error(
        `HEADLIGHT_REPOSITORY is ${url}; an address that begins with https:// was expected`,
    );
}

/** Of the npm package. @param {string} url @returns {object} */
export const npmUrls = url =>
    url
        ? {
              homepage: `${url}#readme`,
              bugs: {url: `${url}/issues`},
              repository: {type: 'git', url: `git+${url}.git`, directory: 'web'},
          }
        : {};

/** Of the wheel, by the labels that PyPI knows. @param {string} url @returns {Record<string, string>} */
export const wheelUrls = url =>
    url
        ? {
              Source: url,
              Issues: `${url}/issues`,
              Documentation: `${url}/blob/main/docs/notebooks.md`,
              Changelog: `${url}/blob/main/CHANGELOG.md`,
          }
        : {};

/** What is wrong with a tag, '' when it is the version of all sources. @param {string} tag @param {Record<string, string>} versions */
export function tagFault(tag, versions) {
    const wrong = Object.entries(versions).filter(([, version]) => `v${version}` !== tag);
    return wrong.length
        ? `the tag is ${tag}, but ${wrong.map(([file, version]) => `${file} says ${version}`).join(', ')}`
        : '';
}

/** The version as each file says it. */
const VERSIONS = {
    'web/package.json': /"version": "(.+)"/,
    'src/headlight.h': /#define HL_RELEASE "(.+)"/,
    'python/head_light/version.py': /__version__ = "(.+)"/,
    'CITATION.cff': /^version: (.+)$/m,
};

/** @returns {Promise<Record<string, string>>} */
export async function versions() {
    const rows = Object.entries(VERSIONS).map(async ([file, pattern]) => {
        const [, version = 'none'] = pattern.exec(await readFile(file, 'utf8')) ?? [];
        return [file, version];
    });
    return Object.fromEntries(await Promise.all(rows));
}

const [, script, tag] = argv;
if (tag && script?.endsWith('metadata.mjs')) {
    const fault = tagFault(tag, await versions());
    if (fault) console.error(fault);
    process.exitCode = fault ? 1 : 0;
}
