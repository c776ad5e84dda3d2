/* labels - labels of a token classifier (parts of speech, names), in the form of the words that a
 * masked-language model predicts (needs.js, Fill), so that rows, table and panel of the head view
 * show both alike. A word of several tokens has the label of its first one, as transformers' token
 * classification with aggregation_strategy "first"; added tokens ([CLS], [SEP]) have none. So do the rows of a decoder: the
 * token that is predicted there (session/two.js).
 */
import {remember} from '../../draw/memo.js';

/** @type {(pass: import('../../worker/worker.js').Pass) => import('../needs.js').Fill[]} */
export const wordLabels = remember(
    ({prediction, tokens, said}) =>
        said ??
        (prediction?.task === 'token_labels'
            ? prediction.tokens.flatMap(({label, probability}, index) => {
                  const {sentence, word} = tokens[index];
                  const before = tokens[index - 1];
                  return sentence < 0 || (before?.sentence === sentence && before.word === word)
                      ? []
                      : [{index, words: [{id: -1, piece: label, probability}]}];
              })
            : []),
);
