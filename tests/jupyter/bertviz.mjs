/* bertviz - BertViz's three scripts, which its figures load from a CDN: copies from the npm registry, served
 * in their place, so that both packages are compared on a machine without a network.
 */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync} from 'node:fs';

const FOLDER = 'build/out/bertviz';
const PACKAGES = ['d3@5.7.0', 'jquery@2.2.4', 'requirejs@2.3.6'];
const FILES = {
    'require.min.js': 'requirejs/require.js',
    'd3.min.js': 'd3/dist/d3.min.js',
    'jquery.min.js': 'jquery/dist/jquery.min.js',
};

/** What loads the first of them, as BertViz writes it. */
export const REQUIRE =
    '<script src="https://cdnjs.cloudflare.com/ajax/libs/require.js/2.3.6/require.min.js"></script>';

/** Whether the copies are here, or can be had. */
export function hasScripts() {
    if (existsSync(`${FOLDER}/node_modules/requirejs`)) return true;
    mkdirSync(FOLDER, {recursive: true});
    try {
        const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
        execFileSync('npm', ['install', '--prefix', FOLDER, ...quiet, ...PACKAGES], {
            stdio: 'ignore',
        });
        return true;
    } catch {
        return false;
    }
}

/** Answers what BertViz asks the CDN for. @param {import('playwright-core').BrowserContext} context */
export const serveScripts = context =>
    context.route(/^https:\/\/cdnjs\.cloudflare\.com\//, route => {
        const file = FILES[new URL(route.request().url()).pathname.split('/').pop() ?? ''];
        return file
            ? route.fulfill({
                  contentType: 'text/javascript',
                  body: readFileSync(`${FOLDER}/node_modules/${file}`),
              })
            : route.abort();
    });
