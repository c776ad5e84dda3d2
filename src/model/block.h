/* block - the transformer's layer and its embeddings, on some rows or one head at a time, by arch.
 * In which order they run is pass.c, on what memory and threads, work.c. Only attention looks at
 * other tokens; all else is done row by row.
 */
#ifndef MODEL_BLOCK_H
#define MODEL_BLOCK_H

#include "model/work.h"

/* x := embeddings of rows first .. first+count-1 */
bool block_embed(const work *s, const buffers *b, int first, int count);
/* Is what all heads and the MLP of that layer give told by a change, so that nothing is multiplied for it? */
bool block_is_told(const work *s, int layer);
/* From x to q, k and v of that layer. */
bool block_project(const work *s, const buffers *b, int layer, int first, int count);
/* From q, k and v to the context of one head. */
void block_attend(const work *s, const buffers *b, int layer, int head);
#ifndef HEADLIGHT_ONE_STACK
/* In a decoder, between attention and MLP: from its own context to x after that, and queries to the source; */
bool block_turn(const work *s, const buffers *b, int layer, int first, int count);
/* keys and values of rows of the source; */
bool block_remember(const work *s, const buffers *b, int layer, int first, int count);
/* and the context of one head. */
void block_look(const work *s, const buffers *b, int layer, int head);
#endif
/* From the context, in a decoder that of the source, to x after the layer. */
bool block_output(const work *s, const buffers *b, int layer, int first, int count);
/* The same, and the norm after the last layer, where there is one. */
bool block_finish(const work *s, const buffers *b, int layer, int first, int count);

#endif
