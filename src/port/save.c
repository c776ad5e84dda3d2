/* save - writes the loaded model as model.safetensors and config.json: what `headlight convert` does. Floats come first,
 * then int8 codes, so that everything is aligned; names are those of Hugging Face transformers.
 */
#include "port/session.h"

#include "base/writer.h"

/* compressed-tensors, int-quantized: int8 weights with one scale a row, activations left alone. */
static const char quantization_config[] =
    "{\"config_groups\":{\"group_0\":{\"input_activations\":null,\"output_activations\":null,"
    "\"targets\":[\"Linear\",\"Embedding\"],\"weights\":{\"dynamic\":false,\"group_size\":null,\"num_bits\":8,"
    "\"observer\":\"minmax\",\"strategy\":\"channel\",\"symmetric\":true,\"type\":\"int\"}}},"
    "\"format\":\"int-quantized\",\"ignore\":[\"cls.seq_relationship\",\"cls.predictions.decoder\","
    "\"bert.embeddings.position_embeddings\",\"bert.embeddings.token_type_embeddings\"],"
    "\"quant_method\":\"compressed-tensors\",\"quantization_status\":\"compressed\"}";

/* A tensor to be written: pass 0 floats, pass 1 the scales of q8, pass 2 their codes. */
typedef struct piece {
    const slot *slot;
    int pass;
} piece;

bool session_has_part(const hl_session *s, part p) {
    const weights *w = &s->weights;
    return p == PART_ENCODER || (p == PART_POOLER && w->has_pooler) || (p == PART_WORDS && w->has_words)
        || (p == PART_NEXT_SENTENCE && w->has_next_sentence);
}

/* The index-th piece: pass * slots + slot. False when there is no such tensor. */
static bool piece_at(const hl_session *s, int index, piece *out) {
    const slot *slot = &s->loader.slots[index % s->loader.slot_count];
    bool q8 = slot->matrix && slot->matrix->store == STORE_Q8;
    *out = (piece){slot, index / s->loader.slot_count};
    return session_has_part(s, slot->row->part) && q8 == (out->pass > 0);
}

static int piece_count(const hl_session *s) { return 3 * s->loader.slot_count; }
static int piece_rows(const piece *p) { return p->pass == 1 ? 1 : p->slot->rows; }
static size_t row_bytes(const piece *p) {
    return p->pass == 2 ? (size_t)p->slot->cols : (size_t)(p->pass == 1 ? p->slot->rows : p->slot->cols) * sizeof(float);
}

/* The loader's stage, free after loading, takes a row of codes. */
static const unsigned char *row_at(const hl_session *s, const piece *p, int row) {
    const matrix *w = p->slot->matrix;
    if (!w) return (const unsigned char *)p->slot->vector;
    if (p->pass == 1) return (const unsigned char *)w->scale;
    if (p->pass == 0) return (const unsigned char *)(w->f32 + (int64_t)row * w->stride);
    matrix_codes(w, row, (int8_t *)s->loader.stage);
    return s->loader.stage;
}

/* The tensor's name as a JSON string. */
static void write_name(writer *w, const hl_session *s, const piece *p) {
    writer_format(w, "\"%s%s%s\"", p->slot->row->part <= PART_POOLER ? s->loader.family->prefix : "", p->slot->name,
                  p->pass == 1 ? "_scale" : "");
}

static void write_entry(writer *w, const hl_session *s, const piece *p, uint64_t begin, uint64_t end) {
    const slot *slot = p->slot;
    writer_format(w, ",");
    write_name(w, s, p);
    writer_format(w, ":{\"dtype\":\"%s\",\"shape\":", p->pass == 2 ? "I8" : "F32");
    if (!slot->matrix) writer_format(w, "[%d]", slot->cols);
    else writer_format(w, "[%d,%d]", slot->rows, p->pass == 1 ? 1 : slot->cols);
    writer_format(w, ",\"data_offsets\":[%llu,%llu]}", (unsigned long long)begin, (unsigned long long)end);
}

/* The pieces first..end-1 of the file-th file when each takes tensors of up to `limit` bytes (0: all in one); a tensor
 * is never cut. False when there are fewer files. */
