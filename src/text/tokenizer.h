/* tokenizer - text to token ids, equal to Hugging Face's Rust library `tokenizers` id for id and
 * offset for offset: a pipeline, of which each part has a file:
 *   added          [MASK] and others are cut out of the raw text
 *   normalise      a list of steps from text to text: BertNormalizer, NFC, Precompiled (charsmap), ...
 *   pretokenise    a list of steps that cut it into words: BertPreTokenizer, ByteLevel,
 *                  Metaspace, ...
 *   model          pieces of words: wordpiece, bpe, unigram (vocab: their table; plain, known: words
 *                  of ASCII quickly)
 *   template       [CLS] A [SEP] B [SEP], or what the file says; and how offsets are trimmed
 * A step says in its header how another is added. Several are read from files by tokenizer_*.c.
 * Rules: those of the library; docs/exactness.md says how the two are compared.
 * Not here: reading files (spans come in), the session.
 */
#ifndef TEXT_TOKENIZER_H
#define TEXT_TOKENIZER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "text/template.h"

#include <stdint.h>

typedef struct tokenizer tokenizer; /* lives in the arena it was made in */

/* tokenizer_config.json's part; absent values are -1. */
typedef struct tokenizer_options {
    int lowercase;     /* do_lower_case */
    int strip_accents; /* absent or null in the file: as lowercase */
    int chinese;       /* tokenize_chinese_chars */
    int max_length;    /* model_max_length when it is a sane number, else -1 */
} tokenizer_options;

/* Reads tokenizer_config.json. Category of errors: vocab. */
bool tokenizer_options_read(tokenizer_options *o, span json, arena *scratch, error *err);

/* From tokenizer.json (what cannot be run is refused with the reason). Where o
 * contradicts the file the file wins and *warning is set to a sentence in the arena. */
tokenizer *tokenizer_from_json(arena *a, span json, const tokenizer_options *o, arena *scratch,
    const char **warning, error *err);

/* Where tokenizer_config.json (`json`) says otherwise than the tokenizer.json that t is of: the first
 * such place as a sentence in `memory`, NULL: nowhere. */
const char *tokenizer_disagreement(const tokenizer *t, span json, arena *memory, arena *scratch);

/* A folder without tokenizer.json: vocab.txt, one piece a line (line rules of the Rust library: trailing white space
 * trimmed, \n and \r\n), vocab.json with merges.txt, or SentencePiece's own file; and what is there beside it. */
typedef struct tokenizer_files {
    span vocab, merges; /* merges at NULL: vocab.txt, */
    bool pieces;        /* or SentencePiece's file */
    span settings, map,
        added; /* tokenizer_config.json, special_tokens_map.json, added_tokens.json; at NULL: none */
    span class_name,
        family; /* of config.json: its tokenizer_class, its model_type; at NULL: none */
#ifndef HEADLIGHT_ONE_STACK
    span source, target; /* source.spm and target.spm of Marian; at NULL: none */
#endif
} tokenizer_files;
/* Read by the tokenizer_class that a file names, else by the family, else by the pieces. Where tokens have no merge, as
 * in a file that was cut short, *warning is set to a sentence in the arena. */
tokenizer *tokenizer_from_files(arena *a, const tokenizer_files *files, arena *scratch,
    const char **warning, error *err);

/* The special tokens that tokenizer_config.json names (at NULL: there is none), for what a tokenizer.json
 * does not say: its template says which open and close a text, its model which is unknown. */
void tokenizer_name_specials(tokenizer *t, span settings, arena *scratch);

#ifndef HEADLIGHT_ONE_STACK
/* The one of a target's texts, with the same ids: another where each side has pieces of its own (Marian). */
const tokenizer *tokenizer_of_target(const tokenizer *t);
#endif

int tokenizer_size(const tokenizer *t); /* highest id + 1 */
/* Is there more around a vocabulary than what its class always has? */
bool tokenizer_unusual(const tokenizer *t);
/* the size without special tokens that only the class adds, like the [MASK] that vocab.txt lacks */
int tokenizer_said(const tokenizer *t);
/* empty span (at NULL) for an id that has none */
span tokenizer_piece(const tokenizer *t, int id);
/* The piece as it reads: where characters stand for bytes (ByteLevel), the bytes; a space is ␣, a
 * line feed ⏎, a tab ⇥, and a byte that is none of these and no character is <0x80>, as SentencePiece
 * writes bytes. A piece of nothing but signs that nobody sees (Cc, Cf, Co) names them: <U+200B>. Writes at most `room` bytes and a 0, and returns their number. */
enum { SHOWN_ROOM = 1024 };
size_t tokenizer_shown(const tokenizer *t, int id, char *out, size_t room);
int tokenizer_find(const tokenizer *t, const char *piece); /* id or -1 */
typedef struct special_ids {
    int unk, cls, sep, pad, mask, bos, eos;
} special_ids; /* -1: none */
special_ids tokenizer_specials(const tokenizer *t);
bool tokenizer_lowercases(const tokenizer *t);

/* One token of an encoding: the row of hl_tokens. from..to: code points of its own sentence. */
typedef struct token {
    int32_t id, type, from, to, sentence, word;
} token;

typedef struct encoding {
    token *tokens;
    int count; /* 0 is a text of no tokens, when the template adds none */
    int dropped[2];
    bool pair; /* of two texts */
} encoding;

/* b.at NULL: a single text. At most max_tokens (not fewer than the template adds), longest first.
 * The encoding lives in `a`, working memory in `scratch`, which is released to where it was (`a`
 * and `scratch` may not be the same arena). False: *err says why. */
bool tokenizer_encode(const tokenizer *t, span text_a, span text_b, int max_tokens, arena *a,
    arena *scratch, encoding *out, error *err);

/* Of each token [count]: the text that it is of, or that it opens or closes when the template has
 * put it in; and what it does in the template (SPECIAL_OPENS, SPECIAL_CLOSES), wherever it stands:
 * 0 for the others. */
void tokenizer_segments(const tokenizer *t, const encoding *e, int32_t *segment, int32_t *special);
/* The same of any token by its id. */
int tokenizer_special(const tokenizer *t, int id);
/* Is it an entry that texts are made of: not special, and not one of those reserved, [unused1]? */
bool tokenizer_is_word(const tokenizer *t, int id);

#endif
