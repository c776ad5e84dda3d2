/* save - writes the loaded model as config.json and one or several safetensors files of a limited
 * size: what `headlight convert` does, and how a browser keeps a copy. Floats come first, then int8
 * codes, so that everything is aligned; names are those of Hugging Face transformers.
 */
#include "port/session.h"

#include "base/writer.h"

/* In the order of a file. */
enum { PASS_FLOATS, PASS_BESIDE, PASS_SCALES, PASS_CODES, PASS_COUNT };

/* A tensor to be written. */
typedef struct piece {
    slot *slot; /* and its parts */
    int pass;
} piece;

/* The other name of an untied decoder's bias, in the module that transformers then computes with; NULL: there
 * is none. The page reads its copies itself, by the usual name. */
static const renaming *bias_beside(const hl_session *s, const slot *slot) {
#ifndef HEADLIGHT_PAGE
    for (const renaming *r = s->loader.family->renamings; r && r->old; r++)
        if (r->beside && IF_TWO(slot->matrix, false, true) && !s->config.arch.tied &&
            span_is(span_of(slot->name), r->now))
            return r;
#endif
    (void)s, (void)slot;
    return NULL;
}

/* The index-th piece: pass * slots + slot. False when there is no such tensor. */
static bool piece_at(const hl_session *s, int index, piece *out) {
    slot *slot = &s->loader.slots[index % s->loader.slot_count];
    bool q8 = slot->matrix && slot->matrix->store == STORE_Q8;
    *out = (piece){slot, index / s->loader.slot_count};
    return !slot->is_part && !slot->absent && weights_have(&s->weights, slot->row->part) &&
        q8 == (out->pass >= PASS_SCALES) && (out->pass != PASS_BESIDE || bias_beside(s, slot));
}

static int piece_count(const hl_session *s) { return PASS_COUNT * s->loader.slot_count; }

/* Of all parts: rows of matrices, values of vectors. */
static int whole_size(const slot *s) {
    int all = 0;
    for (; s; s = s->next) all += s->matrix ? s->rows : s->cols;
    return all;
}

/* Is a row of the file something of every part? */
static bool spans_parts(const piece *p) {
    return p->pass == PASS_SCALES || !p->slot->matrix || p->slot->row->transposed;
}
static int piece_rows(const piece *p) {
    if (p->pass == PASS_SCALES || !p->slot->matrix) return 1;
    return p->slot->row->transposed ? p->slot->cols : whole_size(p->slot);
}
static int piece_cols(const piece *p) {
    return spans_parts(p) ? whole_size(p->slot) : p->slot->cols;
}
static size_t row_bytes(const piece *p) {
    return (size_t)piece_cols(p) * (p->pass == PASS_CODES ? 1 : sizeof(float));
}

/* The loader's row and stage, free after loading, take a row of the file. */
static const unsigned char *row_at(const hl_session *s, const piece *p, int row) {
    const slot *slot = p->slot;
    float *out = s->loader.row;
    int8_t *codes = (int8_t *)s->loader.stage;
    int width = s->config.arch.head_width;
    if (spans_parts(p) && OF_WHOLE(slot->takes_turns)) {
        for (int i = 0; i < whole_size(slot); i++) {
            slot_row from = slot_row_of(p->slot, i, width);
            out[i] = from.slot->matrix ? from.slot->matrix->scale[from.row]
                                       : from.slot->vector[from.row];
        }
        return (const unsigned char *)out;
    }
    if (spans_parts(p)) {
        for (; slot; slot = slot->next) {
            const matrix *w = slot->matrix;
            int count = w ? slot->rows : slot->cols;
            for (int r = 0; r < count; r++)
                if (p->pass == PASS_CODES) *codes++ = matrix_code(w, r, row);
                else
                    *out++ = !w                  ? slot->vector[r]
                        : p->pass == PASS_SCALES ? w->scale[r]
                                                 : w->f32[(int64_t)r * w->stride + row];
        }
        return p->pass == PASS_CODES ? s->loader.stage : (const unsigned char *)s->loader.row;
    }
    slot_row from = slot_row_of(p->slot, row, width);
    slot = from.slot;
    row = from.row;
    if (p->pass <= PASS_BESIDE)
        return (const unsigned char *)(slot->matrix->f32 + (int64_t)row * slot->matrix->stride);
    matrix_codes(slot->matrix, row, (int8_t *)s->loader.stage);
    return s->loader.stage;
}

/* The tensor's name as a JSON string. */
static void write_name(writer *w, const hl_session *s, const piece *p) {
    writer_format(w, "\"%s%s%s\"",
        p->slot->row->part <= PART_POOLER ? family_prefix(s->loader.family, &s->config.arch) : "",
        p->pass == PASS_BESIDE ? bias_beside(s, p->slot)->old : p->slot->name,
        p->pass == PASS_SCALES ? "_scale" : "");
}

