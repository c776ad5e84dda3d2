/* corpus - many texts to study: sentences, pairs, tables, parsed sentences (CoNLL-U), texts with
 * marked coreference.
 *
 * The whole text is checked once; then items are read one by one, by number, in any order, so that
 * a study's memory does not grow with the corpus. Text is UTF-8 with or without a byte order mark,
 * lines end in \n or \r\n (in \r where the file has no \n at all), blank lines are skipped. Invalid
 * UTF-8 and zero bytes are refused with the line (the tokenizer alone would read U+FFFD there: a
 * corpus in another encoding would give wrong numbers silently). Offsets are code points of the
 * item's own text, as in `token`. The formats are described at their names below; the file format
 * of coreference at CORPUS_COREF.
 */
#ifndef TEXT_CORPUS_CORPUS_H
#define TEXT_CORPUS_CORPUS_H

#include "text/corpus/names.h"
#include "text/tokenizer.h"

/* CORPUS_AUTO takes the first of these that fits:
 *  GAP     the first line has the columns Text, Pronoun, Pronoun-offset, A, A-offset, A-coref, B,
 *          B-offset, B-coref
 *  JSONL, TSV, CSV  the options name a column: by what the file looks like
 *  CONLLU  the first line that is no "#" comment has 8 or more columns, the first of them 1, 1-2 or
 *          0.1 or the like;
 *          or a comment "# text =", "# sent_id =" or "# global.columns =" stands before it
 *  TSV     the first line has columns with usual names (see corpus_options)
 *  JSONL   it begins with an object, or with a list of such
 *  COREF   anywhere a mark ends: |7] or |7*]
 *  CSV     rows of as many cells between commas (or semicolons), and quotes, or a first line of names
 *  TSV     each line has one tab, and the words on one side are few (labels) and on the other texts
 *  PAIRS   the first line has exactly one tab
 *  LINES   everything else, but what looks like words a line (CoNLL-2003) or like a table of which nobody
 *          says what its columns are: these are refused, with the question */
typedef enum corpus_format {
    CORPUS_AUTO,
    CORPUS_LINES, /* one text a line */
    CORPUS_PAIRS, /* two texts a line, one tab between them */
    /* columns between tabs, named by the first line; quotes are plain characters, as in GLUE; where options give
     * columns by number, from 1, or one of two columns holds labels, there is no line of names */
    CORPUS_TSV,
    CORPUS_CONLLU, /* Universal Dependencies; the text is "# text =", or made from the forms and SpaceAfter=No. Empty
                     * nodes are left out. Words of a multiword token have their part of its surface when their forms make
                     * it up exactly (haven|'t), else each has the whole of it (im: in, dem). All words have a governor or
                     * _ ; a tree has one root and no cycle. CoNLL-U Plus says its columns in "# global.columns =". */
    CORPUS_COREF, /* one text a line, mentions marked: The [cat|1] is sad because [it|1*] could not find [food|2].
                     * Text, |, number of the entity (1 to 999999999), * if it is a pronoun. Mentions may be nested:
                     * [[her|1*] mother|2]. \[ \] \| \\ stand for the characters themselves (| only needs it within a
                     * mention). A tab separates sentence A from sentence B. */
    /* GAP's TSV: the pronoun is entity 1; A and B are too where their flag is TRUE, else 2 and 3 */
    CORPUS_GAP,
    CORPUS_CSV,   /* the same table with commas or semicolons, and quotes as in RFC 4180 */
    CORPUS_JSONL, /* a JSON object a line, whose members are the columns */
    CORPUS_FORMATS
} corpus_format;

/* Names of TSV columns; empty ones (size 0) are looked for. Without column_a: sentence1 and
 * sentence2, question1 and question2, question and sentence, premise and hypothesis, "#1 String"
 * and "#2 String", text_a and text_b, sentence, text (the first that are there). A column_a alone
 * is a single text. Without column_label: label, gold_label, Quality, is_duplicate, or none. */
typedef struct corpus_options {
    corpus_format format;
    span column_a, column_b, column_label;
} corpus_options;

enum { CORPUS_ROOT = -1, CORPUS_NONE = -2 };

typedef struct corpus_word {
    int sentence; /* 0 or 1 */
    int from, to; /* code points of that sentence's own text */
    int governor; /* index of a word of this item, CORPUS_ROOT, CORPUS_NONE (_ in the file) */
    int relation; /* index into corpus.relations (full name, e.g. "nsubj:pass"), -1 none */
    int tag;      /* index into corpus.tags (UPOS), -1 none */
} corpus_word;

typedef struct corpus_mention {
    int sentence, from, to;
    int entity;   /* mentions of one entity have the same number */
    bool pronoun; /* candidate antecedents have pronoun false */
} corpus_mention;

typedef struct corpus_item {
    span text[2];
    /* false: text[1] is empty with at NULL, as tokenizer_encode wants it */
    bool has_b;
    span label;         /* empty without a label column */
    int label_number;   /* index into corpus.labels, -1 none */
    int line;           /* where the item begins in the file, from 1 */
    corpus_word *words; /* CONLLU, in order of the text */
    int word_count;
    /* COREF, GAP, in order of their beginnings; an outer one before those within it */
    corpus_mention *mentions;
    int mention_count;
} corpus_item;

typedef struct corpus {
    int count;                        /* items, at least 1 */
    corpus_format format;             /* never CORPUS_AUTO */
    names *relations, *tags, *labels; /* ->at[i], ->count */
    /* the rest is the readers' */
    span text;
    struct corpus_place *places; /* [count] */
    int columns[10],
        column_count; /* TSV, CSV, JSONL, GAP: which columns are read; CONLLU: where each is */
    char separator;   /* of columns */
    bool headless;    /* a table without a line of names */
    span keys[3];     /* JSONL: the members that are read */
    /* rows of a table that are none, and are left out: how many, and why the first is; more than one in a
     * hundred (and than one of ten) are an error */
    int left_out;
    char why[200];
} corpus;

/* Checks the whole text, which must outlive the corpus, and finds its items. Errors are of category
 * "text" and name the line and what was expected; a corpus without any item is one. options NULL:
 * all found out. Give the arenas and the calls one and the same error, which must be clear. */
bool corpus_open(corpus *c, arena *memory, span text, const corpus_options *options, error *err);

/* Item 0..count-1. It lives in `scratch` and in the text; fails only on memory. Any number of
 * readers may read one corpus. */
bool corpus_read(const corpus *c, int index, corpus_item *item, arena *scratch, error *err);

/* "lines", "pairs", "tsv", "conllu", "coref", "gap", "csv", "jsonl"; and back ("auto" too), -1 when it is none. */
const char *corpus_format_name(corpus_format format);
int corpus_format_number(span name);

/* Which tokens a word is made of: first [word_count], count [word_count], tokens first[i] ..
 * first[i]+count[i]-1 of the encoding of this item's texts. A token that reaches over several words
 * belongs to the first of them; words with the same range (im: in, dem) have the same tokens. count
 * 0: cut off, or nothing of it is left for it; a word cut in its middle keeps its first pieces.
 * Takes O(words + tokens). */
void corpus_align(const corpus_item *item, const encoding *tokens, int *first, int *count);
/* The tokens that touch from..to of a sentence: for mentions, which may be nested. */
void corpus_align_range(const encoding *tokens, int sentence, int from, int to, int *first,
    int *count);

#endif
