/* index - an index of a corpus behind its handle: built with a session's model, saved, opened, asked;
 * the part of headlight.h that is headed so.
 */
#include "port/session.h"

#include "base/format.h"
#include "search/build.h"
#include "search/search.h"

#include <stdlib.h>

typedef enum index_stage { INDEX_EMPTY, INDEX_BUILDS, INDEX_OPEN, INDEX_JOINS } index_stage;

struct hl_index {
    error err;
    arena memory, scratch, answer, room, saved;
    index_stage stage;
    text_index own;
    words words;
    /* while it is built */
    hl_session *session;
    corpus corpus;
    unsigned char *done; /* [items] */
    int left;
    /* parts that are joined */
    const text_index **parts;
    int part_count, part_room;
    const text_index *alone;
    index_saving saving;
    bool saves;
    hl_index *beside;
};

hl_index *hl_index_new(void) {
    hl_index *x = calloc(1, sizeof *x);
    arena *all[] = {&x->memory, &x->scratch, &x->answer, &x->room, &x->saved};
    for (int i = 0; x && i < 5; i++) arena_init(all[i], &x->err);
    return x;
}

/* All but the room for a file. */
static void forget(hl_index *x) {
    arena_free(&x->memory);
    arena_free(&x->scratch);
    arena_free(&x->answer);
    arena_free(&x->saved);
    x->stage = INDEX_EMPTY;
    x->own = (text_index){0};
    x->words = (words){0};
    x->session = NULL;
    x->parts = NULL;
    x->part_count = x->part_room = 0;
    x->saves = false;
    x->beside = NULL;
}

void hl_index_free(hl_index *x) {
    if (!x) return;
    forget(x);
    arena_free(&x->room);
    free(x);
}

const char *hl_index_error(const hl_index *x) { return x->err.text; }

static bool is_at(hl_index *x, index_stage stage, const char *what) {
    error_clear(&x->err);
    return x->stage == stage || error_set(&x->err, "state", "%s", what);
}

/* The error of a call on the session becomes the index's. */
static bool from_session(hl_index *x, bool done) {
    if (!done && !error_is_set(&x->err)) x->err = x->session->err;
    return done;
}

/* ---- building ---- */

static span copy_text(hl_index *x, span text) {
    char *at = arena_take(&x->memory, text.size + 1, "an index");
    if (!at) return (span){"", 0};
    memcpy(at, text.at, text.size);
    return (span){at, text.size};
}

static span list_of(hl_index *x, const names *n) {
    writer w;
    writer_init(&w, &x->memory);
    for (int i = 0; i < n->count; i++) {
        if (i) writer_format(&w, "\t");
        writer_add(&w, n->at[i]);
    }
    const char *text = writer_text(&w);
    return text ? span_of(text) : (span){"", 0};
}

static span masks_of(hl_index *x, const arch *a) {
    writer w;
    writer_init(&w, &x->memory);
    for (int i = 0; i < a->layers; i++) {
        const arch_layer *l = &a->layer[i];
        if (i) writer_format(&w, "\t");
        if (l->mask == MASK_WINDOW) writer_format(&w, "%d", l->window);
        else if (l->mask == MASK_CAUSAL_WINDOW) writer_format(&w, "causal %d", l->window);
        else writer_format(&w, "%s", l->mask == MASK_ALL ? "all" : "causal");
    }
    const char *text = writer_text(&w);
    return text ? span_of(text) : (span){"", 0};
}

/* The special tokens, each once: 101 [CLS]. */
static span added_of(hl_index *x, hl_session *s) {
    special_ids ids = session_specials(s);
    int all[] = {ids.cls, ids.sep, ids.bos, ids.eos, ids.pad, ids.unk, ids.mask}, count = 0;
    writer w;
    writer_init(&w, &x->memory);
    for (int i = 0; i < 7; i++) {
        bool known = all[i] < 0;
        for (int k = 0; k < i; k++) known = known || all[k] == all[i];
        const char *text = known ? NULL : hl_token_text(s, all[i]);
        if (text) writer_format(&w, "%s%d %s", count++ ? "\t" : "", all[i], text);
    }
    const char *text = writer_text(&w);
    return text ? span_of(text) : (span){"", 0};
}

