/* normalise - the first part of the pipeline: a list of steps, each of which makes a new text of
 * the one before (Hugging Face's normalizers; "Sequence" is the list itself).
 *
 * To add a step: its kind and what it needs to know here; a function from text to text, in a file of
 * its own when it is more than a few lines (normalise_<name>.c, declared below), and its case in
 * normalise.c; its row in the table of tokenizer_steps.c, which reads it from tokenizer.json.
 */
#ifndef TEXT_NORMALISE_NORMALISE_H
#define TEXT_NORMALISE_NORMALISE_H

#include "text/unicode/charsmap.h"
#include "text/normalise/normalise_bert.h"
#include "text/normalise/normalise_strings.h"

typedef enum normal_kind {
    NORMAL_BERT,          /* BertNormalizer */
    NORMAL_UNICODE,       /* NFC, NFD, NFKC, NFKD: the forms of Unicode (annex 15) */
    NORMAL_LOWERCASE,     /* one code point at a time, out of context */
    NORMAL_STRIP_ACCENTS, /* combining marks (M*) go */
    NORMAL_NMT,           /* control characters go, rare white space becomes a space */
    NORMAL_PRECOMPILED,   /* SentencePiece's own normaliser */
    NORMAL_REPLACE,
    NORMAL_PREPEND,
    NORMAL_STRIP,
} normal_kind;

/* Which of the forms. */
typedef struct unicode_form {
    const decompositions *canonical;
    const decompositions *compatible; /* of NFKC, NFKD, else NULL */
    const composition *compositions;  /* of NFC, NFKC, else NULL: parts stay parts */
} unicode_form;

typedef struct normal_step {
    normal_kind kind;
    bert_normaliser bert; /* of NORMAL_BERT */
    unicode_form form;    /* of NORMAL_UNICODE */
    charsmap map;         /* of NORMAL_PRECOMPILED */
    replacement replace;  /* of NORMAL_REPLACE */
    span prepend;
    bool left, right; /* of NORMAL_STRIP */
} normal_step;

typedef struct normal_steps {
    normal_step *at;
    int count; /* 0: "normalizer": null */
} normal_steps;

/* Normalises text, whose first code point has index `first`, into *out, in memory of `a`. Invalid
 * UTF-8 becomes U+FFFD. Returns the number of code points of `text`, -1 when there is no memory. */
int64_t normalise(const normal_steps *steps, span text, int64_t first, normal_text *out, arena *a);

/* A step with a file of its own: all of *in into *out, which has no room yet. */
bool normalise_unicode(const unicode_form *form, const normal_text *in, normal_text *out, arena *a);

#endif
