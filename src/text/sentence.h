/* sentence - the tokens of one sentence while it is encoded, and who appends them: words of plain
 * ASCII (plain.c), words of a normalised text, added tokens (tokenizer.c). Not for others: they
 * have tokenizer.h.
 */
#ifndef TEXT_SENTENCE_H
#define TEXT_SENTENCE_H

#include "text/tokenizer_parts.h"

typedef struct sentence {
    token *tokens;
    int room;   /* tokens that can stay */
    int count;  /* tokens there are, kept or not */
    int max;    /* max_tokens */
    int word;   /* words so far */
    int number; /* 0 or 1 */
    int type;   /* token type, by the template */
    int index;  /* code points so far */
} sentence;

typedef struct encoder {
    const tokenizer *t;
    arena *memory; /* of the tokens */
    arena *scratch;
    normal_work work;  /* of BERT's own pipeline, */
    piece_list pieces; /* with room for WORDPIECE_MAX_LETTERS */
} encoder;

static inline void sentence_add(sentence *s, int id, int from, int to) {
    if (s->count < s->room)
        s->tokens[s->count] = (token){id, s->type, from, to, s->number, s->word};
    s->count++;
}

/* An added token counts as a word of its own. */
static inline void sentence_end_word(sentence *s) { s->word++; }

/* The words of text from byte `at` on as long as they are ASCII that the normaliser at most makes
 * lower case, up to the first that is not, whose first byte is returned (text.size: there is none).
 * Added tokens are not looked for. */
size_t plain_words(encoder *e, span text, size_t at, sentence *s);

#endif
