/* spelled - the page's words say [CLS] and [SEP]; other models have other names for the tokens that a text
 * begins and ends with, such as <s> and </s>, or <|endoftext|> at its beginning only.
 */

/** The words with the names that this text's tokens have. @param {string} words
 * @param {readonly {piece: string, special?: boolean}[]} tokens of the text */
export function spelled(words, tokens) {
    const [first, last] = [tokens[0], tokens[tokens.length - 1]];
    return words
        .replace('[CLS]', first?.special ? first.piece : '[CLS]')
        .replace('[SEP]', tokens.length > 1 && last.special ? last.piece : '[SEP]');
}
