/* sentence - the tokens of one sentence while it is encoded, and who appends them: words of plain
 * ASCII (plain.c), words of a normalised text, added tokens (tokenizer.c). Not for others: they
 * have tokenizer.h.
 */
#ifndef TEXT_SENTENCE_H
#define TEXT_SENTENCE_H

#include "text/tokenizer_parts.h"
#include "text/unicode/unicode.h"

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

static inline int64_t sentence_letters(span text) {
    int64_t letters = 0;
    int32_t cp;
    for (size_t i = 0; i < text.size; letters++)
        i += (size_t)unicode_decode(text.at + i, text.size - i, &cp);
    return letters;
}

#ifndef HEADLIGHT_ONE_STACK
/* Of any pipeline but BERT's: a token. False: no memory. */
bool sentence_take(encoder *e, sentence *s, int id, int from, int to);
/* The text of one side of a Marian, without added tokens. */
bool side_words(encoder *e, span text, sentence *s);
#endif

/* The words of text from byte `at` on as long as they are ASCII that the normaliser at most makes
 * lower case, up to the first that is not, whose first byte is returned (text.size: there is none).
 * Added tokens are not looked for. */
size_t plain_words(encoder *e, span text, size_t at, sentence *s);

#endif