static span name_of(hl_index *x, const json_value *options, const char *which) {
    const json_value *name = json_get(json_get(options, "names"), which);
    return name && name->type == JSON_STRING ? copy_text(x, name->string) : (span){"", 0};
}

/* "layers", rising, each once. */
static bool read_layers(hl_index *x, const json_value *options) {
    const json_value *given = json_get(options, "layers");
    int layers = x->session->config.arch.layers, wanted[INDEX_MOST_LAYERS] = {0};
    bool good = !given || given->type == JSON_ARRAY;
    for (const json_value *v = given && good ? given->first : NULL; v && good; v = v->next) {
        good = v->is_integer && v->integer >= 0 && v->integer < layers;
        if (good) wanted[v->integer] = 1;
    }
    if (!good)
        return error_set(&x->err, "state", "layers must be a list of layers from 0 to %d",
            layers - 1);
    writer w;
    writer_init(&w, &x->memory);
    for (int i = 0, count = 0; i < layers; i++)
        if (wanted[i]) writer_format(&w, "%s%d", count++ ? "\t" : "", i);
    const char *text = writer_text(&w);
    if (text) x->own.texts[INDEX_VECTORS] = span_of(text);
    return text != NULL;
}

static bool read_shard(hl_index *x, const json_value *options) {
    const json_value *given = json_get(options, "shard"), *v = given ? given->first : NULL,
                     *limit = json_get(options, "limit");
    int64_t items = x->corpus.count, *n = x->own.numbers, shard = 0, shards = 1;
    if (limit && !(limit->is_integer && limit->integer >= 0))
        return error_set(&x->err, "state", "limit must be a whole number of items, 0 for all");
    if (limit && limit->integer && limit->integer < items) items = limit->integer;
    if (given) {
        bool good = given->type == JSON_ARRAY && given->count == 2 && v->is_integer &&
            v->next->is_integer && v->integer >= 0 && v->integer < v->next->integer;
        if (!good)
            return error_set(&x->err, "state",
                "shard must be a list of two whole numbers: which part, from 0 on, and of how many");
        shard = v->integer, shards = v->next->integer;
    }
    if (shards > items)
        return error_set(&x->err, "state", "the corpus has %lld items, too few for %lld parts",
            (long long)items, (long long)shards);
    n[INDEX_FROM] = items * shard / shards;
    n[INDEX_TO] = items * (shard + 1) / shards;
    n[INDEX_ITEMS] = x->corpus.count;
    return true;
}

static bool check_options(hl_index *x, const json_value *options) {
    static const char known[] = "layers shard limit format columns names";
    if (options->type != JSON_OBJECT)
        return error_set(&x->err, "state", "the options of an index must be an object");
    const json_value *one = json_unknown(options, known, NULL);
    return !one ||
        error_set(&x->err, "state", "an index has no option %s; there are: %s",
            error_quote(one->key.at, one->key.size).text, known);
}

