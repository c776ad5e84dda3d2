/* coref - one line of the marked format for coreference: [cat|1], [it|1*], nested marks, \[ \] \|
 * \\ (see CORPUS_COREF in corpus.h). The marks are taken out of the text; offsets are those of the
 * text that is left. Not here: GAP (corpus_tsv.c).
 */
#include "text/corpus/corpus_parts.h"

#include <limits.h>

/* OPEN: the entity of a mention whose end has not come yet */
enum { OPEN = 0, MOST_ENTITIES = 999999999 };

typedef struct marked {
    span rest;
    corpus_item *item;
    char *out;     /* the text, in scratch */
    int at;        /* code points of the sentence so far */
    int innermost; /* open mention, -1 none; its `to` is the one around it */
    error *err;
} marked;

static bool open_mention(marked *m) {
    corpus_item *item = m->item;
    item->mentions[item->mention_count] =
        (corpus_mention){.sentence = item->has_b, .from = m->at, .to = m->innermost};
    m->innermost = item->mention_count++;
    return true;
}

/* What stands after the bar: number, star, bracket. */
static bool close_mention(marked *m) {
    size_t digits = 0;
    while (digits < m->rest.size && m->rest.at[digits] >= '0' && m->rest.at[digits] <= '9')
        digits++;
    int entity = corpus_natural((span){m->rest.at, digits}, MOST_ENTITIES);
    size_t end = digits;
    bool pronoun = end < m->rest.size && m->rest.at[end] == '*';
    end += pronoun;
    if (entity < 1 || end == m->rest.size || m->rest.at[end] != ']')
        return error_set(m->err, "text",
            "line %d of the corpus has a mark with \"%s\" after its |; the number of an entity, "
            "1 or more, was expected, as in [cat|1] or [it|1*] (write \\| for a | inside a "
            "mention)",
            m->item->line, error_quote(m->rest.at, m->rest.size).text);
    corpus_mention *mention = &m->item->mentions[m->innermost];
    m->innermost = mention->to;
    mention->to = m->at;
    mention->entity = entity;
    mention->pronoun = pronoun;
    m->rest = (span){m->rest.at + end + 1, m->rest.size - end - 1};
    if (mention->to > mention->from) return true;
    return error_set(m->err, "text",
        "line %d of the corpus has a mark without text; a mark such as [cat|1] was expected",
        m->item->line);
}

static bool refuse_open(const marked *m) {
    return error_set(m->err, "text",
        "line %d of the corpus has a [ that is never closed by something like |1]; marks look "
        "like [cat|1] (write \\[ for a bracket of the text)",
        m->item->line);
}

static bool next_sentence(marked *m) {
    if (m->innermost >= 0) return refuse_open(m);
    if (m->item->has_b)
        return error_set(m->err, "text",
            "line %d of the corpus has more than one tab; one between two sentences, or none, was "
            "expected",
            m->item->line);
    m->item->has_b = true;
    m->item->text[1].at = m->out;
    m->at = 0;
    return true;
}

static void add_byte(marked *m, char byte) {
    *m->out++ = byte;
    m->item->text[m->item->has_b].size++;
    m->at += !utf8_continues(byte);
}

static bool take_byte(marked *m) {
    char byte = m->rest.at[0];
    m->rest = (span){m->rest.at + 1, m->rest.size - 1};
    if (byte == '\\' && m->rest.size && strchr("[]|\\", m->rest.at[0])) {
        add_byte(m, m->rest.at[0]);
        m->rest = (span){m->rest.at + 1, m->rest.size - 1};
        return true;
    }
    if (byte == '[') return open_mention(m);
    if (byte == '|' && m->innermost >= 0) return close_mention(m);
    if (byte == '\t') return next_sentence(m);
    if (byte == ']')
        return error_set(m->err, "text",
            "line %d of the corpus has a ] without a mark; marks look like [cat|1] (write \\] "
            "for a bracket of the text)",
            m->item->line);
    add_byte(m, byte);
    return true;
}

bool corpus_read_coref(const corpus *c, span piece, corpus_item *item, arena *scratch, error *err) {
    (void)c;
    size_t marks = 0;
    for (size_t i = 0; i < piece.size; i++) marks += piece.at[i] == '[';
    item->mentions =
        arena_take_array(scratch, marks, sizeof *item->mentions, "the mentions of a text");
    marked m = {.rest = piece,
        .item = item,
        .innermost = -1,
        .err = err,
        .out = arena_take(scratch, piece.size, "a text with mentions")};
    if (!m.out || !item->mentions) return false;
    item->text[0].at = m.out;
    while (m.rest.size)
        if (!take_byte(&m)) return false;
    if (m.innermost >= 0) return refuse_open(&m);
    for (int i = 0; i <= item->has_b; i++)
        if (corpus_is_blank(item->text[i]))
            return error_set(err, "text", "line %d of the corpus has no %s sentence", item->line,
                i ? "second" : "first");
    return true;
}
