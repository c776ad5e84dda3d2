/* ambient - modules that come without types; what is used of them is small and tested; and what
 * TypeScript's DOM lacks. */
declare module 'd3-scale';
declare module 'd3-shape';
declare module 'd3-scale-chromatic';
/* Put in by the bundler (build/bundle.mjs). */
declare const HEADLIGHT_BUILD: string | undefined;
declare const HEADLIGHT_MENU: string[] | undefined;
declare const HEADLIGHT_RELAXED: boolean | undefined;
declare const HEADLIGHT_VERSION: string | undefined;
declare const HEADLIGHT_INDEXES: boolean | undefined;
declare const HEADLIGHT_FILES: boolean | undefined;
declare const HEADLIGHT_SITE: {version: string; files: {path: string; hash: string}[]};
/* What boot.js has begun, for main.js. */
declare var headlightBoot: Promise<import('./app/boot.js').Booted> | undefined;
/* Node's own, for node.js. */
declare module 'node:buffer';
declare module 'node:crypto';
declare module 'node:fs/promises';
declare module 'node:os';
declare module 'node:path';
declare module 'node:process';
declare module 'node:url';
declare module 'node:worker_threads';

/** After an arrow key: WebKit otherwise takes focus() for a press of the mouse, and shows no ring.
 */
interface FocusOptions {
    focusVisible?: boolean;
}