static void write_entry(writer *w, const hl_session *s, const piece *p, uint64_t begin,
    uint64_t end) {
    bool scales = p->pass == PASS_SCALES && !p->slot->row->transposed;
    writer_format(w, ",");
    write_name(w, s, p);
    writer_format(w, ":{\"dtype\":\"%s\",\"shape\":", p->pass == PASS_CODES ? "I8" : "F32");
    if (IF_TWO(true, loader_is_row(&s->loader, p->slot), false))
        writer_format(w, "[1,%d]", piece_cols(p));
    else if (!p->slot->matrix) writer_format(w, "[%d]", piece_cols(p));
    else /* a scale an output channel: a row, or a column where the weights are [in, out] */
        writer_format(w, "[%d,%d]", scales ? piece_cols(p) : piece_rows(p),
            scales ? 1 : piece_cols(p));
    writer_format(w, ",\"data_offsets\":[%llu,%llu]}", (unsigned long long)begin,
        (unsigned long long)end);
}

/* The pieces first..end-1 of the file-th file when each takes tensors of up to `limit` bytes (0:
 * all in one); a tensor is never cut. False when there are fewer files. */
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
    if (!session_at(s, STAGE_READY)) return -1;
    if (!file_at(s, file, limit, &first, &last)) return 0;
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
    if (w.failed) return -1;
    for (int i = 0; i < 8; i++) w.at[i] = (char)((uint64_t)(w.size - 8) >> (8 * i) & 255);
    s->save = (saving){.header = w.at,
        .header_size = w.size,
        .piece = first,
        .end = last,
        .limit = limit};
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

/* The rest of a row that the last call ended in: what it was gathered in may have been used since.
 */
static void gather_again(hl_session *s) {
    saving *v = &s->save;
    piece p;
    if (v->left && v->row && piece_at(s, v->piece, &p))
        v->bytes = row_at(s, &p, v->row - 1) + (row_bytes(&p) - v->left);
}

int hl_save_bytes(hl_session *s, unsigned char *out, int size) {
    if (!session_at(s, STAGE_READY)) return 0;
    saving *v = &s->save;
    gather_again(s);
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

/* compressed-tensors, int-quantized: int8 weights with one scale an output channel, activations
 * left alone; `ignore` names the modules that stay floats. "dequantize" makes transformers widen
 * the weights while it loads them: what it does otherwise knows no tied decoders, and no Conv1D
 * (GPT-2's weights, [in, out] with scales [1, out]). The group says its format, since without it
 * weights of 8 bits are taken for packed ones. */
static const char *quantization_config(const hl_session *s, writer *w) {
    const char *comma = "";
    bool turned = false;
    for (int i = 0; i < s->loader.family->row_count; i++)
        turned = turned || s->loader.family->rows[i].transposed;
    writer_format(w,
        "{\"config_groups\":{\"group_0\":{\"format\":\"int-quantized\",\"input_activations\":null,"
        "\"output_activations\":null,\"targets\":[\"Linear\",\"Embedding\"%s],\"weights\":{\"dynamic\":false,"
        "\"group_size\":null,\"num_bits\":8,\"observer\":\"minmax\",\"strategy\":\"channel\",\"symmetric\":true,"
        "\"type\":\"int\"}}},\"dequantize\":true,\"format\":\"int-quantized\",\"ignore\":[",
        turned ? ",\"Conv1D\"" : "");
    for (int i = 0; i < s->loader.family->row_count; i++) {
        const weight_row *row = &s->loader.family->rows[i];
        bool decoder = !row->per_layer && row->offset == offsetof(weights, decoder.weight) &&
            arch_last(&s->config.arch)->tied;
        if (row->role != ROLE_TABLE && !decoder) continue;
        writer_format(w, "%s\"%s%.*s\"", comma,
            row->part <= PART_POOLER ? family_prefix(s->loader.family, &s->config.arch) : "",
            (int)(strlen(row->name) - strlen(".weight")), row->name);
        comma = ",";
    }
    writer_format(w,
        "],\"quant_method\":\"compressed-tensors\",\"quantization_status\":\"compressed\"}");
    return writer_text(w);
}

const char *hl_save_config(hl_session *s) {
    if (!session_at(s, STAGE_READY)) return NULL;
    arena_free(&s->answer);
    writer w;
    writer_init(&w, &s->scratch);
    const char *how = s->loader.store == STORE_Q8 ? quantization_config(s, &w) : NULL;
    const char *text = s->loader.store == STORE_Q8 && !how
        ? NULL
        : config_rewrite(&s->config, how, &s->answer, &s->scratch, &s->err);
    arena_free(&s->scratch);
    return text;
}

/* Which file holds which tensor. */
const char *hl_save_index(hl_session *s) {
    if (!session_at(s, STAGE_READY)) return NULL;
    arena_free(&s->answer);
    double limit = s->save.limit;
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
