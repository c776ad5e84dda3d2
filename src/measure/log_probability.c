/* log_probability - the probability of one word at one position, as ln: the softmax over the whole
 * vocabulary. What a change does to a prediction is the difference of two of these, exact also where
 * the word is not among the most probable ones.
 */
#include "measure/measure.h"

#include "math/special.h"
#include "model/outputs.h"
#include "model/pass.h"

bool measure_log_probability(const measure_input *in, float *out, arena *scratch) {
    const weights *w = in->weights;
    int vocab = w->arch->vocab;
    if (!w->has_words)
        return error_set(scratch->err, "state",
            "this checkpoint has no masked-LM head, so it predicts no words");
    if (in->query >= in->tokens || in->word >= vocab)
        return error_set(scratch->err, "state",
            "there is no word %d at position %d; the text has %d tokens, the vocabulary %d words",
            in->word, in->query, in->tokens, vocab);
    float *logits = arena_take_raw_array(scratch, (size_t)vocab, sizeof *logits, "predictions");
    if (!logits || !outputs_words(in->run, w, in->query, 1, logits, scratch)) return false;
    softmax of = outputs_softmax(logits, vocab);
    *out = (float)(logits[in->word] - of.top - special_log(of.total));
    return true;
}
