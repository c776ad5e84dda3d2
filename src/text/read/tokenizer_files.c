/* tokenizer_files - a tokenizer without tokenizer.json: vocab.txt, vocab.json with merges.txt, or
 * SentencePiece's own file (tokenizer_pieces.c), and what tokenizer_config.json, special_tokens_map.json and added_tokens.json put around it, as the
 * class does that reads them in transformers 5; other classes are refused. One thing is as in version
 * 4: <mask> of RoBERTa takes the space before it along (docs/exactness.md).
 *
 * To add a class that does as one of these: a row in `classes`.
 */
#include "text/read/tokenizer_files.h"

#include "base/format.h"

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
#ifndef HEADLIGHT_FEW
    {"xlmroberta", LIKE_XLM_ROBERTA},
    {"xlm-roberta", LIKE_XLM_ROBERTA},
    {"camembert", LIKE_CAMEMBERT},
    {"albert", LIKE_ALBERT},
    {"llama", LIKE_LLAMA},
    {"mistral", LIKE_LLAMA},
#endif
#ifndef HEADLIGHT_ONE_STACK
    {"t5", LIKE_T5},
    {"mt5", LIKE_T5},
    {"marian", LIKE_MARIAN},
#endif
};

#ifdef HEADLIGHT_FEW
static const char others[] = "(BERT's, MPNet's, RoBERTa's and GPT-2's need none)",
                  reads[] =
                      "BERT's and MPNet's read vocab.txt, RoBERTa's and GPT-2's vocab.json and "
                      "merges.txt";
#else
#ifdef HEADLIGHT_ONE_STACK
#define OF_PIECES "XLM-R's, CamemBERT's, ALBERT's and Llama's"
#define OF_PAIRS ""
#else
#define OF_PIECES "XLM-R's, CamemBERT's, ALBERT's, Llama's and T5's"
#define OF_PAIRS ", Marian's source.spm, target.spm and vocab.json"
#endif
static const char others[] = "(BERT's, MPNet's, RoBERTa's and GPT-2's need none, nor " OF_PIECES
                             " beside a SentencePiece file)",
                  reads[] =
                      "BERT's and MPNet's read vocab.txt, RoBERTa's and GPT-2's vocab.json and "
                      "merges.txt, " OF_PIECES " a SentencePiece file" OF_PAIRS;
#endif

static bool parse(files_reader *f, span text, const char *name, const json_value **out) {
    *out = NULL;
    if (!text.at) return true;
    *out = json_parse(f->r.scratch, text, "vocab", name, f->r.err);
    if (*out && (*out)->type != JSON_OBJECT)
        return error_set(f->r.err, "vocab",
            "%s is not an object {...}; use the file from the model's folder", name);
    return *out != NULL;
}

/* The other two files are older than added_tokens_decoder. */
static bool parse_all(files_reader *f) {
    bool ok = parse(f, f->files->settings, FILES_SETTINGS, &f->settings);
    if (!ok || json_get(f->settings, "added_tokens_decoder")) return ok;
    return parse(f, f->files->map, FILES_MAP, &f->map) &&
        parse(f, f->files->added, FILES_ADDED, &f->added);
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
    return error_set(f->r.err, "vocab", "the tokenizer_class in %s is \"%s\", which %s; %s%s", file,
        error_quote(name.at, name.size).text,
        known ? "does not read the files that are there" : "is not known without a tokenizer.json",
        known ? reads : "use the tokenizer.json from the model's folder ", known ? "" : others);
}

/* Nothing names a class, and the family has none that reads it. */
static bool refuse_pieces(files_reader *f) {
    span family = f->files->family;
    return error_set(f->r.err, "vocab",
        "no file names the tokenizer_class of the SentencePiece file, and the model_type %s has none that "
        "reads it %s; use the tokenizer.json from the model's folder",
        error_quote(family.at, family.size).text, others);
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
    for (int i = 0; i < NAMED; i++)
        all &= tokenizer_find(f->r.t, files_usual[LIKE_ROBERTA][i]) >= 0;
    if (f->files->merges.at) f->way = all ? LIKE_ROBERTA : LIKE_GPT2;
    else if (family.size)
        *warning = "no file names the tokenizer_class of vocab.txt, and the family has another: it "
                   "is read as BERT's";
    return true;
}

