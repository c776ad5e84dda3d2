/* about - a corpus as Headlight reads it: format, counts, relations, labels, its first texts, or
 * one item whole. A study without steps, so that no model is needed.
 */
#include "study/study.h"

enum { SHOWN = 5 };

static bool plan(study *v) {
    v->steps = 0;
    return true;
}

static bool add(study *v, const study_pass *p, arena *scratch) {
    (void)v, (void)p, (void)scratch;
    return true;
}

typedef struct counts {
    int *relations, *labels;
} counts;

static void write_counted(writer *w, const char *key, const names *all, const int *count) {
    study_write_key(w, key);
    writer_format(w, "[");
    for (int i = 0; i < all->count; i++) {
        writer_format(w, "%s{\"name\":", i ? "," : "");
        writer_string(w, all->at[i]);
        writer_format(w, ",\"count\":%d}", count[i]);
    }
    writer_format(w, "]");
}

static void write_texts(writer *w, const corpus_item *item) {
    writer_format(w, "{\"a\":");
    writer_string(w, item->text[0]);
    if (item->has_b) {
        study_write_key(w, "b");
        writer_string(w, item->text[1]);
    }
}

static void write_name(writer *w, const char *key, const names *all, int index) {
    if (index < 0) return;
    study_write_key(w, key);
    writer_string(w, all->at[index]);
}

/* One item with all that is marked in it. */
static void write_item(const study *v, writer *w, const corpus_item *item) {
    write_texts(w, item);
    if (item->label.size) {
        study_write_key(w, "label");
        writer_string(w, item->label);
    }
    writer_format(w, ",\"words\":[");
    for (int i = 0; i < item->word_count; i++) {
        const corpus_word *word = &item->words[i];
        writer_format(w, "%s{\"sentence\":%d,\"from\":%d,\"to\":%d,\"governor\":%d", i ? "," : "",
            word->sentence, word->from, word->to, word->governor);
        write_name(w, "relation", &v->relations, word->relation);
        write_name(w, "tag", &v->tags, word->tag);
        writer_format(w, "}");
    }
    writer_format(w, "],\"mentions\":[");
    for (int i = 0; i < item->mention_count; i++) {
        const corpus_mention *m = &item->mentions[i];
        writer_format(w, "%s{\"sentence\":%d,\"from\":%d,\"to\":%d,\"entity\":%d,\"pronoun\":%s}",
            i ? "," : "", m->sentence, m->from, m->to, m->entity, m->pronoun ? "true" : "false");
    }
    writer_format(w, "]}");
}

static bool answer_item(const study *v, int index, writer *w, arena *scratch) {
    corpus_item item;
    if (!corpus_read(v->corpus, index, &item, scratch, v->err)) return false;
    study_write_key(w, "item");
    write_item(v, w, &item);
    return true;
}

static void count_item(const corpus_item *item, counts *c) {
    for (int i = 0; i < item->word_count; i++)
        if (item->words[i].relation >= 0) c->relations[item->words[i].relation]++;
    if (item->label_number >= 0) c->labels[item->label_number]++;
}

/* Reads every item, giving its memory back before the next. */
static bool count_all(const study *v, counts *c, writer *w, arena *scratch) {
    arena_mark before = arena_here(scratch);
    study_write_key(w, "first");
    writer_format(w, "[");
    for (int i = 0; i < v->items; i++, arena_release(scratch, before)) {
        corpus_item item;
        if (!corpus_read(v->corpus, i, &item, scratch, v->err)) return false;
        count_item(&item, c);
        if (i >= SHOWN) continue;
        writer_format(w, i ? "," : "");
        write_texts(w, &item);
        writer_format(w, "}");
    }
    writer_format(w, "]");
    return true;
}

static bool answer(const study *v, const json_value *ask, writer *w, arena *scratch) {
    double item;
    counts c = {arena_take_array(scratch, (size_t)v->relations.count + 1, sizeof(int),
                    "counts of a corpus"),
        arena_take_array(scratch, (size_t)v->labels.count + 1, sizeof(int), "counts of a corpus")};
    if (!c.relations || !c.labels || !study_number(v, ask, "item", -1, v->items - 1, -1, &item))
        return false;
    if (item >= 0) return answer_item(v, (int)item, w, scratch);
    writer_format(w, ",\"pairs\":%s,\"words\":%s,\"mentions\":%s", v->has_pairs ? "true" : "false",
        v->has_words ? "true" : "false", v->has_mentions ? "true" : "false");
    if (!count_all(v, &c, w, scratch)) return false;
    write_counted(w, "relations", &v->relations, c.relations);
    write_counted(w, "labels", &v->labels, c.labels);
    return true;
}

const study_kind study_about =
    {.name = "about", .asks = "item", .plan = plan, .alone = true, .add = add, .answer = answer};
