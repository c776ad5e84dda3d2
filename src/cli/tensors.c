/* tensors - see tensors.h.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/tensors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool fail(const tensors *t, const char *what) {
    return cli_fail("state", "%s %s (%s)", t->path, what, strerror(errno)), false;
}

static void close_file(FILE **file) {
    if (*file) fclose(*file);
    *file = NULL;
}

static void let_go(tensors *t) {
    for (int i = 0; i < 2; i++) close_file(&t->data[i]);
    close_file(&t->notes);
    close_file(&t->tokens);
    free(t->note_text);
    free(t->token_text);
    for (int i = 0; i < t->count; i++) free(t->entries[i].text);
    free(t->entries);
}

bool tensors_begin(tensors *t, hl_session *s, const char *path, const char *dir, int store,
    int precision) {
    *t = (tensors){.path = path};
    FILE *file = fopen(path, "rb");
    t->fresh = !file;
    close_file(&file);
    file = fopen(path, "ab"); /* that it cannot be written is said before anything is computed */
    if (!file || fclose(file) != 0) return fail(t, "cannot be written");
    t->data[0] = tmpfile(), t->data[1] = tmpfile();
    t->notes = open_memstream(&t->note_text, &t->note_size);
    t->tokens = open_memstream(&t->token_text, &t->token_size);
    if (!t->data[0] || !t->data[1] || !t->notes || !t->tokens) {
        fail(t, "cannot be written, for want of a temporary file");
        return let_go(t), false;
    }
    if (precision == HL_USUAL) precision = hl_model_sizes(s)->precision;
    tensors_note(t, "headlight", HL_RELEASE);
    tensors_note(t, "model", cli_base(dir));
    tensors_note(t, "sha256", hl_model_hash(s));
    tensors_note(t, "store", store == HL_Q8 ? "q8" : "f32");
    tensors_note(t, "precision", precision == HL_FAST ? "fast" : "fine");
    return true;
}

void tensors_note(tensors *t, const char *key, const char *value) {
    fprintf(t->notes, ftell(t->notes) ? ",\"%s\":" : "\"%s\":", key);
    cli_write_string(t->notes, value);
}

void tensors_tokens(tensors *t, hl_session *s, const int32_t *rows, int count) {
    if (ftell(t->tokens)) fputc(',', t->tokens);
    for (int i = 0; i < count; i++) {
        const char *text = hl_token_shown(s, rows ? rows[2 * i] : hl_tokens(s)[i].id);
        fputc(i ? ',' : '[', t->tokens);
        cli_write_string(t->tokens, text ? text : "?");
    }
    fputc(']', t->tokens);
}

/* Room for one more; NULL: there is no memory. */
static tensor_entry *new_entry(tensors *t) {
    if (t->count == t->room) {
        int room = t->room ? 2 * t->room : 256;
        tensor_entry *larger = realloc(t->entries, (size_t)room * sizeof *larger);
        if (!larger) return NULL;
        t->entries = larger, t->room = room;
    }
    return &t->entries[t->count++];
}

void tensors_add(tensors *t, const char *name, const char *type, const int *sizes, int rank,
    const void *data) {
    char text[256], line[24] = "";
    size_t count = 1, at, wide = strcmp(type, "I64") == 0, width = wide ? 8 : 4;
    if (cli_line_number) snprintf(line, sizeof line, "line.%d.", cli_line_number);
    at = (size_t)snprintf(text, sizeof text, "\"%s%.80s\":{\"dtype\":\"%s\",\"shape\":[", line,
        name, type);
    for (int i = 0; i < rank; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, i ? ",%d" : "%d", sizes[i]);
        count *= (size_t)sizes[i];
    }
    tensor_entry *e = new_entry(t);
    if (e) *e = (tensor_entry){strdup(text), (long long)(count * width), (int)wide};
    t->full = t->full || !e || !e->text;
    fwrite(data, width, count, t->data[wide]);
}

static void write_header(tensors *t, FILE *to) {
    fprintf(to, "12345678{\"__metadata__\":{%s,\"tokens\":", t->note_text);
    char *tokens = malloc(t->token_size + 3);
    if (tokens) {
        snprintf(tokens, t->token_size + 3, "[%s]", t->token_text);
        cli_write_string(to, tokens);
        free(tokens);
    } else t->full = true;
    fputc('}', to);
    long long offset = 0;
    for (int wide = 1; wide >= 0; wide--)
        for (const tensor_entry *e = t->entries; e < t->entries + t->count; e++) {
            if (e->wide != wide) continue;
            fprintf(to, ",%s],\"data_offsets\":[%lld,%lld]}", e->text, offset, offset + e->bytes);
            offset += e->bytes;
        }
    fputc('}', to);
    long end = ftell(to);
    for (; end % 8; end++) fputc(' ', to);
    uint64_t length = (uint64_t)end - 8;
    rewind(to);
    fwrite(&length, sizeof length, 1, to);
    fseek(to, 0, SEEK_END);
}

static bool copy(FILE *from, FILE *to) {
    static char part[1 << 16];
    if (ferror(from) || fflush(from) != 0) return false;
    rewind(from);
    for (size_t size; (size = fread(part, 1, sizeof part, from));)
        if (fwrite(part, 1, size, to) != size) return false;
    return !ferror(from);
}

int tensors_end(tensors *t, int status) {
    bool full = t->full;
    close_file(&t->notes); /* and so their texts are whole */
    close_file(&t->tokens);
    FILE *to = status || full ? NULL : fopen(t->path, "wb");
    if (to) write_header(t, to);
    bool written = to && !t->full && copy(t->data[1], to) && copy(t->data[0], to) && !ferror(to);
    if (to && fclose(to) != 0) written = false;
    if (!status && !written) fail(t, "could not be written completely; is the disk full?");
    if (to ? !written : t->fresh) remove(t->path);
    let_go(t);
    return status ? status : written ? 0 : EXIT_ERROR;
}
