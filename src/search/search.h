/* search - questions to an index (index.h) and their answers.
 *
 *   find     words of a form, part of speech or relation, in the order of the corpus
 *   like     the tokens nearest to a token, by the cosine of their rows of `hidden.L`
 *   context  the same by what chosen heads bring: the mean of their cosines in `context.L`
 *   head     what a head does: its queries and their keys of largest weight, of both of which a form,
 *            part of speech or relation can be asked for; ranked by what the head moves
 *   heads    every head: its mean largest weight, what it moves, where its keys lie; how often it has the
 *            same key as a chosen head
 *
 * All are exact: every token is looked at; sums of products are whole numbers times scales, in double.
 * Of equal ones the earlier comes first. A question is a JSON object (question.c), the answer another
 * one, or a table.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/json.h"
#include "search/index.h"
#include "text/corpus/names.h"

enum { ANY = -2, WORD_LONGEST = 256 }; /* bytes of a form that tell it from others */

/* What is asked of a word: ANY, or a number; NONE where the corpus has no such word, so that nothing
 * is found. */
typedef struct wanted {
    span word, tag, relation; /* as given; size 0: any */
} wanted;

typedef enum ask_kind { ASK_FIND, ASK_LIKE, ASK_CONTEXT, ASK_HEAD, ASK_HEADS } ask_kind;
typedef enum ask_texts { TEXTS_ANY, TEXTS_SAME, TEXTS_OTHER } ask_texts;
typedef enum ask_show { SHOW_TOP, SHOW_DECILES, SHOW_RANDOM } ask_show;

typedef struct question {
    span source; /* as given */
    ask_kind kind;
    int layer, head;         /* head -1: of heads, none is chosen */
    const json_value *heads; /* of context; NULL: all */
    int sentence, token;     /* of like and context, in the index */
    wanted match, key;       /* match: the query of a head */
    int offset_from, offset_to;
    /* of a head: the relation by which the key is the query's governor, or depends on it; size 0: any
     * key, "any": by any relation */
    span governor, dependent;
    ask_texts texts; /* are query and key in the same one of a pair? */
    double weight;
    ask_show show;
    double seed;
    int rows, most; /* most: matches that count; 0: all */
    int csv;        /* 0: JSON, 1: rows, 2: bars */
    bool bars;
} question;

bool question_read(question *q, const text_index *x, const json_value *given);

/* The words of an index: tokens that share a number; their forms are in lower case. */
typedef struct words {
    int count;
    int *of_token; /* [N] -1: none */
    int *before;   /* [S + 1] */
    int *first;    /* [count + 1] token */
    int *form;     /* [count] number in `forms` */
    names forms;
} words;

bool words_read(words *w, const text_index *x);
/* In lower case, into out [room]; cut to it. */
span words_lower(span text, char *out, size_t room);

typedef struct match {
    int token, key; /* key -1: it is no pair */
    double value;   /* cosine, or what is moved */
} match;

typedef struct found {
    match *at; /* in the order of the answer */
    int64_t count;
    int64_t candidates; /* tokens that were looked at */
} found;

typedef struct search {
    const text_index *x;
    const words *words;
    question q;
    found found;
    const index_tensor *ids, *places, *tags, *relations;
    const index_tensor *keys, *weights, *moved, *governors; /* of `head` */
} search;

/* Is the token, or its word, what is wanted? */
typedef struct filter {
    int form, id; /* ANY, -1: nothing is; id: of an added token */
    /* 1 where the pattern fits [forms], where the label is what is asked for; NULL: nothing is */
    const unsigned char *forms, *tags, *relations;
} filter;
/* Is a label that one? Of a token that several words share (du: de, le) it names all: ADP+DET. */
bool label_is(span label, span wanted);
bool filter_read(filter *f, const search *s, const wanted *given, arena *scratch);
bool filter_takes(const filter *f, const search *s, int token);
static inline bool filter_any(const filter *f) {
    return f->form == ANY && f->id == ANY && !f->forms && !f->tags && !f->relations;
}
int search_sentence(const text_index *x, int token);
static inline bool search_is_added(const search *s, int token) {
    return index_i32(s->places, 3 * (int64_t)token) < 0;
}
/* The key of largest weight, -1 (with the error): it lies outside the sentence. */
int search_key(const search *s, int64_t token, int sentence);

bool search_nearest(search *s, arena *scratch); /* like, context */
bool search_find(search *s, arena *scratch);
bool search_head(search *s, arena *scratch);
/* Does the word of `above` govern the token's? */
bool search_governs(const search *s, int above, int token, int sentence);
/* JSON: 15 digits; of none, null. */
void search_write_number(writer *w, double value);
/* ,"rows": [{"layer", "head", ...}] of all heads; beside: of another index, or NULL. */
bool search_write_heads(writer *w, search *s, search *beside, arena *scratch);
/* picked [rows + 9] := which of the matches are shown; returns how many. */
int search_rows(const search *s, int *picked);

/* Of which the words are read when they are needed, into the memory of the index. */
typedef struct asked {
    const text_index *x;
    words *words;
} asked;

/* The same sentences in the same tokens? Else an error of x. */
bool search_alike(const text_index *x, const text_index *other);

/* Asks; beside: another index of the same corpus, whose bars for the same question stand beside (x NULL:
 * none). The answer lives in `out`. NULL: error of `of`. */
const char *search_ask(asked of, asked beside, span text, arena *out, arena *scratch);

#endif
