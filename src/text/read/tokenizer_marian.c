/* tokenizer_marian - Marian's tokenizer (Opus-MT): source.spm and target.spm cut a text into pieces, as SentencePiece's own
 * library does (models/side.h), and vocab.json numbers them, of both languages in one, as MarianTokenizer of transformers 5
 * does. What that takes from files beyond them is refused here.
 */
#include "text/read/tokenizer_files.h"

#ifndef HEADLIGHT_ONE_STACK
#include <math.h>

static const char SOURCE[] = "source.spm", TARGET[] = "target.spm";

/* ---- what the files ask for ---- */

/* Members of tokenizer_config.json that would change the ids: each must be missing or as here. */
static bool check_settings(files_reader *f) {
    static const char *const flags[] = {"separate_vocabs", "do_lower_case", "split_special_tokens"};
    for (int i = 0; i < 3; i++) {
        bool on;
        if (!files_flag(f, flags[i], false, &on)) return false;
        if (on)
            return error_set(f->r.err, "vocab",
                "%s of %s is true, which is not supported for a Marian; only false is", flags[i],
                f->r.file);
    }
    const json_value *kwargs = json_get(f->settings, "sp_model_kwargs");
    if (kwargs && kwargs->count)
        return error_set(f->r.err, "vocab",
            "sp_model_kwargs of %s is %s, which is not supported; expected is {}", FILES_SETTINGS,
            error_quote(kwargs->source.at, kwargs->source.size).text);
    for (const found_token *one = f->found; one < f->found + f->count; one++)
        if (one->token.single_word)
            return error_set(f->r.err, "vocab",
                "the added token \"%s\" is a single_word, which is not supported for a Marian",
                error_quote(one->token.content.at, one->token.content.size).text);
    return true;
}

static bool check_file(files_reader *f, const sp_model *m, const char *name) {
    if (m->type != SP_UNIGRAM)
        return error_set(f->r.err, "vocab",
            "the model_type of %s is BPE; of a Marian only Unigram is supported", name);
    if (m->byte_fallback || !m->escapes_spaces)
        return error_set(f->r.err, "vocab", "%s of %s is %s, which is not supported for a Marian",
            m->byte_fallback ? "byte_fallback" : "escape_whitespaces", name,
            m->byte_fallback ? "true" : "false");
    for (int i = 0; i < m->count; i++)
        if (m->pieces[i].kind == SP_USER_DEFINED)
            return error_set(f->r.err, "vocab",
                "piece %d of %s (\"%s\") is user-defined, which is not supported for a Marian", i,
                name, error_quote(m->pieces[i].text.at, m->pieces[i].text.size).text);
    return true;
}

/* ---- a side ---- */

/* The pieces that a text can be cut into, and what each is in vocab.json. */
static bool number_side(files_reader *f, const sp_model *m, side *s) {
    arena *a = f->r.a;
    float lowest = INFINITY;
    float *scores = arena_take_array(a, (size_t)m->count, sizeof *scores, "the vocabulary");
    int32_t *ids = arena_take_array(a, (size_t)m->count, sizeof *ids, "the vocabulary");
    if (!scores || !ids || !vocab_init(&s->pieces, m->count, a)) return false;
    for (int i = 0; i < m->count; i++) {
        const sp_piece *p = &m->pieces[i];
        scores[i] = p->score;
        if (p->kind != SP_NORMAL) continue;
        span kept = tokenizer_keep(a, p->text);
        if (!kept.at) return false;
        vocab_set(&s->pieces, i, kept);
        ids[i] = vocab_find(s->words, kept);
        if (p->score < lowest) lowest = p->score;
    }
    s->scores = scores;
    s->ids = ids;
    s->unknown_score = lowest - UNIGRAM_PENALTY;
    return true;
}

/* NULL: *err says why. */
static const side *read_side(files_reader *f, span file, const char *name) {
    sp_model m;
    side *s = arena_take(f->r.a, sizeof *s, "the vocabulary");
    error inner = {0};
    if (!s || !file.at)
        return s ? error_set(f->r.err, "vocab",
                       "%s is not there, without which a Marian's texts cannot be read; use the folder as it was "
                       "published",
                       name)
                 : 0,
               NULL;
    if (!sentencepiece_read(&m, file, f->r.scratch, &inner)) {
        const char *sentence = strstr(inner.text, ": ");
        return error_set(f->r.err, "vocab", "%s: %s", name, sentence ? sentence + 2 : inner.text),
               NULL;
    }
    if (!check_file(f, &m, name)) return NULL;
    *s = (side){.words = &f->r.t->vocab,
        .unk = vocab_find(&f->r.t->vocab, f->names[UNK]),
        .prefix = m.dummy_prefix,
        .trims = m.removes_spaces};
    span table = tokenizer_keep(f->r.a, m.charsmap);
    bool ok = table.at && (!table.size || charsmap_read(&s->map, table, f->r.a, f->r.err)) &&
        number_side(f, &m, s);
    return ok ? s : NULL;
}

/* ---- the whole ---- */

bool marian_number(files_reader *f) {
    const json_value *pieces =
        json_parse(f->r.scratch, f->files->vocab, "vocab", "vocab.json", f->r.err);
    f->r.file = "vocab.json";
    return pieces && tokenizer_read_pieces(&f->r, pieces);
}

/* Added tokens are looked for in the text as it is, whatever the files say. */
bool marian_set_up(files_reader *f) {
    tokenizer *t = f->r.t;
    if (!check_settings(f)) return false;
    for (int i = 0; i < f->count; i++) f->found[i].normalized = 0;
    t->side = read_side(f, f->files->source, SOURCE);
    t->target = t->side ? arena_take(f->r.a, sizeof *t, "the vocabulary") : NULL;
    return t->target && (t->target->side = read_side(f, f->files->target, TARGET));
}

void marian_finish(files_reader *f) {
    tokenizer *target = f->r.t->target;
    if (!target) return;
    const side *side = target->side;
    *target = *f->r.t;
    target->side = side;
    target->target = NULL;
}
#endif
