/* missing - the sentence about a script of the page that cannot be fetched; nothing of what is shown is lost.
 */

/** @param {Error} error */
export const missingPart = ({message}) =>
    `a part of this page could not be fetched (${message}); reload the page`;