/* Does a class read the files that are there? */
static bool reads_such(const files_reader *f, way way) {
#ifndef HEADLIGHT_ONE_STACK
    if (HAS_PAIR(f->files) || way == LIKE_MARIAN) return HAS_PAIR(f->files) && way == LIKE_MARIAN;
#endif
    if (HAS_PIECES(f->files)) return way >= LIKE_XLM_ROBERTA;
    return f->files->merges.at ? way == LIKE_ROBERTA || way == LIKE_GPT2 : way <= LIKE_MPNET;
}

static bool choose_class(files_reader *f, const char **warning) {
    const json_value *said = json_get(f->settings, "tokenizer_class");
    bool own = said && said->type == JSON_STRING;
    span name = own ? said->string : f->files->class_name;
    const struct class_row *row = find_class(name.size ? name : f->files->family);
    bool fits = row && reads_such(f, row->way);
    if (fits) f->way = row->way;
    else if (name.size) return refuse_class(f, name, own ? FILES_SETTINGS : "config.json", row);
    else if (HAS_PIECES(f->files) || HAS_PAIR(f->files)) return refuse_pieces(f);
    return fits || guess_class(f, warning);
}

/* ---- the whole ---- */

static const char *vocabulary_of(const files_reader *f) {
    if (HAS_PIECES(f->files)) return "the SentencePiece file";
    return f->files->merges.at || HAS_PAIR(f->files) ? "vocab.json" : "vocab.txt";
}

/* Texts are closed by what the settings ask for, if anything. */
static bool is_left_to_right(const files_reader *f) {
    return f->way == LIKE_GPT2 || f->way == LIKE_LLAMA;
}

/* WordPiece's unknown token, and those around a text: the model has learned them, so they have a
 * place in the vocabulary or an id of their own. */
