/* tokenizer_pieces - a tokenizer from SentencePiece's own file: the vocabulary as XLM-R, CamemBERT, ALBERT
 * and Llama number it, and the pipeline that their classes in transformers 5 build around it. What
 * the file asks of white space and those classes do otherwise is refused.
 */
#include "text/read/tokenizer_files.h"

#include "base/format.h"

#include <math.h>

enum { MOST_MARKED = 10000 }; /* pieces that texts are cut at: each is compared with each */
enum { T5_UNKNOWN = 2 };

static const char FILE_NAME[] = "the SentencePiece file";

/* What stands before the pieces of the file, of which the first `left` are left out; NULL: the class's
 * own token of that kind. Scores are 0, and -100 of the last. */
typedef struct layout {
    const char *names[5];
    int kinds[5], heads, left;
    bool mask; /* one more at the end */
    sp_type type;
} layout; /* T5's extra ids come at the end, the highest number first */
static const layout layouts[] = {
    [LIKE_XLM_ROBERTA] =
        {.kinds = {BOS, PAD, EOS, UNK}, .heads = 4, .left = 3, .mask = true, .type = SP_UNIGRAM},
    [LIKE_CAMEMBERT] = {.names = {"<s>NOTUSED", NULL, "</s>NOTUSED", NULL, "<unk>NOTUSED"},
        .kinds = {0, PAD, 0, UNK, 0},
        .heads = 5,
        .left = 1,
        .mask = true,
        .type = SP_UNIGRAM},
    [LIKE_ALBERT] = {.type = SP_UNIGRAM},
    [LIKE_LLAMA] = {.type = SP_BPE},
#ifndef HEADLIGHT_ONE_STACK
    [LIKE_T5] = {.type = SP_UNIGRAM},
#endif
};

/* ---- what the class can do ---- */

