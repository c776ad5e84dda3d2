/* sentence - the files of a sentence-transformers folder beside config.json: the pooling of a
 * text's hidden states into one embedding (Reimers and Gurevych 2019). modules.json lists the
 * steps, 1_Pooling/config.json says which pooling, sentence_bert_config.json where texts are cut,
 * config_sentence_transformers.json the prompt before them and the similarity of two. A model with
 * unknown steps has no text embeddings; everything else works.
 */
#ifndef MODEL_SENTENCE_H
#define MODEL_SENTENCE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/bytes.h"
#include "model/arch.h"

extern const char *const sentence_similarities[]; /* names of similarity_kind */

/* Sets a->sentence_unit; *unknown: the first step that is not the next of Transformer, Pooling and
 * Normalize, or the whole list where it ends before Pooling: then there is no embedding; at NULL: none.
 * It points into `text`. */
bool sentence_read_modules(arch *a, span text, span *unknown, arena *scratch, error *err);
/* Sets a->sentence, to POOL_NONE for a pooling that is not known; *asked: the file's words for the
 * pooling, "" where it has none. They point into `text`. */
bool sentence_read_pooling(arch *a, span text, span *asked, arena *scratch, error *err);
/* Sets a->sentence_tokens; *lowercase: texts are to be in lower case before they are tokenised. */
bool sentence_read_limit(arch *a, span text, bool *lowercase, arena *scratch, error *err);
/* Sets a->similarity and *prompt, which goes before each text: in `memory`, empty where there is
 * none. */
bool sentence_read_prompts(arch *a, span text, span *prompt, arena *memory, arena *scratch,
    error *err);

#endif
