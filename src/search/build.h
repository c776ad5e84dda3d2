/* build - fills an index with what a model makes of the items of a corpus, in any order.
 */
#ifndef SEARCH_BUILD_H
#define SEARCH_BUILD_H

#include "measure/measure.h"
#include "search/index.h"
#include "text/corpus/corpus.h"

/* How much an item takes, found out before any is run. */
typedef struct build_size {
    int tokens;
    int bytes[2]; /* of A and B; -1: there is no B */
} build_size;

/* An item after a pass that kept attention, v, hidden and context. */
typedef struct build_pass {
    int index; /* among those of the text_index */
    const corpus *corpus;
    const corpus_item *item;
    const encoding *text;
    /* [item->word_count] the tokens of each word */
    const int *first, *count;
    const measure_input *in;
} build_pass;

uint64_t build_keeps(void); /* trace_bit of the tensors that it needs */

/* Adds to the names of tags and relations those of words that share their place in the text (du: de, le), joined
 * by + as ADP+DET, which tokens of them have. */
bool build_join_labels(const corpus *c, arena *memory, arena *scratch, error *err);
/* x: planned but for tokens, sentences and bytes, which the sizes [count] say; takes all memory. */
bool build_begin(text_index *x, const build_size *sizes, int count);
bool build_add(text_index *x, const build_pass *p, arena *scratch);

#endif
