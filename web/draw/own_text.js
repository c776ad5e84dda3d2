/* own_text - title, note and labels that a reader has written for a figure (state: heading, note,
 * marks), made fit to be shown: no longer than a picture has room for, and without characters that
 * are invisible or change the direction of the text around them. A link can hold anything; what it
 * holds is text, never markup. Pure.
 */

/** How many characters are shown. */
export const MOST = Object.freeze({heading: 200, note: 600, label: 40});

// all control characters, and those that change the direction of what follows
const UNSEEN = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** @param {string} text @param {keyof typeof MOST} kind a note may have several lines */
const tidied = (text, kind) =>
    text
        .split(kind === 'note' ? /\r\n|[\r\n]/ : /$^/)
        .map(line => line.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim())
        .join('\n')
        .trim();

/** @param {string} text @param {keyof typeof MOST} kind */
export const ownText = (text, kind) => [...tidied(text, kind)].slice(0, MOST[kind]).join('').trim();

/** How many characters are too many. @param {string} text @param {keyof typeof MOST} kind */
export const overlong = (text, kind) => Math.max(0, [...tidied(text, kind)].length - MOST[kind]);
