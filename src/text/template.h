/* template - the special tokens around and between texts: the post-processor of Hugging Face's
 * pipeline, as data.
 *
 *     BERT       [CLS] A [SEP]     [CLS] A [SEP] B [SEP]
 *     RoBERTa    <s> A </s>        <s> A </s></s> B </s>
 *     others     nothing at all
 *
 * A template also says which text each token belongs to (its segment). Segments are not token
 * types: a model may have one type, or none. A token that is put in has the segment of the text
 * that it opens or closes.
 */
#ifndef TEXT_TEMPLATE_H
#define TEXT_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TEMPLATE_MOST = 16 }; /* pieces of a form */

/* What a token does in a template; 0: it is of a text. */
enum { SPECIAL_OPENS = 1, SPECIAL_CLOSES = 2 };

/* In place of an id: here stands a text. */
enum { TEMPLATE_A = -1, TEMPLATE_B = -2 };

typedef struct template_piece {
    int32_t id;      /* of a token, or TEMPLATE_A, TEMPLATE_B */
    int32_t type;    /* token type of the token, or of all of the text */
    int32_t segment; /* 0 or 1: the text that it is, opens or closes */
    int32_t special;
} template_piece;

typedef struct template_form {
    template_piece pieces[TEMPLATE_MOST];
    int count;
    int added; /* tokens among them */
} template_form;

typedef struct template { template_form of[2]; /* of one text, of two */ }
template;

/* Appends a piece; false: there is no room for it. */
bool template_add(template_form *f, int32_t id, int32_t type);
/* Once all pieces are there. False unless the texts (1 or 2) stand in it in their order, each once.
 */
bool template_finish(template_form *f, int texts);
/* [CLS] A [SEP], [CLS] A [SEP] B [SEP] with type 1 from B on; `doubled` (RoBERTa): two [SEP]
 * between A and B, and all types 0. */
void template_usual(template *t, int32_t cls, int32_t sep, bool doubled);

/* Nothing stands around the texts: A, or A B with type 1 from B on. */
void template_none(template *t);

/* What that token does in the template: SPECIAL_OPENS, SPECIAL_CLOSES, or 0 when it is not in it.
 */
int template_special(const template *t, int32_t id);
/* The first token that does so, -1: none. */
int32_t template_first(const template *t, int special);

#endif
