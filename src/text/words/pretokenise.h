/* pretokenise - the second part of the pipeline: a list of steps, each of which cuts the words of
 * the one before into smaller ones, and may change their text (Hugging Face's pre-tokenizers;
 * "Sequence" is the list itself). No token crosses the end of a word.
 *
 * To add a step: its kind and what it needs to know here; a function from words to words, in a file
 * of its own when it is more than a few lines (declared below), and its case in pretokenise.c; its
 * row in the table of tokenizer_steps.c, which reads it from tokenizer.json.
 *   A step that only cuts gives parts of each word to word_parts_add, and word_parts_end makes words
 * of them as `cut` says; out->text is in->text. A step that changes the text writes a new one.
 */
#ifndef TEXT_WORDS_PRETOKENISE_H
#define TEXT_WORDS_PRETOKENISE_H

#include "text/normalise/normal_text.h"
#include "text/words/patterns.h"

typedef enum pre_kind {
    PRE_BERT,       /* BertPreTokenizer */
    PRE_BYTE_LEVEL, /* ByteLevel: GPT-2's pattern (or none), and bytes as characters */
    PRE_SPLIT,      /* Split by one of the patterns that are known here, or by a plain text */
    PRE_CLASS,      /* Digits, Punctuation, WhitespaceSplit: by the kind of single characters */
    PRE_METASPACE,
} pre_kind;

/* What becomes of the parts of a word that a pattern finds (its matches) and the parts between. */
typedef enum cut_rule {
    CUT_ISOLATED,        /* each part is a word */
    CUT_REMOVED,         /* matches go */
    CUT_MERGED_PREVIOUS, /* a match goes with the part before it, the first only of a row of them */
    CUT_MERGED_NEXT,
    CUT_CONTIGUOUS, /* a row of matches is one word */
} cut_rule;

/* Metaspace: where a mark goes before a word that has none, and whether each mark begins a word. */
typedef enum prepend_rule { PREPEND_ALWAYS, PREPEND_FIRST, PREPEND_NEVER } prepend_rule;
typedef struct metaspace {
    span mark; /* in place of a space */
    prepend_rule prepend;
    bool split;
} metaspace;

typedef struct pre_step {
    pre_kind kind;
    cut_rule cut;
    const word_pattern *pattern; /* NULL: none; its words are the matches */
    span literal;                /* of PRE_SPLIT without a pattern: each one found is a match */
    bool invert;                 /* of PRE_SPLIT: what is no match is one */
    bool prefix_space;           /* of PRE_BYTE_LEVEL: a word that begins with no space gets one */
    int what;                    /* of PRE_CLASS: UNICODE_ bits of the matches */
    metaspace metaspace;         /* of PRE_METASPACE */
} pre_step;

typedef struct pre_steps {
    pre_step *at;
    int count; /* 0: "pre_tokenizer": null, all is one word */
} pre_steps;

typedef struct word_place {
    size_t from, to;
} word_place;

/* A text and its words: in their order, none of them empty, with gaps where something was removed. */
typedef struct words {
    normal_text text;
    word_place *at;
    size_t count, room;
    bool first; /* the text begins where the reader's begins */
} words;

/* Appends a word; one that is empty is left out. False: no memory. */
bool words_add(words *w, size_t from, size_t to, arena *a);

/* The parts of one word, in their order, without gaps. */
typedef struct word_part {
    size_t from, to;
    bool match;
} word_part;
typedef struct word_parts {
    word_part *at;
    size_t count, room;
} word_parts;

/* Appends a part; one that is empty is left out. */
bool word_parts_add(word_parts *p, size_t from, size_t to, bool match, arena *a);
/* Makes words of all parts, and forgets them. */
bool word_parts_end(word_parts *p, cut_rule cut, words *out, arena *a);

/* Bytes from..to of `text` (a segment between two added tokens) into words; first: they begin where
 * the reader's text begins. All memory is of `a`. */
bool pretokenise(const pre_steps *steps, const normal_text *text, size_t from, size_t to,
    bool first, words *out, arena *a);

bool pretokenise_metaspace(const metaspace *m, const words *in, words *out, arena *a);

/* BertPreTokenizer's next word at or after *to; false at the end. Start with *to = 0. */
bool pretokenise_bert_next(const char *text, size_t size, size_t *from, size_t *to);

#endif
