/* sieves - the attention sieves of Pande et al. 2021 ("The Heads Hypothesis") on one text: for each
 * role the keys that belong to a query, and how much more of its attention a head gives to them than
 * it would if it looked at all keys alike (1 is even). As src/study/kinds/sieve.c has them, which counts
 * over a corpus: local is two tokens to either side and the token itself; delimiters are [CLS] and
 * [SEP]; the block is the words of the query's own sentence, and its score is times the entropy of the
 * row over the entropy of an even one. Syntactic sieves need trees, which a typed text has not. Pure.
 */
const REACH = 2;

/** @typedef {readonly {type: number, sentence: number, piece: string}[]} Tokens */

const isOpening = (/** @type {Tokens[number]} */ {sentence, piece}) =>
    sentence < 0 && /CLS|^<s>$/.test(piece);
const isDelimiter = (/** @type {Tokens[number]} */ {sentence}) => sentence < 0;

/** The sentence of a query as the published code has it: [CLS] counts as A, both [SEP] as B.
 * @param {Tokens[number]} token */
const blockOf = token => (token.sentence >= 0 ? token.sentence : isOpening(token) ? 0 : 1);

/** @type {Record<string, (tokens: Tokens, query: number, key: number) => boolean>} */
const BELONGS = {
    local: (_, query, key) => Math.abs(query - key) <= REACH,
    delimiter: (tokens, _, key) => isDelimiter(tokens[key]),
    cls: (tokens, _, key) => isOpening(tokens[key]),
    sep: (tokens, _, key) => isDelimiter(tokens[key]) && !isOpening(tokens[key]),
    block: (tokens, query, key) => tokens[key].sentence === blockOf(tokens[query]),
};

export const ROLES = Object.keys(BELONGS);

/** The keys of a role that belong to a query. @param {string} role @param {Tokens} tokens
 * @param {number} query */
export const sieveOf = (role, tokens, query) =>
    [...tokens.keys()].filter(key => BELONGS[role](tokens, query, key));

/** @param {number[]} row */
function evenness(row) {
    const entropy = row.reduce((sum, a) => (a > 0 ? sum - a * Math.log(a) : sum), 0);
    return entropy / Math.log(row.length);
}

/** The score of one query: mean weight of the keys in the sieve over the mean of all.
 * @param {string} role @param {Tokens} tokens @param {(i: number, j: number) => number} weight
 * @param {number} query */
export function queryScore(role, tokens, weight, query) {
    const keys = sieveOf(role, tokens, query);
    if (!keys.length) return null;
    const inside = keys.reduce((sum, key) => sum + weight(query, key), 0) / keys.length;
    const score = inside * tokens.length; // weights of a row sum to 1
    const row = [...tokens.keys()].map(key => weight(query, key));
    return role === 'block' ? score * evenness(row) : score;
}

/** Of the text: mean over the queries that the role has keys for; null where it has none.
 * @param {string} role @param {Tokens} tokens @param {(i: number, j: number) => number} weight */
export function sieveScore(role, tokens, weight) {
    const pair = [0, 1].every(wanted => tokens.some(({sentence}) => sentence === wanted));
    if (role === 'block' && !pair) return null;
    const scores = [...tokens.keys()]
        .map(query => queryScore(role, tokens, weight, query))
        .filter(score => score !== null);
    return scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : null;
}
