/* normalise_bert - BertNormalizer of the Rust library: cleaning, spaces around ideographs, accents,
 * lower case, each or none of them.
 */
#ifndef TEXT_NORMALISE_NORMALISE_BERT_H
#define TEXT_NORMALISE_NORMALISE_BERT_H

#include "text/normalise/normal_text.h"

/* What is done; all false: nothing ("normalizer": null). */
typedef struct bert_normaliser {
    bool clean, chinese, strip, lower;
    const decompositions *canonical; /* where accents are stripped, */
    unsigned char ascii[128];        /* and what each becomes: set by bert_normaliser_prepare */
} bert_normaliser;

/* Working memory of the normaliser, kept from block to block. Start from zero. */
typedef struct normal_work {
    normal_text text;
    /* combining marks waiting for their order; the second half is for sorting */
    struct mark *marks;
    size_t count, room;
} normal_work;

/* Completes rules whose first four are set. False: no memory. */
bool bert_normaliser_prepare(bert_normaliser *rules, arena *a);
/* Gives work room for texts of that many bytes. */
bool normal_reserve(normal_work *work, size_t bytes, arena *a);
/* Normalises text, whose first code point has index `first`, into work->text. Returns the number of
 * its code points, -1 when there is no memory. */
int64_t normalise_bert(const bert_normaliser *rules, span text, int64_t first, normal_work *work,
    arena *scratch);

#endif