static bool file_at(const hl_session *s, int file, double limit, int *first, int *end) {
    double size = 0;
    *first = 0;
    for (int i = 0; i < piece_count(s); i++) {
        piece p;
        if (!piece_at(s, i, &p)) continue;
        double bytes = (double)piece_rows(&p) * (double)row_bytes(&p);
        if (limit > 0 && size > 0 && size + bytes > limit) {
            *end = i;
            if (file-- == 0) return true;
            *first = i;
            size = 0;
        }
        size += bytes;
    }
    *end = piece_count(s);
    return file == 0;
}

double hl_save_begin(hl_session *s, int file, double limit) {
    int first, last;
    if (!session_at(s, STAGE_READY) || !file_at(s, file, limit, &first, &last)) return 0;
    writer w;
    arena_free(&s->save_memory);
    writer_init(&w, &s->save_memory);
    writer_format(&w, "12345678{\"__metadata__\":{\"format\":\"pt\"}");
    uint64_t end = 0;
    for (int i = first; i < last; i++) {
        piece p;
        if (!piece_at(s, i, &p)) continue;
        uint64_t begin = end;
        end += (uint64_t)piece_rows(&p) * row_bytes(&p);
        write_entry(&w, s, &p, begin, end);
    }
    writer_format(&w, "}");
    while (w.size % 8 && !w.failed) writer_format(&w, " ");
    if (w.failed) return 0;
    for (int i = 0; i < 8; i++) w.at[i] = (char)((w.size - 8) >> (8 * i) & 255);
    s->save = (saving){.header = w.at, .header_size = w.size, .piece = first, .end = last, .limit = limit};
    return (double)(w.size + end);
}

/* Points s->save at the next row that has bytes; false at the end. */
static bool next_row(hl_session *s) {
    saving *v = &s->save;
    if (v->header_done < v->header_size) {
        v->bytes = (const unsigned char *)v->header;
        v->left = v->header_done = v->header_size;
        return v->left > 0;
    }
    for (piece p; v->piece < v->end; v->piece++, v->row = 0) {
        if (!piece_at(s, v->piece, &p) || v->row == piece_rows(&p)) continue;
        v->bytes = row_at(s, &p, v->row++);
        v->left = row_bytes(&p);
        return true;
    }
    return false;
}

int hl_save_bytes(hl_session *s, unsigned char *out, int size) {
    if (!session_at(s, STAGE_READY)) return 0;
    saving *v = &s->save;
    int done = 0;
    while (done < size && (v->left || next_row(s))) {
        size_t part = v->left < (size_t)(size - done) ? v->left : (size_t)(size - done);
        memcpy(out + done, v->bytes, part);
        v->bytes += part;
        v->left -= part;
        done += (int)part;
    }
    return done;
}

static const char *config_text(hl_session *s) {
    const char *text = config_rewrite(&s->config, s->loader.store == STORE_Q8 ? quantization_config : NULL, &s->answer,
                                      &s->scratch, &s->err);
    arena_free(&s->scratch);
    return text;
}

/* Which file holds which tensor. */
static const char *index_text(hl_session *s, double limit) {
    int files = 0, first, end, pieces = 0;
    while (file_at(s, files, limit, &first, &end)) files++;
    writer w;
    writer_init(&w, &s->answer);
    writer_format(&w, "{\"weight_map\":{");
    double total = 0;
    for (int file = 0; file_at(s, file, limit, &first, &end); file++)
        for (int i = first; i < end; i++) {
            piece p;
            if (!piece_at(s, i, &p)) continue;
            if (pieces++) writer_format(&w, ",");
            write_name(&w, s, &p);
            writer_format(&w, ":\"model-%05d-of-%05d.safetensors\"", file + 1, files);
            total += (double)piece_rows(&p) * (double)row_bytes(&p);
        }
    writer_format(&w, "},\"metadata\":{\"total_size\":%.0f}}", total);
    return writer_text(&w);
}

const char *session_save_text(hl_session *s, int what) {
    if (!session_at(s, STAGE_READY)) return NULL;
    arena_free(&s->answer);
    return what == HL_DESCRIBE_CONFIG ? config_text(s) : index_text(s, s->save.limit);
}