/* Numbers and texts of the metadata. */
static bool describe(hl_index *x, const json_value *options) {
    hl_session *s = x->session;
    const arch *a = &s->config.arch;
    text_index *own = &x->own;
    *own = (text_index){.memory = &x->memory, .err = &x->err};
    own->numbers[INDEX_LAYERS] = a->layers;
    own->numbers[INDEX_HEADS] = a->heads;
    own->numbers[INDEX_WIDTH] = a->head_width;
    own->numbers[INDEX_HIDDEN_WIDTH] = a->hidden;
    if (a->layers > INDEX_MOST_LAYERS)
        return error_set(&x->err, "state", "an index takes models of up to %d layers",
            INDEX_MOST_LAYERS);
    sha256 h;
    char hash[SHA256_TEXT];
    sha256_begin(&h);
    sha256_add(&h, s->corpus_text.at, s->corpus_text.size);
    sha256_text(&h, hash);
    span *texts = own->texts;
    texts[INDEX_MODEL] = name_of(x, options, "model");
    texts[INDEX_MODEL_HASH] = copy_text(x, span_of(session_model_hash(s)));
    texts[INDEX_CORPUS] = name_of(x, options, "corpus");
    texts[INDEX_CORPUS_HASH] = copy_text(x, span_of(hash));
    texts[INDEX_FORMAT] = span_of(corpus_format_name(x->corpus.format));
    texts[INDEX_WEIGHTS_AS] = span_of(session_store(s));
    texts[INDEX_RELEASE] = span_of(HL_RELEASE);
    texts[INDEX_MASKS] = masks_of(x, a);
    texts[INDEX_ADDED] = added_of(x, s);
    texts[INDEX_TAG_NAMES] = list_of(x, x->corpus.tags);
    texts[INDEX_RELATION_NAMES] = list_of(x, x->corpus.relations);
    return !error_is_set(&x->err) && read_layers(x, options) && read_shard(x, options);
}

static bool read_item(hl_index *x, int index, corpus_item *item) {
    return corpus_read(&x->corpus, (int)x->own.numbers[INDEX_FROM] + index, item, &x->scratch,
        &x->err);
}

/* Tokenises all items, to know how much memory they take before any is run. */
static bool size_items(hl_index *x) {
    int count = (int)(x->own.numbers[INDEX_TO] - x->own.numbers[INDEX_FROM]);
    build_size *sizes =
        arena_take_array(&x->memory, (size_t)count, sizeof *sizes, "the items of a corpus");
    x->done = arena_take(&x->memory, (size_t)count, "the items of a corpus");
    x->left = count;
    if (!sizes || !x->done) return false;
    for (int i = 0; i < count; i++) {
        arena_mark mark = arena_here(&x->scratch);
        corpus_item item;
        if (!read_item(x, i, &item)) return false;
        sizes[i].tokens = session_tokenize_item(x->session, &item);
        if (sizes[i].tokens <= 0) return from_session(x, false);
        sizes[i].bytes[0] = (int)item.text[0].size;
        sizes[i].bytes[1] = item.has_b ? (int)item.text[1].size : -1;
        arena_release(&x->scratch, mark);
    }
    return build_begin(&x->own, sizes, count);
}

static bool begin(hl_index *x, span text) {
    hl_session *s = x->session;
    corpus_options how;
    const json_value *options =
        json_parse(&x->memory, text, "state", "the options of an index", &x->err);
    if (!options || !check_options(x, options)) return false;
    if (s->stage != STAGE_READY)
        return error_set(&x->err, "state", "no model is loaded; load one first");
    if (!s->corpus_text.at)
        return error_set(&x->err, "state", "no corpus is loaded; load one first");
    error_clear(&s->err);
    if (!session_read_corpus_options(s, options, &how)) return from_session(x, false);
    span all = copy_text(x, s->corpus_text); /* the session may be given another one */
    return !error_is_set(&x->err) && corpus_open(&x->corpus, &x->memory, all, &how, &x->err) &&
        (session_note_corpus(s, &x->corpus), true) &&
        build_join_labels(&x->corpus, &x->memory, &x->scratch, &x->err) && describe(x, options) &&
        size_items(x);
}

int hl_index_begin(hl_index *x, hl_session *s, const char *options, int size) {
    error_clear(&x->err);
    forget(x);
    x->session = s;
    if (IF_TWO(true, !session_is_one(s, &x->err, "indexes"), false)) return 0;
    char *copy =
        arena_take(&x->memory, (size_t)(size > 0 ? size : 0) + 3, "the options of an index");
    if (!copy) return 0;
    memcpy(copy, size > 0 ? options : "{}", (size_t)(size > 0 ? size : 2));
    bool begun = begin(x, span_of(copy));
    arena_free(&x->scratch);
    if (!begun) return forget(x), 0;
    x->stage = INDEX_BUILDS;
    return x->left;
}

