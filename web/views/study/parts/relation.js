/* relation - the name of a relation of a treebank: its code and what that says. A subtype has the words of the relation
 * that it is one of.
 */

/** @param {string} code such as nsubj:pass
 * @param {{relationWords: Record<string, string>, withWords: (code: string, said: string) => string}} t */
export function relationName(code, {relationWords, withWords}) {
    const said = relationWords[code.split(':')[0]];
    return said && said !== code ? withWords(code, said) : code;
}
