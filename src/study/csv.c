/* csv - see csv.h. Columns are found by walking one object (the template); rows look the same keys
 * up in theirs.
 */
#include "study/csv.h"

#include "base/csv.h"

/* What the rows of a study are. */
typedef struct shape {
    const char *study;
    /* an array of objects: a row each, or a row for each of their heads; NULL: the answer itself */
    const char *list;
    const char *name; /* the member that names such an object */
    const char *key;  /* what the first column is called */
    bool heads;       /* a row for each head */
    bool measures;    /* arrays [measures, heads] beside the list, or instead of it */
} shape;

static const shape shapes[] = {{"about", "relations", "name", "name", false, false},
    {"roles", "roles", "role", "role", true, false},
    {"patterns", NULL, NULL, "measure", true, true},
    {"importance", NULL, NULL, "measure", true, true},
    {"induction", NULL, NULL, "measure", true, true},
#ifndef HEADLIGHT_ONE_STACK
    {"alignment", NULL, NULL, "shift", true, true},
#endif
    {"compare", "roles", "role", "name", true, true},
    {"parse", "relations", "relation", "relation", false, false},
    {"probe", "relations", "relation", "relation", false, false},
    {"labels", "classes", "name", "name", false, false},
    {"claims", "claims", "id", "claim", false, false}, {NULL, NULL, NULL, NULL, true, false}};

typedef struct sheet {
    writer *w;
    const char *key, *name; /* the first column (NULL: none), and the member that it comes from */
    int heads, cells;       /* heads of a layer, and of the model when each has a row, else 0 */
    /* the template is the answer itself: its arrays are columns, and what is in "baseline" */
    bool whole;
    bool matrix;       /* ... arrays [measures, heads] */
    int measure, cell; /* the row that is written; measure -1: of no matrix */
} sheet;

static const json_value *at(const json_value *list, int index) {
    const json_value *one = list && list->type == JSON_ARRAY && index < list->count ? list->first
                                                                                    : NULL;
    while (one && index--) one = one->next;
    return one;
}

static bool is_plain(const json_value *v) {
    return v && v->type != JSON_ARRAY && v->type != JSON_OBJECT;
}

/* Is that member of a template a column? */
static bool is_column(const sheet *s, const json_value *m) {
    if (is_plain(m)) return !s->whole;
    if (m->type != JSON_ARRAY || !m->count) return false;
    if (s->matrix && is_plain(m->first)) return span_is(m->key, "even");
    if (s->matrix) m = m->first;
    return s->cells && m->type == JSON_ARRAY && m->count == s->cells && is_plain(m->first);
}

static const json_value *value_of(const sheet *s, const json_value *v) {
    if (s->measure >= 0) v = at(v, s->measure);
    return v && v->type == JSON_ARRAY ? at(v, s->cell) : v;
}

static void add(void *to, const char *text, size_t size) { writer_add(to, (span){text, size}); }

void csv_write_text(writer *w, span text) { csv_cell(text.at, text.size, add, w); }

static void write_cell(writer *w, const json_value *v) {
    if (!is_plain(v) || v->type == JSON_NULL) return;
    if (v->type == JSON_STRING) csv_write_text(w, v->string);
    else writer_add(w, v->source);
}

static const json_value *member_of(const json_value *object, span key) {
    const json_value *m = object && object->type == JSON_OBJECT ? object->first : NULL;
    while (m && !span_equal(m->key, key)) m = m->next;
    return m;
}

/* Names of the objects around a column: "baseline_best_". */
typedef struct path {
    const struct path *outer;
    span name;
} path;

static void write_path(writer *w, const path *p) {
    if (!p) return;
    write_path(w, p->outer);
    writer_add(w, p->name);
    writer_format(w, "_");
}

/* The columns of a template: their names, or the values of a row. */
static void write_columns(const sheet *s, const json_value *template, const json_value *row,
    bool names, const path *outer) {
    for (const json_value *m = template->first; m; m = m->next) {
        bool left_out = outer
            ? span_is(m->key, "heads")
            : (s->name && span_is(m->key, s->name)) || span_is(m->key, "published");
        if (left_out) continue;
        if (m->type == JSON_OBJECT && (!s->whole || span_is(m->key, "baseline"))) {
            path inner = {outer, m->key};
            write_columns(s, m, member_of(row, m->key), names, &inner);
        } else if (is_column(s, m)) {
            writer_format(s->w, ",");
            if (names) write_path(s->w, outer), writer_add(s->w, m->key);
            else write_cell(s->w, value_of(s, member_of(row, m->key)));
        }
    }
}

static void write_header(const sheet *s, const json_value *template) {
    writer_format(s->w, "%s%s%s", s->key ? s->key : "", s->key && s->cells ? "," : "",
        s->cells ? "layer,head" : "");
    write_columns(s, template, NULL, true, NULL);
    writer_format(s->w, "\n");
}

/* The rows of an object: one, or one for each head. */
static void write_rows(sheet *s, const json_value *template, const json_value *row, span name) {
    for (s->cell = 0; s->cell < (s->cells ? s->cells : 1); s->cell++) {
        if (s->key) csv_write_text(s->w, name);
        if (s->cells)
            writer_format(s->w, "%s%d,%d", s->key ? "," : "", s->cell / s->heads,
                s->cell % s->heads);
        write_columns(s, template, row, false, NULL);
        writer_format(s->w, "\n");
    }
}

static span name_of(const shape *is, const json_value *row) {
    const json_value *name = json_get(row, is->name);
    return name && name->type == JSON_STRING ? name->string : (span){"", 0};
}

static void write_list(sheet *s, const shape *is, const json_value *list,
    const json_value *template) {
    for (const json_value *row = list->first; row; row = row->next) {
        write_rows(s, template, row, name_of(is, row));
        /* a score beside the one that decides: rows of its own */
        const json_value *published = json_get(row, "published");
        if (published) write_rows(s, template, published, span_of("block_published"));
    }
}

static void write_measures(sheet *s, const json_value *answer, const json_value *template) {
    const json_value *names = json_get(answer, "measures");
    for (s->measure = 0; names && s->measure < names->count; s->measure++)
        write_rows(s, template, answer, at(names, s->measure)->string);
}

void csv_write(const study *v, const json_value *answer, writer *w) {
    const shape *is = shapes;
    while (is->study && strcmp(is->study, v->kind->name) != 0) is++;
    const json_value *list = is->list ? json_get(answer, is->list) : NULL,
                     *template = is->list ? at(list, 0) : answer;
    sheet s = {.w = w,
        .key = is->key,
        .name = is->name,
        .heads = v->heads,
        .cells = is->heads ? study_heads(v) : 0,
        .whole = !is->list,
        .matrix = !is->list && is->measures,
        .measure = -1};
    if (!template) return;
    write_header(&s, template);
    if (list) write_list(&s, is, list, template);
    if (is->measures) write_measures(&s, answer, template);
    if (!list && !is->measures) write_rows(&s, template, answer, (span){"", 0});
}