static bool run_item(hl_index *x, int index) {
    hl_session *s = x->session;
    corpus_item item;
    if (!read_item(x, index, &item)) return false;
    if (session_tokenize_item(s, &item) !=
        x->own.tokens_before[index + 1] - x->own.tokens_before[index])
        return from_session(x, false);
    hl_pass *pass = session_run(s, STUDY_PASS, PRECISION_FINE, build_keeps());
    int *runs = arena_take_array(&x->scratch, 2 * (size_t)item.word_count + 1, sizeof *runs,
        "the words of an item");
    if (!pass || !runs) return from_session(x, false);
    corpus_align(&item, &s->text, runs, runs + item.word_count);
    measure_input in = session_input(pass);
    build_pass it = {.index = index,
        .corpus = &x->corpus,
        .item = &item,
        .text = &s->text,
        .first = runs,
        .count = runs + item.word_count,
        .in = &in};
    return build_add(&x->own, &it, &x->scratch);
}

int hl_index_step(hl_index *x, int first, int count) {
    if (!is_at(x, INDEX_BUILDS, "no index has been begun; call hl_index_begin first")) return 0;
    int64_t items = x->own.numbers[INDEX_SENTENCES];
    if (first < 0 || count < 0 || first + (int64_t)count > items)
        return error_set(&x->err, "state", "the index has items 0 to %lld", (long long)items - 1);
    bool done = true;
    for (int i = first; done && i < first + count; i++) {
        if (x->done[i])
            return error_set(&x->err, "state", "item %d of the index has been run already", i);
        done = run_item(x, i);
        arena_free(&x->scratch);
        if (done) x->done[i] = 1, x->left--;
    }
    return done;
}

/* ---- joining and saving ---- */

static bool is_whole(hl_index *x, const hl_index *part) {
    if (part->stage == INDEX_OPEN) return true;
    return (part->stage == INDEX_BUILDS && !part->left) ||
        error_set(&x->err, "state",
            part->stage == INDEX_BUILDS ? "the index is not finished; %d items are still to be run"
                                        : "there is no index here; %d items are",
            part->left);
}

/* A damaged byte would be given a check of its own. */
static bool is_sound(hl_index *x, const text_index *part) {
    for (int i = 0; part->checked && i < part->count; i++) {
        const index_tensor *t = &part->tensors[i];
        if (index_check(part, t, 0, (uint64_t)t->rows * (uint64_t)t->row_bytes)) continue;
        index_damaged(part, t);
        x->err = *part->err;
        return false;
    }
    return true;
}

int hl_index_add(hl_index *x, hl_index *part) {
    error_clear(&x->err);
    if (x->stage != INDEX_EMPTY && x->stage != INDEX_JOINS)
        return error_set(&x->err, "state", "this index is one already; add to a new one");
    if (!is_whole(x, part) || !is_sound(x, &part->own)) return 0;
    if (x->part_count == x->part_room) {
        int room = x->part_room ? 2 * x->part_room : 16;
        const text_index **larger =
            arena_take_array(&x->memory, (size_t)room, sizeof *larger, "the parts of an index");
        if (!larger) return 0;
        for (int i = 0; i < x->part_count; i++) larger[i] = x->parts[i];
        x->parts = larger, x->part_room = room;
    }
    x->parts[x->part_count++] = &part->own;
    x->stage = INDEX_JOINS;
    return 1;
}

double hl_index_save_begin(hl_index *x) {
    error_clear(&x->err);
    arena_free(&x->saved);
    x->saves = false;
    bool joins = x->stage == INDEX_JOINS;
    x->alone = &x->own;
    if (!joins && (!is_whole(x, x) || !is_sound(x, &x->own))) return -1;
    if (!index_save_begin(&x->saving, joins ? x->parts : &x->alone, joins ? x->part_count : 1,
            &x->saved, &x->err))
        return -1;
    x->saves = true;
    return index_save_size(&x->saving);
}