static bool check_needed(files_reader *f) {
    for (int i = OF_TWO(f) ? EOS : UNK; i <= CLS; i++) {
        span name = f->names[i];
        const found_token *one = files_find(f, name);
        bool needed = i == UNK ? f->way <= LIKE_MPNET : i != PAD && !is_left_to_right(f);
        if (OF_TWO(f)) needed = i == EOS || (i == UNK && f->way == LIKE_MARIAN);
        if (!needed || vocab_find(&f->r.t->vocab, name) >= 0) continue;
        if (!name.size)
            return files_of(f, files_keys[i]),
                   error_set(f->r.err, "vocab",
                       "the %s of %s is null, but a text of this tokenizer needs it", files_keys[i],
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
    if (!files_take_all(&less) || less.count != f->count) return true;
    for (int i = 0; i < NAMED; i++) same = same && span_equal(f->names[i], less.names[i]);
    const found_token *next = less.found;
    for (const found_token *one = f->found; same && one < f->found + f->count; one++) {
        const found_token *other = files_find(&less, one->token.content);
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
        if (files_usual[f->way][i] && span_is(token->content, files_usual[f->way][i]))
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
    if (!files_flag(f, "split_special_tokens", false, &split) || !added_begin(&f->r, &l, f->count))
        return false;
    t->unusual = t->unusual || is_unusual(f);
    f->r.file = f->added ? FILES_ADDED : FILES_SETTINGS;
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
    if (!files_flag(f, "do_lower_case", true, &rules->lower) ||
        !files_flag(f, "tokenize_chinese_chars", true, &rules->chinese) ||
        !files_flag(f, "strip_accents", rules->lower, &rules->strip) ||
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
    return files_flag(f, "add_prefix_space", false, &pre->prefix_space) &&
        (f->way == LIKE_GPT2 ||
            (files_flag(f, "trim_offsets", true, &t->trim.on) &&
                (t->trim.prefix_space = pre->prefix_space, true)));
}

#ifndef HEADLIGHT_ONE_STACK
/* T5's after each text, Marian's after both: what closes them. */
static void set_up_closed(files_reader *f) {
    for (int pair = 0; pair < 2; pair++) {
        template_form *form = &f->r.t->form.of[pair];
        for (int text = 0; text <= pair; text++) {
            template_add(form, text ? TEMPLATE_B : TEMPLATE_A, 0);
            if (text == pair || f->way == LIKE_T5) template_add(form, f->r.t->specials.eos, 0);
        }
        template_finish(form, 1 + pair);
    }
}
#endif

/* GPT-2's and Llama's, of each text: what add_bos_token and add_eos_token ask for, or what is usual. */
static bool set_up_template(files_reader *f) {
    const special_ids *s = &f->r.t->specials;
    bool bos, eos;
    bool doubled = f->way != LIKE_BERT && f->way != LIKE_ALBERT;
#ifndef HEADLIGHT_ONE_STACK
    if (OF_TWO(f)) return set_up_closed(f), true;
#endif
    if (!is_left_to_right(f)) return template_usual(&f->r.t->form, s->cls, s->sep, doubled), true;
    if (!files_flag(f, "add_bos_token", f->way == LIKE_LLAMA, &bos) ||
        !files_flag(f, "add_eos_token", false, &eos))
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
#ifndef HEADLIGHT_ONE_STACK
    if (HAS_PAIR(f->files)) return marian_set_up(f);
#endif
    if (HAS_PIECES(f->files)) return pieces_set_up(f);
    normal_step *normal = arena_take(f->r.a, sizeof *normal, "the vocabulary");
    pre_step *pre = arena_take(f->r.a, sizeof *pre, "the vocabulary");
    f->r.t->pre_steps = (pre_steps){pre, 1};
    return normal && pre &&
        (f->files->merges.at ? set_up_bytes(f, pre) : set_up_words(f, normal, pre));
}

static bool count_extra(files_reader *f) {
#ifdef HEADLIGHT_ONE_STACK
    return (void)f, true;
#else
    return pieces_count_extra(f);
#endif
}

/* The vocabulary, the class and the tokens that the files name: SentencePiece's pieces are numbered as the class does. */
static bool read_vocabulary(files_reader *f, int *merges, const char **warning) {
    if (HAS_PIECES(f->files) && !(pieces_read(f) && choose_class(f, warning) && count_extra(f)))
        return false;
    f->r.more = files_most_tokens(f);
    f->r.file = vocabulary_of(f);
    if (HAS_PIECES(f->files)) return files_take_all(f) && pieces_take(f) && pieces_number(f);
#ifndef HEADLIGHT_ONE_STACK
    if (HAS_PAIR(f->files))
        return choose_class(f, warning) && files_take_all(f) && marian_number(f);
#endif
    return (f->files->merges.at
                   ? tokenizer_read_merges(&f->r, f->files->vocab, f->files->merges, merges)
                   : tokenizer_read_lines(&f->r, f->files->vocab)) &&
        choose_class(f, warning) && files_take_all(f);
}

static bool read_files(files_reader *f, const char **warning) {
    tokenizer *t = f->r.t;
    int merges = 0;
    if (!parse_all(f) || !read_vocabulary(f, &merges, warning) || !check_needed(f) || !set_up(f) ||
        !add_all(f))
        return false;
    while (t->vocab.size && !t->vocab.pieces[t->vocab.size - 1].at) t->vocab.size--;
    name_specials(f);
    if (f->files->merges.at && !*warning) *warning = tokenizer_missing_merges(&f->r, merges);
    bool ok = set_up_template(f) && tokenizer_complete(t, f->r.a);
#ifndef HEADLIGHT_ONE_STACK
    marian_finish(f);
#endif
    return ok;
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
