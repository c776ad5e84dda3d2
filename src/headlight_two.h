/* headlight_two.h - beside headlight.h: what models of two stacks have (T5, BART, Marian), an encoder that reads a source and a decoder
 * that writes a target and looks at what the encoder has made of the source (Vaswani et al. 2017). Of the .wasm files headlight-two.wasm has it.
 *
 * headlight.h's functions are about the encoder: its text is the source, hl_run runs it, hl_model_sizes has its sizes. What is
 * here takes such a pass and makes one of the decoder, which is read like any other (hl_tensor, hl_shape, hl_predict, hl_lens,
 * hl_measure of the attention within the target), and has tensors more: cross_q, cross_k, cross_v, cross_scores,
 * cross_attention [H, T, S], cross_context, cross_projected, cross_out (the stream after the look), cross_input and
 * cross_sigma. T are the target's tokens, S the source's.
 *
 * hl_describe has "second": null where the class has the encoder alone, else of the decoder what it has of the encoder ("layers" to
 * "types", "block", "per_layer", "tensors"), "start": the id before a target or -1, "scaled": whether scores are divided by √d.
 *
 * Of the studies (hl_study_begin) such a model has "alignment" alone: how well each head's look at the source links words as gold
 * alignments do (src/study/kinds/alignment.c).
 *
 * The shift: row t of that pass reads the target's token t - 1, the first one the start token, and says token t. So a weight
 * in row t is one that led to token t.
 */
#ifndef HEADLIGHT_TWO_H
#define HEADLIGHT_TWO_H

#include "headlight.h"

/* source.spm and target.spm of Marian, both before hl_load_vocab of its vocab.json: a text and a target each have pieces of
 * their own. 1; 0: error [vocab]. */
int hl_load_source_pieces(hl_session *s, const char *bytes, int size);
int hl_load_target_pieces(hl_session *s, const char *bytes, int size);

/* Has the loaded model two stacks, of which the decoder predicts? */
int hl_is_two(hl_session *s);
/* The target, token for token, up to what the decoder takes: a text by the tokenizer, ends added as it adds them; or ids
 * (0..V-1) as they are, of which 0 are none any more. It is forgotten where another model is loaded, not where the source
 * changes. Returns T; -1: error. */
int hl_target(hl_session *s, const char *text, int size);
int hl_use_target(hl_session *s, const int32_t *ids, int count);
/* The target := what the model writes by its most probable token each time, up to `most` tokens: those of transformers'
 * generate() with num_beams=1, do_sample=False, max_new_tokens=most, by generation_config.json, else config.json. What that
 * would do besides and is not done here is refused by its name. source: a pass of the encoder. Returns T; -1: error. */
int hl_write(hl_pass *source, int most);
const hl_token *hl_target_tokens(
    hl_session *s); /* [T] that are predicted; NULL: there is no target */
/* [T, 2]: of each row the id that is read, and the one that is predicted. */
const int32_t *hl_target_rows(hl_session *s);
/* The decoder's pass over the target, with the source that the encoder's pass has read; keep: as of hl_run, in the same
 * precision. It lasts until it is decoded again, and no longer than `source`, which hl_release and hl_run end. NULL: error. */
hl_pass *hl_decode(hl_pass *source, const char *keep);

#endif
