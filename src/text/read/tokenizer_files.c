/* tokenizer_files - a tokenizer without tokenizer.json: vocab.txt, or vocab.json with merges.txt, and
 * what tokenizer_config.json, special_tokens_map.json and added_tokens.json put around it, as the
 * class does that reads them in transformers 5; other classes are refused. One thing is as in version
 * 4: <mask> of RoBERTa takes the space before it along (docs/exactness.md).
 *
 * To add a class that does as one of these: a row in `classes`.
 */
#include "base/format.h"
#include "text/read/tokenizer_reader.h"

#include <stdlib.h>

typedef enum way { LIKE_BERT, LIKE_MPNET, LIKE_ROBERTA, LIKE_GPT2 } way;

/* In the order in which they get new ids. */
enum { BOS, EOS, UNK, SEP, PAD, CLS, MASK, NAMED };
static const char *const keys[NAMED] = {"bos_token", "eos_token", "unk_token", "sep_token",
    "pad_token", "cls_token", "mask_token"};
/* What they are where no file says so. */
static const char *const usual[][NAMED] = {
    [LIKE_BERT] = {NULL, NULL, "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"},
    [LIKE_MPNET] = {"<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_ROBERTA] = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
    [LIKE_GPT2] = {"<|endoftext|>", "<|endoftext|>", "<|endoftext|>"},
};

/* Classes without "Tokenizer" and "Fast"; a family has the one of its own name. */
static const struct class_row {
    const char *name;
    way way;
} classes[] = {
    {"bert", LIKE_BERT},
    {"distilbert", LIKE_BERT},
    {"electra", LIKE_BERT},
    {"mobilebert", LIKE_BERT},
    {"convbert", LIKE_BERT},
    {"mpnet", LIKE_MPNET},
    {"roberta", LIKE_ROBERTA},
    {"longformer", LIKE_ROBERTA},
    {"bart", LIKE_ROBERTA},
    {"gpt2", LIKE_GPT2},
};

/* A token that stands somewhere in the files. */
typedef struct found_token {
    added_token token; /* id -1: the next free one */
    int order;         /* in which it gets its id */
    int normalized;    /* -1: where it is not special */
    bool special;
    bool named;   /* as one of the seven or by a name of its own: it is special */
    bool listed;  /* what added_tokens.json calls special */
    bool implied; /* no file names it */
    bool plain;   /* has been there as a string */
} found_token;

typedef struct files_reader {
    tokenizer_reader r;
    const tokenizer_files *files;
    way way;
    const json_value *settings, *map, *added; /* NULL: not there, or not looked at */
    found_token *found;
    int count;
    span names[NAMED]; /* at NULL: none */
} files_reader;

static bool parse(files_reader *f, span text, const char *name, const json_value **out) {
    *out = NULL;
    if (!text.at) return true;
    *out = json_parse(f->r.scratch, text, "vocab", name, f->r.err);
    if (*out && (*out)->type != JSON_OBJECT)
        return error_set(f->r.err, "vocab",
            "%s is not an object {...}; use the file from the model's folder", name);
    return *out != NULL;
}

static const char SETTINGS[] = "tokenizer_config.json", MAP[] = "special_tokens_map.json",
                  ADDED[] = "added_tokens.json";

/* The other two files are older than added_tokens_decoder. */
static bool parse_all(files_reader *f) {
    bool ok = parse(f, f->files->settings, SETTINGS, &f->settings);
    if (!ok || json_get(f->settings, "added_tokens_decoder")) return ok;
    return parse(f, f->files->map, MAP, &f->map) && parse(f, f->files->added, ADDED, &f->added);
}

/* The file that says a member; special_tokens_map.json goes before. */
static const json_value *file_of(files_reader *f, const char *key) {
    bool map = json_get(f->map, key);
    f->r.file = map ? MAP : SETTINGS;
    return map ? f->map : f->settings;
}

static bool flag(files_reader *f, const char *key, bool absent, bool *out) {
    f->r.t->unusual = f->r.t->unusual || json_get(f->map, key);
    return reader_bool_or(&f->r, file_of(f, key), key, absent, out);
}

/* ---- the class ---- */

static const struct class_row *find_class(span name) {
    if (span_ends(name, "Fast")) name.size -= 4;
    if (span_ends(name, "Tokenizer")) name.size -= 9;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (span_is_in_any_case(name, classes[i].name)) return &classes[i];
    return NULL;
}

static bool refuse_class(files_reader *f, span name, const char *file, bool known) {
    return error_set(f->r.err, "vocab", "the tokenizer_class in %s is \"%s\", which %s; %s", file,
        error_quote(name.at, name.size).text,
        known ? "does not read the files that are there" : "is not known without a tokenizer.json",
        known ? "BERT's and MPNet's read vocab.txt, RoBERTa's and GPT-2's vocab.json and merges.txt"
              : "use the tokenizer.json from the model's folder (BERT's, MPNet's, RoBERTa's and "
                "GPT-2's need none)");
}

/* Nothing names a class, and the family's reads other files, or none. */
static bool guess_class(files_reader *f, const char **warning) {
    span family = f->files->family;
    bool all = true;
    f->way = LIKE_BERT;
    if (f->files->merges.at && family.size)
        return error_set(f->r.err, "vocab",
            "vocab.json and merges.txt without a tokenizer.json are enough for gpt2 and roberta, "
            "but the model_type in config.json is \"%s\"; use the tokenizer.json from the "
            "model's folder",
            error_quote(family.at, family.size).text);
    for (int i = 0; i < NAMED; i++) all &= tokenizer_find(f->r.t, usual[LIKE_ROBERTA][i]) >= 0;
    if (f->files->merges.at) f->way = all ? LIKE_ROBERTA : LIKE_GPT2;
    else if (family.size)
        *warning = "no file names the tokenizer_class of vocab.txt, and the family has another: it "
                   "is read as BERT's";
    return true;
}

static bool choose_class(files_reader *f, const char **warning) {
    const json_value *said = json_get(f->settings, "tokenizer_class");
    bool own = said && said->type == JSON_STRING;
    span name = own ? said->string : f->files->class_name;
    const struct class_row *row = find_class(name.size ? name : f->files->family);
    bool merges = f->files->merges.at, fits = row && (row->way >= LIKE_ROBERTA) == merges;
    if (fits) f->way = row->way;
    else if (name.size) return refuse_class(f, name, own ? SETTINGS : "config.json", row);
    return fits || guess_class(f, warning);
}

/* ---- the tokens that the files name ---- */

/* How many there can be at most. */
static int most_tokens(const files_reader *f) {
    const json_value *files[] = {f->settings, f->map, f->added};
    int most = NAMED;
    for (int i = 0; i < 3; i++)
        for (const json_value *v = files[i] ? files[i]->first : NULL; v; v = v->next)
            most += 1 + v->count;
    return most;
}

static found_token *find_found(const files_reader *f, span content) {
    for (found_token *one = f->found; one < f->found + f->count; one++)
        if (span_equal(one->token.content, content)) return one;
    return NULL;
}

/* What is known of it before; a new one when it is the first time. NULL: it cannot be a token. */
static found_token *place_of(files_reader *f, span content, const json_value *v) {
    found_token *one = find_found(f, content);
    if (content.size > ADDED_MAX_BYTES) return reader_long_token(&f->r, content), NULL;
    if (!content.at)
        return error_set(f->r.err, "vocab", "a special token of %s is %s, expected a string",
                   f->r.file, reader_kind(v)),
               NULL;
    if (one) return one;
    f->found[f->count] = (found_token){.order = VOCAB_MAX_IDS + f->count, .implied = true};
    return &f->found[f->count++];
}

/* The flags of an object; of a string, those that it has as a special token. */
static bool read_flags(files_reader *f, const json_value *v, bool absent, found_token *one) {
    static const char *const names[] = {"single_word", "lstrip", "rstrip", "special"};
    bool *const flags[] = {&one->token.single_word, &one->token.lstrip, &one->token.rstrip,
        &one->special};
    const json_value *normalized = json_get(v, "normalized");
    one->normalized = normalized && normalized->type == JSON_BOOL ? normalized->boolean : -1;
    for (int i = 0; i < 4; i++)
        if (!reader_bool_or(&f->r, v, names[i], i == 3 && absent, flags[i])) return false;
    return true;
}

/* "[E1]" or {"content": "[E1]", ...} of the file r.file; what comes last counts. */
static bool take(files_reader *f, const json_value *v, bool named, bool listed) {
    bool plain = v->type == JSON_STRING;
    span content = reader_content(v);
    found_token *one = place_of(f, content, v);
    if (!one) return false;
    one->named = one->named || named;
    one->listed = one->listed || (listed && (plain || f->r.file == MAP));
    one->implied = false;
    if (plain && one->plain) return true;
    one->plain = one->plain || plain;
    one->token = (added_token){.content = content, .id = -1};
    return read_flags(f, v, plain || f->r.file == MAP, one);
}

static bool take_named(files_reader *f) {
    for (int i = 0; i < NAMED; i++) {
        const json_value *v = json_get(file_of(f, keys[i]), keys[i]);
        const char *name = usual[f->way][i];
        const json_value own = {.type = JSON_STRING, .string = span_of(name ? name : "")};
        const found_token *before = find_found(f, own.string);
        bool implied = !v && (!before || before->implied);
        if (v ? v->type == JSON_NULL : !name) continue;
        if (!v) v = &own;
        if (!take(f, v, true, v != &own)) return false;
        f->names[i] = reader_content(v);
        found_token *one = find_found(f, f->names[i]);
        one->implied = implied;
        one->plain = one->plain && f->way != LIKE_MPNET; /* which makes objects of them */
        if (i == MASK && v->type == JSON_STRING && f->way != LIKE_BERT) one->token.lstrip = true;
    }
    return true;
}

/* Members like "image_token". */
static bool take_others(files_reader *f, const json_value *file, const char *name) {
    f->r.file = name;
    for (const json_value *v = file ? file->first : NULL; v; v = v->next) {
        bool other = span_ends(v->key, "_token") && reader_content(v).at;
        for (int i = 0; i < NAMED; i++) other = other && !span_is(v->key, keys[i]);
        if (other && !take(f, v, true, false)) return false;
    }
    return true;
}

/* A list, or names with their tokens. */
static bool take_all_of(files_reader *f, const json_value *v, json_type type, bool listed) {
    if (!v || v->type != type) return true;
    for (v = v->first; v; v = v->next)
        if (!take(f, v, type == JSON_OBJECT, listed)) return false;
    return true;
}

/* extra_special_tokens of both files, or what it was called before. */
static bool take_extra(files_reader *f) {
    const json_value *extra = json_get(f->settings, "extra_special_tokens"),
                     *before = json_get(f->settings, "additional_special_tokens"),
                     *more = json_get(f->map, "extra_special_tokens"),
                     *older = json_get(f->map, "additional_special_tokens");
    if (before && (!extra || !extra->count)) extra = before, before = NULL;
    const json_value *last = more ? more : extra;
    f->r.file = SETTINGS;
    if (!take_all_of(f, extra, JSON_OBJECT, false) ||
        ((!more || more->type == JSON_ARRAY) && !take_all_of(f, extra, JSON_ARRAY, true)))
        return false;
    f->r.file = MAP;
    return take_all_of(f, more, JSON_OBJECT, false) && take_all_of(f, more, JSON_ARRAY, true) &&
        ((last && last->type != JSON_OBJECT) ||
            take_all_of(f, older ? older : before, JSON_ARRAY, false));
}

/* added_tokens.json: {"token": id}; added_tokens_decoder: {"id": {"content": "token", ...}}. What they say of a
 * token counts before all else. */
static bool take_fixed(files_reader *f) {
    const json_value *v = f->added ? f->added : json_get(f->settings, "added_tokens_decoder");
    f->r.file = f->added ? ADDED : SETTINGS;
    for (v = v ? v->first : NULL; v; v = v->next) {
        span content = f->added ? v->key : reader_content(v);
        found_token *one = content.at && !content.size ? f->found + f->count
                                                       : place_of(f, content, v);
        int id = f->added ? 0 : reader_key_id(v->key);
        if (!one || (f->added && !reader_id(&f->r, v, content, &id))) return false;
        if (id < 0)
            return error_set(f->r.err, "vocab",
                "added_tokens_decoder of %s has \"%s\", expected an id", f->r.file,
                error_quote(v->key.at, v->key.size).text);
        one->token = (added_token){.content = content};
        if (!read_flags(f, v, one->listed, one)) return false;
        one->token.id = one->order = id;
        if (f->added) one->normalized = !one->special;
        one->implied = false;
    }
    return true;
}

static int by_order(const void *left, const void *right) {
    return ((const found_token *)left)->order - ((const found_token *)right)->order;
}

static bool take_all(files_reader *f) {
    f->found = arena_take_array(f->r.scratch, (size_t)most_tokens(f) + 1, sizeof *f->found,
        "the added tokens");
    if (!f->found || !take_named(f) || !take_others(f, f->map, MAP) ||
        !take_others(f, f->settings, SETTINGS) || !take_extra(f) || !take_fixed(f))
        return false;
    if (f->count) qsort(f->found, (size_t)f->count, sizeof *f->found, by_order);
    return true;
}

/* ---- the whole ---- */

static const char *vocabulary_of(const files_reader *f) {
    return f->files->merges.at ? "vocab.json" : "vocab.txt";
}

/* WordPiece's unknown token, and those around a text: the model has learned them, so they have a
 * place in the vocabulary or an id of their own. */
static bool check_needed(files_reader *f) {
    for (int i = UNK; i <= CLS; i++) {
        span name = f->names[i];
        const found_token *one = find_found(f, name);
        bool needed = i == UNK ? f->way <= LIKE_MPNET : i != PAD && f->way != LIKE_GPT2;
        if (!needed || vocab_find(&f->r.t->vocab, name) >= 0) continue;
        if (!name.size)
            return file_of(f, keys[i]),
                   error_set(f->r.err, "vocab",
                       "the %s of %s is null, but a text of this tokenizer needs it", keys[i],
                       f->r.file);
        if (i == UNK || one->token.id < 0)
            return tokenizer_missing_piece(f->r.err, vocabulary_of(f), name);
    }
    return true;
}

static bool is_special(const found_token *one) { return one->special || one->named; }

static bool is_normalized(const found_token *one) {
    return one->normalized < 0 ? !is_special(one) : one->normalized;
}

#ifdef HEADLIGHT_PAGE /* which nobody asks (port/identity.c) */
static bool is_unusual(files_reader *f) { return (void)f, false; }
#else
static bool is_same(const found_token *one, const found_token *other) {
    const added_token *x = &one->token, *y = &other->token;
    return is_special(one) == is_special(other) && is_normalized(one) == is_normalized(other) &&
        x->single_word == y->single_word && x->lstrip == y->lstrip && x->rstrip == y->rstrip;
}

/* Those that the vocabulary lacks get their ids in the order in which they stand. */
static const found_token *next_new(const files_reader *f, const found_token *from) {
    while (from < f->found + f->count && vocab_find(&f->r.t->vocab, from->token.content) >= 0)
        from++;
    return from;
}

/* Are the tokens others than without the two older files? */
static bool older_files_matter(const files_reader *f) {
    error ignored = {0};
    files_reader less = *f;
    bool same = true;
    less.r.err = &ignored;
    less.map = less.added = NULL;
    less.count = 0;
    memset(less.names, 0, sizeof less.names);
    if (!f->map && !f->added) return false;
    if (!take_all(&less) || less.count != f->count) return true;
    for (int i = 0; i < NAMED; i++) same = same && span_equal(f->names[i], less.names[i]);
    const found_token *next = less.found;
    for (const found_token *one = f->found; same && one < f->found + f->count; one++) {
        const found_token *other = find_found(&less, one->token.content);
        same = other && is_same(one, other);
        if (next_new(f, one) != one) continue;
        next = next_new(&less, next);
        same = same && next++ == other;
    }
    return !same;
}

/* Is it as the class has it where no file names it? */
static bool is_usual(const files_reader *f, const found_token *one) {
    const added_token *token = &one->token;
    bool found = false, takes = false;
    for (int i = 0; i < NAMED; i++)
        if (usual[f->way][i] && span_is(token->content, usual[f->way][i]))
            found = true, takes = i == MASK && f->way != LIKE_BERT;
    return found && one->named && one->normalized <= 0 && !token->single_word && !token->rstrip &&
        token->lstrip == takes;
}

static bool is_unusual(files_reader *f) {
    bool unusual = older_files_matter(f);
    for (const found_token *one = f->found; one < f->found + f->count; one++)
        unusual = unusual || (one->token.content.size && !is_usual(f, one));
    return unusual;
}
#endif

static bool add_all(files_reader *f) {
    tokenizer *t = f->r.t;
    added_lists l;
    bool split;
    if (!flag(f, "split_special_tokens", false, &split) || !added_begin(&f->r, &l, f->count))
        return false;
    t->unusual = t->unusual || is_unusual(f);
    f->r.file = f->added ? ADDED : SETTINGS;
    for (const found_token *one = f->found; one < f->found + f->count; one++) {
        added_token token = one->token;
        int late = l.lates;
        if (!token.content.size) continue;
        token.content = tokenizer_keep(f->r.a, token.content);
        token.hidden = split && is_special(one);
        if (!token.content.at || !added_add(&f->r, &l, token, is_normalized(one))) return false;
        t->implied += one->implied && l.lates > late;
        t->unusual = t->unusual || token.hidden;
    }
    return added_end(&f->r, &l);
}

static void name_specials(files_reader *f) {
    special_ids *s = &f->r.t->specials;
    int *const to[NAMED] = {&s->bos, &s->eos, &s->unk, &s->sep, &s->pad, &s->cls, &s->mask};
    for (int i = 0; i < NAMED; i++)
        *to[i] = f->names[i].size ? tokenizer_find_piece(f->r.t, f->names[i]) : -1;
}

static bool set_up_words(files_reader *f, normal_step *normal, pre_step *pre) {
    tokenizer *t = f->r.t;
    bert_normaliser *rules = &normal->bert;
    normal->kind = NORMAL_BERT;
    rules->clean = true;
    if (!flag(f, "do_lower_case", true, &rules->lower) ||
        !flag(f, "tokenize_chinese_chars", true, &rules->chinese) ||
        !flag(f, "strip_accents", rules->lower, &rules->strip) ||
        !bert_normaliser_prepare(rules, f->r.a))
        return false;
    pre->kind = PRE_BERT;
    t->normal_steps = (normal_steps){normal, 1};
    t->model.kind = MODEL_WORDPIECE;
    t->model.wordpiece =
        (wordpiece){&t->vocab, {"##", 2}, vocab_find(&t->vocab, f->names[UNK]), 100};
    if (f->way == LIKE_MPNET) t->trim.on = true;
    return true;
}

static bool set_up_bytes(files_reader *f, pre_step *pre) {
    tokenizer *t = f->r.t;
    *pre = (pre_step){.kind = PRE_BYTE_LEVEL, .pattern = &pattern_gpt2};
    t->model.kind = MODEL_BPE;
    return flag(f, "add_prefix_space", false, &pre->prefix_space) &&
        (f->way == LIKE_GPT2 ||
            (flag(f, "trim_offsets", true, &t->trim.on) &&
                (t->trim.prefix_space = pre->prefix_space, true)));
}

/* GPT-2's, of each text: nothing, or what add_bos_token and add_eos_token ask for. */
static bool set_up_template(files_reader *f) {
    const special_ids *s = &f->r.t->specials;
    bool bos, eos;
    if (f->way != LIKE_GPT2)
        return template_usual(&f->r.t->form, s->cls, s->sep, f->way != LIKE_BERT), true;
    if (!flag(f, "add_bos_token", false, &bos) || !flag(f, "add_eos_token", false, &eos))
        return false;
    for (int pair = 0; pair < 2; pair++) {
        template_form *form = &f->r.t->form.of[pair];
        for (int text = 0; text <= pair; text++) {
            if (bos && s->bos >= 0) template_add(form, s->bos, text);
            template_add(form, text ? TEMPLATE_B : TEMPLATE_A, text);
            if (eos && s->eos >= 0) template_add(form, s->eos, text);
        }
        template_finish(form, 1 + pair);
    }
    return true;
}

static bool set_up(files_reader *f) {
    normal_step *normal = arena_take(f->r.a, sizeof *normal, "the vocabulary");
    pre_step *pre = arena_take(f->r.a, sizeof *pre, "the vocabulary");
    f->r.t->pre_steps = (pre_steps){pre, 1};
    return normal && pre &&
        (f->files->merges.at ? set_up_bytes(f, pre) : set_up_words(f, normal, pre));
}

static bool read_files(files_reader *f, const char **warning) {
    tokenizer *t = f->r.t;
    int merges = 0;
    if (!parse_all(f)) return false;
    f->r.more = most_tokens(f);
    f->r.file = vocabulary_of(f);
    if (!(f->files->merges.at
                ? tokenizer_read_merges(&f->r, f->files->vocab, f->files->merges, &merges)
                : tokenizer_read_lines(&f->r, f->files->vocab)) ||
        !choose_class(f, warning) || !take_all(f) || !check_needed(f) || !set_up(f) || !add_all(f))
        return false;
    while (t->vocab.size && !t->vocab.pieces[t->vocab.size - 1].at) t->vocab.size--;
    name_specials(f);
    if (f->files->merges.at && !*warning) *warning = tokenizer_missing_merges(&f->r, merges);
    return set_up_template(f) && tokenizer_complete(t, f->r.a);
}

tokenizer *tokenizer_from_files(arena *a, const tokenizer_files *files, arena *scratch,
    const char **warning, error *err) {
    *warning = NULL;
    arena_mark mark = arena_here(scratch);
    tokenizer *t = arena_take(a, sizeof *t, "the vocabulary");
    files_reader f = {.r = {.t = t, .a = a, .scratch = scratch, .err = err}, .files = files};
    if (t && !read_files(&f, warning)) t = NULL;
    arena_release(scratch, mark);
    return t;
}
