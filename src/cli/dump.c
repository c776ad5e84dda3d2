/* dump - every kept tensor as one safetensors file, with the names and shapes of the reference
 * dumps: input_ids, token_type_ids (I64), embeddings, layer.N.q ... layer.N.probs ..., logits
 * (F32).
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { INPUTS = 2 };

typedef struct output {
    FILE *file;
    long long offset; /* of the next tensor */
    bool header;      /* first pass writes names, second data */
} output;

static void entry(output *o, const char *name, const char *type, const int *sizes, int rank,
    long long bytes) {
    fprintf(o->file, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[", o->offset ? "," : "", name, type);
    for (int i = 0; i < rank; i++) fprintf(o->file, "%s%d", i ? "," : "", sizes[i]);
    fprintf(o->file, "],\"data_offsets\":[%lld,%lld]}", o->offset, o->offset + bytes);
    o->offset += bytes;
}

/* Ids and types of the session's tokens, as they were given to the pass. */
static void input(hl_session *s, output *o, int which) {
    static const char *const names[INPUTS] = {"input_ids", "token_type_ids"};
    int count = hl_token_count(s);
    if (o->header) {
        entry(o, names[which], "I64", &count, 1, 8LL * count);
        return;
    }
    const hl_token *tokens = hl_tokens(s);
    for (int i = 0; i < count; i++) {
        int64_t value = which == 0 ? tokens[i].id : tokens[i].type;
        fwrite(&value, sizeof value, 1, o->file);
    }
}

static void tensor(hl_pass *p, output *o, const char *name, int layer) {
    const float *data = hl_tensor(p, name, layer);
    int sizes[4], rank = hl_shape(p, name, sizes);
    long long count = 1;
    for (int i = 1; i <= rank; i++) count *= sizes[i];
    const char *written = strcmp(name, "attention") == 0 ? "probs" : name;
    char full[80];
    if (sizes[0]) snprintf(full, sizeof full, "layer.%d.%s", layer, written);
    else snprintf(full, sizeof full, "%s", written);
    if (!data) return;
    if (o->header) entry(o, full, "F32", sizes + 1, rank, 4 * count);
    else fwrite(data, sizeof *data, (size_t)count, o->file);
}

static void all(hl_session *s, hl_pass *p, output *o) {
    for (int i = 0; i < INPUTS; i++) input(s, o, i);
    const char *name;
    for (int id = 0, sizes[4]; (name = hl_tensor_name(id)); id++) {
        hl_shape(p, name, sizes);
        for (int layer = 0; layer < (sizes[0] ? sizes[0] : 1); layer++) tensor(p, o, name, layer);
    }
}

bool cli_dump(hl_session *s, hl_pass *p, const char *path) {
    output o = {fopen(path, "wb"), 0, true};
    if (!o.file) return cli_fail("state", "%s cannot be written", path), false;
    fwrite("12345678{", 1, 9, o.file);
    all(s, p, &o);
    fputc('}', o.file);
    long end = ftell(o.file);
    for (; end % 8; end++) fputc(' ', o.file);
    o.header = false;
    all(s, p, &o);
    rewind(o.file);
    uint64_t length = (uint64_t)end - 8;
    fwrite(&length, sizeof length, 1, o.file);
    bool written = !ferror(o.file);
    if (fclose(o.file) != 0 || !written)
        return cli_fail("state", "%s could not be written completely; is the disk full?", path),
               false;
    return true;
}
