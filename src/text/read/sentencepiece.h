/* sentencepiece - SentencePiece's own file (tokenizer.model, spiece.model, sentencepiece.bpe.model, *.spm):
 * a ModelProto of protobuf, read by hand. Only what a tokenizer needs is looked at; all else is
 * passed over. What a class of transformers makes of it: tokenizer_pieces.c.
 */
#ifndef TEXT_READ_SENTENCEPIECE_H
#define TEXT_READ_SENTENCEPIECE_H

#include "base/arena.h"
#include "base/bytes.h"

/* As the file numbers them. */
typedef enum sp_kind {
    SP_NORMAL = 1,
    SP_UNKNOWN,
    SP_CONTROL,      /* <s>: never found in a text */
    SP_USER_DEFINED, /* found before all else */
    SP_UNUSED,
    SP_BYTE
} sp_kind;
typedef enum sp_type { SP_UNIGRAM = 1, SP_BPE, SP_WORD, SP_CHAR } sp_type;

typedef struct sp_piece {
    span text; /* of the file; valid UTF-8, not empty */
    float score;
    sp_kind kind;
} sp_piece;

typedef struct sp_model {
    sp_piece *pieces;
    int count, unknown; /* the only one of its kind */
    sp_type type;
    bool byte_fallback, suffix; /* the mark of a space ends a word */
    span charsmap;              /* size 0: texts stay as they are */
    bool dummy_prefix, removes_spaces, escapes_spaces;
} sp_model;

/* Spans are of the file; the pieces are of the arena. False: *err says what is wrong (category vocab). */
bool sentencepiece_read(sp_model *m, span file, arena *a, error *err);

#endif