static bool check_spaces(files_reader *f, bool llama) {
    const sp_model *m = &f->pieces;
    const struct {
        const char *name;
        bool is, expected;
    } rows[] = {{"add_dummy_prefix", m->dummy_prefix, true},
        {"remove_extra_whitespaces", m->removes_spaces, !llama},
        {"escape_whitespaces", m->escapes_spaces, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is != rows[i].expected)
            return error_set(f->r.err, "vocab",
                "%s of %s is %s, which its tokenizer_class does not do; use the tokenizer.json from the "
                "model's folder",
                rows[i].name, FILE_NAME, rows[i].is ? "true" : "false");
    if (llama && m->charsmap.size)
        return error_set(f->r.err, "vocab",
            "%s has a precompiled_charsmap, which Llama's tokenizer does not follow; use the "
            "tokenizer.json from the model's folder",
            FILE_NAME);
    return true;
}

static bool check_class(files_reader *f, const layout *l) {
    const sp_model *m = &f->pieces;
    if (m->type != l->type)
        return error_set(f->r.err, "vocab",
            "the model_type of %s is %s, but its tokenizer_class reads %s; use the file that belongs to it",
            FILE_NAME, m->type == SP_BPE ? "BPE" : "Unigram",
            l->type == SP_BPE ? "BPE" : "Unigram");
    for (int i = 0; i < l->left; i++)
        if (i >= m->count || m->pieces[i].kind != (i ? SP_CONTROL : SP_UNKNOWN))
            return error_set(f->r.err, "vocab",
                "piece %d of %s is not %s, which its tokenizer_class puts elsewhere; use the file that "
                "belongs to it",
                i, FILE_NAME, i ? "a control symbol (<s>, </s>)" : "the unknown piece");
#ifndef HEADLIGHT_ONE_STACK
    if (IS_T5(f) && m->unknown != T5_UNKNOWN)
        return error_set(f->r.err, "vocab",
            "the unknown piece of %s is piece %d, but its tokenizer_class takes piece %d for it; use the "
            "file that belongs to it",
            FILE_NAME, m->unknown, T5_UNKNOWN);
#endif
    return check_spaces(f, f->way == LIKE_LLAMA);
}

#ifndef HEADLIGHT_ONE_STACK
static span extra_name(int number, char *out, size_t room) {
    format_text(out, room, "<extra_id_%d>", number);
    return span_of(out);
}

bool pieces_count_extra(files_reader *f) {
    const json_value *v = json_get(files_of(f, "extra_ids"), "extra_ids");
    if (!IS_T5(f)) return true;
    if (v &&
        (v->type != JSON_NUMBER || !v->is_integer || v->integer < 0 || v->integer > MOST_MARKED))
        return error_set(f->r.err, "vocab",
            "extra_ids of %s is %s, expected a whole number from 0 to %d", f->r.file,
            error_quote(v->source.at, v->source.size).text, MOST_MARKED);
    f->extra = v ? (int)v->integer : 100;
    f->marked += f->extra;
    return true;
}

static bool take_extra(files_reader *f) {
    char name[32];
    for (int i = f->extra; i-- > 0;) {
        span content = tokenizer_keep(f->r.scratch, extra_name(i, name, sizeof name));
        if (!content.at) return false;
        if (files_find(f, content)) continue;
        f->found[f->count] = (found_token){.token = {.content = content, .id = -1},
            .order = VOCAB_MAX_IDS + f->count,
            .special = true};
        f->count++;
    }
    return true;
}
#endif

/* ---- added tokens: texts are cut at them ---- */

static bool is_marked(const sp_piece *p) {
    return p->kind == SP_CONTROL || p->kind == SP_USER_DEFINED;
}

bool pieces_read(files_reader *f) {
    sp_model *m = &f->pieces;
    if (!sentencepiece_read(m, f->files->vocab, f->r.scratch, f->r.err)) return false;
    for (int i = 0; i < m->count; i++) f->marked += is_marked(&m->pieces[i]);
    return f->marked <= MOST_MARKED ||
        error_set(f->r.err, "vocab",
            "%s has %d control and user-defined pieces, at most %d are supported", FILE_NAME,
            f->marked, MOST_MARKED);
}

bool pieces_take(files_reader *f) {
    f->r.file = FILE_NAME;
    if (f->listed) return true; /* the class adds none of its own then */
#ifndef HEADLIGHT_ONE_STACK
    if (!take_extra(f)) return false;
#endif
    for (const sp_piece *p = f->pieces.pieces; p < f->pieces.pieces + f->pieces.count; p++) {
        if (!is_marked(p) || files_find(f, p->text)) continue;
        if (p->text.size > ADDED_MAX_BYTES) return reader_long_token(&f->r, p->text);
        f->found[f->count] = (found_token){.token = {.content = p->text, .id = -1},
            .order = VOCAB_MAX_IDS + f->count,
            .special = p->kind == SP_CONTROL};
        f->count++;
    }
    return true;
}

/* ---- the vocabulary ---- */

typedef struct numbering {
    tokenizer *t;
    arena *a;
    double *scores, lowest;
    int next;
} numbering;

static bool add(numbering *n, span text, double score) {
    span kept = tokenizer_keep(n->a, text);
    if (!kept.at) return false;
    if (score < n->lowest) n->lowest = score;
    n->scores[n->next] = score;
    vocab_set(&n->t->vocab, n->next++, kept);
    return true;
}

static bool number_pieces(files_reader *f, const layout *l, numbering *n) {
    const sp_model *m = &f->pieces;
    for (int i = 0; i < l->heads; i++) {
        span name = l->names[i] ? span_of(l->names[i]) : f->names[l->kinds[i]];
        if (!add(n, name, i == 4 ? -100 : 0)) return false;
    }
    for (int i = l->left; i < m->count; i++)
        if (!add(n, m->pieces[i].text, (double)m->pieces[i].score)) return false;
#ifndef HEADLIGHT_ONE_STACK
    char name[32];
    for (int i = f->extra; i-- > 0;)
        if (!add(n, extra_name(i, name, sizeof name), 0)) return false;
#endif
    return !l->mask || add(n, f->names[MASK], 0);
}

/* Every two pieces that join to a third can be merged: the first third goes first, and of it the pair with the
 * shorter left piece. Returns their number; adds them where there is room for them already. */
static size_t pair_pieces(const vocab *v, bpe *to) {
    size_t pairs = 0;
    for (int id = 0; id < v->size; id++) {
        span whole = v->pieces[id];
        if (!whole.at || vocab_find(v, whole) != id) continue;
        uint32_t hash = HASH_START;
        for (size_t cut = 1; cut < whole.size; cut++) {
            span left = {whole.at, cut}, right = {whole.at + cut, whole.size - cut};
            hash = hash_step(hash, whole.at[cut - 1]);
            if (!vocab_may_have(v, hash) || vocab_find_hashed(v, hash, (span){"", 0}, left) < 0 ||
                vocab_find(v, right) < 0)
                continue;
            if (to) bpe_add(to, left, right, (int)pairs);
            pairs++;
        }
    }
    return pairs;
}

static bool set_up_model(files_reader *f, const layout *l, const numbering *n) {
    tokenizer *t = f->r.t;
    bpe *b = &t->model.bpe;
    if (l->type == SP_UNIGRAM) {
        t->model.kind = MODEL_UNIGRAM;
        t->vocab.count = n->next; /* as the library counts, equal ones too */
        t->model.unigram = (unigram){.vocab = &t->vocab,
            .scores = n->scores,
            .unknown_score = n->lowest - UNIGRAM_PENALTY,
            .unk = l->heads ? 3 : f->pieces.unknown};
        return true;
    }
    t->model.kind = MODEL_BPE;
    b->prefix = b->suffix = span_of("");
    b->unk = f->pieces.unknown;
    b->fuse_unk = true;
    if (!bpe_init(b, &t->vocab, pair_pieces(&t->vocab, NULL), f->r.a)) return false;
    pair_pieces(&t->vocab, b);
    b->bytes = vocab_bytes(&t->vocab, f->r.a);
    return b->bytes != NULL;
}

bool pieces_number(files_reader *f) {
    const layout *l = &layouts[f->way];
    f->r.file = FILE_NAME;
    int size = f->pieces.count + l->heads + 1 + EXTRA(f);
    if (!check_class(f, l)) return false;
    if (size > VOCAB_MAX_IDS - f->r.more)
        return error_set(f->r.err, "vocab", "%s has %d pieces, at most %d are read", FILE_NAME,
            f->pieces.count, VOCAB_MAX_IDS - f->r.more);
    numbering n = {.t = f->r.t, .a = f->r.a, .lowest = INFINITY};
    n.scores =
        arena_take_array(n.a, (size_t)(size + f->r.more), sizeof *n.scores, "the vocabulary");
    return n.scores && vocab_init(&f->r.t->vocab, size + f->r.more, n.a) &&
        number_pieces(f, l, &n) && set_up_model(f, l, &n);
}

/* ---- the steps, as tokenizer.json has them ---- */

static bool read_steps(files_reader *f, const char *text,
    bool (*read)(tokenizer_reader *r, const json_value *part)) {
    const json_value *part = json_parse(f->r.scratch, span_of(text), "vocab", FILE_NAME, f->r.err);
    return part && read(&f->r, part);
}

/* The file's own table comes last. */
static bool add_table(files_reader *f) {
    normal_steps *steps = &f->r.t->normal_steps;
    span table = tokenizer_keep(f->r.a, f->pieces.charsmap);
    normal_step *all =
        arena_take_array(f->r.a, (size_t)steps->count + 1, sizeof *all, "the vocabulary");
    if (!table.at || !all) return false;
    if (steps->count) memcpy(all, steps->at, (size_t)steps->count * sizeof *all);
    all[steps->count].kind = NORMAL_PRECOMPILED;
    if (!charsmap_read(&all[steps->count].map, table, f->r.a, f->r.err)) return false;
    *steps = (normal_steps){all, steps->count + 1};
    return true;
}

static bool set_up_albert(files_reader *f) {
    char text[400];
    bool lower, accents;
    if (!files_flag(f, "do_lower_case", true, &lower) ||
        !files_flag(f, "keep_accents", false, &accents))
        return false;
    format_text(text, sizeof text,
        "{\"type\":\"Sequence\",\"normalizers\":["
        "{\"type\":\"Replace\",\"pattern\":{\"String\":\"``\"},\"content\":\"\\\"\"},"
        "{\"type\":\"Replace\",\"pattern\":{\"String\":\"''\"},\"content\":\"\\\"\"}%s%s]}",
        accents ? "" : ",{\"type\":\"NFKD\"},{\"type\":\"StripAccents\"}",
        lower ? ",{\"type\":\"Lowercase\"}" : "");
    return read_steps(f, text, tokenizer_read_normalizer);
}

bool pieces_set_up(files_reader *f) {
    static const char by_words[] =
        "{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"WhitespaceSplit\"},"
        "{\"type\":\"Metaspace\",\"replacement\":\"\u2581\",\"prepend_scheme\":\"always\"}]}";
    static const char whole[] = "{\"type\":\"Metaspace\",\"replacement\":\"\u2581\","
                                "\"prepend_scheme\":\"always\",\"split\":false}";
    bool prefix, llama = f->way == LIKE_LLAMA, legacy = true;
    pre_steps *pre = &f->r.t->pre_steps;
    if (f->way == LIKE_ALBERT && !set_up_albert(f)) return false;
    if (f->pieces.charsmap.size && !add_table(f)) return false;
    if (IS_T5(f)) return read_steps(f, by_words, tokenizer_read_pre_tokenizer);
    if (!read_steps(f, llama ? whole : by_words, tokenizer_read_pre_tokenizer) ||
        !files_flag(f, "add_prefix_space", true, &prefix) ||
        (llama && !files_flag(f, "legacy", false, &legacy)))
        return false;
    pre->at[pre->count - 1].metaspace.prepend = !prefix ? PREPEND_NEVER
        : legacy                                        ? PREPEND_ALWAYS
                                                        : PREPEND_FIRST;
    return true;
}
