/* sentence_folder - the files that make a model folder one of sentence-transformers: which modules,
 * and which pooling.
 */

const module = (name, path, idx) => ({
    idx,
    name: String(idx),
    path,
    type: `sentence_transformers.models.${name}`,
});

/** pooling: a member of 1_Pooling/config.json, as versions before 5 write it; more: modules after
 * it. @param {string} pooling @param {string[]} [more] @returns {Record<string, Buffer>} */
export const sentenceFiles = (pooling, more = ['Normalize']) => ({
    'modules.json': Buffer.from(
        JSON.stringify([
            module('Transformer', '', 0),
            module('Pooling', '1_Pooling', 1),
            ...more.map((name, i) => module(name, `${i + 2}_${name}`, i + 2)),
        ]),
    ),
    '1_Pooling/config.json': Buffer.from(JSON.stringify({[pooling]: true})),
});