int hl_index_save_bytes(hl_index *x, unsigned char *out, int size) {
    error_clear(&x->err);
    if (!x->saves)
        return error_set(&x->err, "state",
                   "nothing is being saved; call hl_index_save_begin first"),
               -1;
    return (int)index_save_next(&x->saving, out, (size_t)size);
}

/* ---- opening and asking ---- */

unsigned char *hl_index_room(hl_index *x, double size) {
    error_clear(&x->err);
    forget(x);
    arena_free(&x->room);
    if (!(size >= 0 && size < (double)(SIZE_MAX / 2)))
        return error_set(&x->err, "memory", "there is no memory for an index of %.15g bytes", size),
               NULL;
    return arena_take_raw(&x->room, (size_t)size + 1, "an index");
}

int hl_index_open(hl_index *x, const unsigned char *bytes, double size) {
    error_clear(&x->err);
    forget(x);
    if (!index_open(&x->own, &x->memory, bytes, (uint64_t)size, &x->err)) return forget(x), 0;
    x->stage = INDEX_OPEN;
    return 1;
}

static void write_list(writer *w, const char *name, span list, bool strings) {
    writer_format(w, ",\"%s\":[", name);
    for (int i = 0; i < index_item_count(list); i++) {
        if (i) writer_format(w, ",");
        if (strings) writer_string(w, index_item(list, i));
        else writer_add(w, index_item(list, i));
    }
    writer_format(w, "]");
}

const char *hl_index_about(hl_index *x) {
    if (!is_at(x, INDEX_OPEN, "no index is open; call hl_index_open first")) return NULL;
    const int64_t *n = x->own.numbers;
    const span *texts = x->own.texts;
    static const char *const names[] = {"model", "model_sha256", "corpus", "corpus_sha256",
        "format", "store", "release"};
    writer w;
    arena_free(&x->answer);
    writer_init(&w, &x->answer);
    writer_format(&w,
        "{\"layers\":%lld,\"heads\":%lld,\"hidden\":%lld,\"head_width\":%lld,\"tokens\":%lld,"
        "\"sentences\":%lld,\"first_item\":%lld,\"items\":%lld",
        (long long)n[INDEX_LAYERS], (long long)n[INDEX_HEADS], (long long)n[INDEX_HIDDEN_WIDTH],
        (long long)n[INDEX_WIDTH], (long long)n[INDEX_TOKENS], (long long)n[INDEX_SENTENCES],
        (long long)n[INDEX_FROM], (long long)n[INDEX_ITEMS]);
    for (int i = INDEX_MODEL; i <= INDEX_RELEASE; i++) {
        writer_format(&w, ",\"%s\":", names[i]);
        writer_string(&w, texts[i]);
    }
    write_list(&w, "vectors", texts[INDEX_VECTORS], false);
    write_list(&w, "masks", texts[INDEX_MASKS], true);
    write_list(&w, "added", texts[INDEX_ADDED], true);
    write_list(&w, "tags", texts[INDEX_TAG_NAMES], true);
    write_list(&w, "relations", texts[INDEX_RELATION_NAMES], true);
    writer_format(&w, "}");
    return writer_text(&w);
}

int hl_index_beside(hl_index *x, hl_index *other) {
    if (!is_at(x, INDEX_OPEN, "no index is open; call hl_index_open first")) return 0;
    if (other && other->stage != INDEX_OPEN)
        return error_set(&x->err, "state", "the index beside is not open; open it first");
    if (other && !search_alike(&x->own, &other->own)) return 0;
    x->beside = other;
    return 1;
}

const char *hl_index_ask(hl_index *x, const char *question, int size) {
    if (!is_at(x, INDEX_OPEN, "no index is open; call hl_index_open first")) return NULL;
    arena_free(&x->answer);
    asked other = {NULL, NULL};
    if (x->beside) {
        error_clear(&x->beside->err);
        other = (asked){&x->beside->own, &x->beside->words};
    }
    const char *answer = search_ask((asked){&x->own, &x->words}, other,
        (span){question, size > 0 ? (size_t)size : 0}, &x->answer, &x->scratch);
    arena_free(&x->scratch);
    return answer;
}
