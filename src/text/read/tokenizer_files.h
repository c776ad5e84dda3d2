/* tokenizer_files - shared by the readers of a folder without tokenizer.json: what its files are
 * (tokenizer_files.c) and the tokens that they name (tokenizer_named.c).
 */
#ifndef TEXT_READ_TOKENIZER_FILES_H
#define TEXT_READ_TOKENIZER_FILES_H

#include "text/read/sentencepiece.h"
#include "text/read/tokenizer_reader.h"

/* Those that few open are left out of the page's own .wasm files (build/flavours.mk), which refuse them: the file with
 * everything is asked then. */
#ifdef HEADLIGHT_FEW
#define HAS_PIECES(FILES) false
#else
#define HAS_PIECES(FILES) ((FILES)->pieces)
#endif

/* Marian's: source.spm and target.spm beside vocab.json. */
#ifdef HEADLIGHT_ONE_STACK
#define HAS_PAIR(FILES) false
#else
#define HAS_PAIR(FILES) ((FILES)->source.at != NULL)
#endif

/* By the files that they read: vocab.txt, vocab.json with merges.txt, SentencePiece's own. */
typedef enum way {
    LIKE_BERT,
    LIKE_MPNET,
    LIKE_ROBERTA,
    LIKE_GPT2,
    LIKE_XLM_ROBERTA,
    LIKE_CAMEMBERT,
    LIKE_ALBERT,
    LIKE_LLAMA,
    LIKE_T5, /* these two are of models of two stacks */
    LIKE_MARIAN
} way;
#ifdef HEADLIGHT_ONE_STACK
#define OF_TWO(FILES) false
#define EXTRA(FILES) 0
#else
#define OF_TWO(FILES) ((FILES)->way >= LIKE_T5)
#define EXTRA(FILES) ((FILES)->extra)
#endif
#define IS_T5(FILES) (OF_TWO(FILES) && (FILES)->way == LIKE_T5)

/* In the order in which they get new ids. */
enum { BOS, EOS, UNK, SEP, PAD, CLS, MASK, NAMED };
extern const char *const files_keys[NAMED];
/* What they are where no file says so. */
extern const char *const files_usual[][NAMED];
/* The names of the files, told apart by where they are. */
extern const char FILES_SETTINGS[], FILES_MAP[], FILES_ADDED[];

/* A token that stands somewhere in the files. */
typedef struct found_token {
    added_token token; /* id -1: the next free one */
    int order;         /* in which it gets its id */
    int normalized;    /* -1: where it is not special */
    bool special;
    bool named;   /* as one of the seven or by a name of its own: it is special */
    bool listed;  /* what added_tokens.json calls special */
    bool implied; /* no file names it */
    bool plain;   /* has been there as a string */
} found_token;

typedef struct files_reader {
    tokenizer_reader r;
    const tokenizer_files *files;
    way way;
    const json_value *settings, *map, *added; /* NULL: not there, or not looked at */
    found_token *found;
    int count;
    span names[NAMED]; /* at NULL: none */
    sp_model pieces;   /* of SentencePiece's file */
    int marked;        /* of them: added tokens */
    bool listed;       /* a file lists other tokens, in place of those */
#ifndef HEADLIGHT_ONE_STACK
    int extra; /* that a T5 has beside the file, and are marked too: <extra_id_0> to <extra_id_99> */
#endif
} files_reader;

/* The file that says a member; special_tokens_map.json goes before. */
const json_value *files_of(files_reader *f, const char *key);
/* A member that is true or false, or missing. */
bool files_flag(files_reader *f, const char *key, bool absent, bool *out);
/* How many tokens the files can name at most. */
int files_most_tokens(const files_reader *f);
/* The token of that name, NULL: none. */
found_token *files_find(const files_reader *f, span content);
/* Fills f->found, in the order of their ids, and f->names. */
bool files_take_all(files_reader *f);

/* SentencePiece's file: read; its own added tokens; the vocabulary and the model; the steps before it. */
bool pieces_read(files_reader *f);
bool pieces_take(files_reader *f);
bool pieces_number(files_reader *f);
bool pieces_set_up(files_reader *f);

#ifndef HEADLIGHT_ONE_STACK
/* How many ids a T5 has beside the file. */
bool pieces_count_extra(files_reader *f);
/* Marian's vocab.json, and the files of both sides (tokenizer_marian.c). */
bool marian_number(files_reader *f);
bool marian_set_up(files_reader *f);
/* Once the tokenizer is complete: the one of a target's texts is, too. */
void marian_finish(files_reader *f);
#endif

#endif
