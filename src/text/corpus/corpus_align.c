/* corpus_align - aligns the words and mentions of a corpus with the tokens of an encoding; the
 * rules are in corpus.h. By offsets only, so that repeated words are never mixed up.
 */
#include "text/corpus/corpus.h"

static bool same_range(const corpus_word *a, const corpus_word *b) {
    return a->sentence == b->sentence && a->from == b->from && a->to == b->to;
}

void corpus_align(const corpus_item *item, const encoding *tokens, int *first, int *count) {
    int at = 0;
    for (int i = 0; i < item->word_count; i++) {
        const corpus_word *word = &item->words[i];
        if (i && same_range(word, word - 1)) {
            first[i] = first[i - 1];
            count[i] = count[i - 1];
            continue;
        }
        for (const token *t; at < tokens->count; at++) {
            t = &tokens->tokens[at];
            if (t->sentence > word->sentence ||
                (t->sentence == word->sentence && t->to > word->from))
                break;
        }
        first[i] = at;
        for (const token *t; at < tokens->count; at++) {
            t = &tokens->tokens[at];
            if (t->sentence != word->sentence || t->from >= word->to) break;
        }
        count[i] = at - first[i];
    }
}

void corpus_align_range(const encoding *tokens, int sentence, int from, int to, int *first,
    int *count) {
    *first = *count = 0;
    for (int i = 0; i < tokens->count; i++) {
        const token *t = &tokens->tokens[i];
        if (t->sentence != sentence || t->to <= from || t->from >= to) continue;
        if (*count == 0) *first = i;
        *count = i + 1 - *first;
    }
}
