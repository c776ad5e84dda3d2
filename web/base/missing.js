/* missing - a script of the page that cannot be fetched, as a sentence: a HeadlightError without its file, for what a
 * visit begins with.
 */

/** Nothing of what is shown is lost. @param {Error} error @returns {never} */
export function missingPart({message}) {
    const sentence = `a part of this page could not be fetched (${message}); reload the page`;
    throw Object.assign(new Error(sentence), {name: 'HeadlightError', category: 'network'});
}
