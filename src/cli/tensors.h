/* tensors - a safetensors file that grows tensor by tensor. Names and shapes come first in such a file, so that the
 * numbers wait in a temporary one until its end.
 */
#ifndef CLI_TENSORS_H
#define CLI_TENSORS_H

#include "cli/cli.h"

/* A tensor in the file: what its entry begins with, and its bytes. */
typedef struct tensor_entry {
    char *text;
    long long bytes;
    int wide; /* I64, which come first, so that each is where its type may be */
} tensor_entry;

typedef struct tensors {
    const char *path;
    FILE *data[2];        /* of F32, of I64 */
    FILE *notes, *tokens; /* the metadata; of each text its tokens */
    char *note_text, *token_text;
    size_t note_size, token_size;
    tensor_entry *entries;
    int count, room;
    bool full;  /* of memory */
    bool fresh; /* there was no such file */
} tensors;

/* FILE will be written; it says the model (name, SHA-256 of headlight.h's hl_model_hash), the store, the precision (HL_*)
 * and this version as metadata. Where the texts are of --lines, each name begins with "line.N.". False: the error was printed. */
bool tensors_begin(tensors *t, hl_session *s, const char *path, const char *dir, int store,
    int precision);
/* One more member of the metadata. */
void tensors_note(tensors *t, const char *key, const char *value);
/* The session's text is the next one of "tokens", a list of lists; rows: what a decoder reads instead, [count, 2], or NULL. */
void tensors_tokens(tensors *t, hl_session *s, const int32_t *rows, int count);
/* type: "F32" or "I64"; sizes [rank]. */
void tensors_add(tensors *t, const char *name, const char *type, const int *sizes, int rank,
    const void *data);
/* The file as a whole where the status is 0; else one that was there stays. Returns the exit status. */
int tensors_end(tensors *t, int status);

#endif
