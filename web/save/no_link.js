/* no_link - why what is shown has no link: a file or a folder of the reader's stands in no address.
 */

/** The sentence, '' when it has one.
 * @param {Pick<import('../base/shared.js').Shared, 't' | 'shown'>} props */
export const whyNoLink = ({t, shown: {imported, picked}}) =>
    imported && !imported.two ? t.save.importedHint : picked ? t.save.folderHint : '';
