/* words - the words of an index, and what is asked of them.
 */
#include "search/search.h"

#include "search/pattern.h"

#include "text/unicode/unicode.h"

span words_lower(span text, char *out, size_t room) {
    size_t size = 0;
    while (text.size) {
        int32_t cp, lower[2];
        int taken = unicode_decode(text.at, text.size, &cp), count = unicode_lower(cp, lower);
        text = (span){text.at + taken, text.size - (size_t)taken};
        if (size + 8 > room) break;
        for (int i = 0; i < count; i++) size += (size_t)unicode_encode(lower[i], out + size);
    }
    return (span){out, size};
}

static span trim(span text) {
    int32_t cp;
    while (text.size) {
        int n = unicode_decode(text.at, text.size, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        text = (span){text.at + n, text.size - (size_t)n};
    }
    while (text.size && (text.at[text.size - 1] == ' ' || text.at[text.size - 1] == '\n'))
        text.size--;
    return text;
}

/* The form of tokens first .. last, in the text of their sentence. */
static int form_of(words *w, const text_index *x, const index_tensor *places, int sentence,
    int first, int last) {
    char lower[WORD_LONGEST];
    int which = index_i32(places, 3 * (int64_t)first),
        from = index_i32(places, 3 * (int64_t)first + 1),
        to = index_i32(places, 3 * (int64_t)last + 2);
    span text = index_text_of(x, sentence, which > 0);
    if (which < 0 || from > to || to > utf8_count(text)) from = to = 0;
    span form = words_lower(trim(utf8_part(text, from, to)), lower, sizeof lower);
    w->forms.memory = NULL;
    int number = names_number(&w->forms, form);
    if (number != NAMES_UNKNOWN) return number;
    char *copy = arena_take(x->memory, form.size + 1, "the words of an index");
    if (!copy) return NAMES_UNKNOWN;
    memcpy(copy, form.at, form.size);
    w->forms.memory = x->memory;
    return names_number(&w->forms, (span){copy, form.size});
}

/* The words of one sentence; false on memory. */
static bool add_sentence(words *w, const text_index *x, int sentence, const index_tensor *numbers,
    const index_tensor *places) {
    int from = (int)x->tokens_before[sentence], to = (int)x->tokens_before[sentence + 1];
    for (int i = from; i < to;) {
        int number = index_i32(numbers, i), end = i + 1;
        if (number < 0) {
            w->of_token[i++] = -1;
            continue;
        }
        while (end < to && index_i32(numbers, end) == number) end++;
        w->first[w->count] = i;
        w->form[w->count] = form_of(w, x, places, sentence, i, end - 1);
        if (w->form[w->count] < 0) return false;
        for (; i < end; i++) w->of_token[i] = w->count;
        w->count++;
    }
    return true;
}

bool words_read(words *w, const text_index *x) {
    if (w->of_token) return true;
    const index_tensor *numbers = index_use(x, INDEX_WORDS, 0),
                       *places = index_use(x, INDEX_PLACES, 0);
    size_t tokens = (size_t)index_tokens(x), sentences = (size_t)index_sentences(x);
    int *all = arena_take_raw_array(x->memory, 3 * (tokens + 1) + sentences + 1, sizeof *all,
        "the words of an index");
    if (!numbers || !places || !all) return false;
    *w = (words){.first = all + tokens,
        .form = all + 2 * tokens + 1,
        .before = all + 3 * tokens + 2};
    w->of_token = all;
    for (int s = 0; s < (int)sentences; s++) {
        w->before[s] = w->count;
        if (add_sentence(w, x, s, numbers, places)) continue;
        w->of_token = NULL;
        return false;
    }
    w->before[sentences] = w->count;
    w->first[w->count] = (int)tokens;
    return true;
}

/* ---- what is asked of a token ---- */

bool label_is(span label, span wanted) {
    if (span_equal(label, wanted)) return true;
    while (label.size) {
        const char *end = memchr(label.at, '+', label.size);
        size_t size = end ? (size_t)(end - label.at) : label.size;
        if (span_equal((span){label.at, size}, wanted)) return true;
        size += end != NULL;
        label = (span){label.at + size, label.size - size};
    }
    return false;
}

/* Of a list's labels, which are the one that is asked for; *out stays NULL where none is. */
static bool read_label(const text_index *x, index_text list, span wanted, const unsigned char **out,
    arena *scratch) {
    if (!wanted.size) return true;
    int count = index_item_count(x->texts[list]);
    unsigned char *fits = arena_take(scratch, (size_t)count + 1, "a search");
    for (int i = 0; fits && i < count; i++)
        fits[i] = label_is(index_item(x->texts[list], i), wanted);
    *out = fits;
    return fits;
}

/* The id of an added token of that text; ANY: there is none. */
static int added_id(const text_index *x, span text) {
    span list = x->texts[INDEX_ADDED];
    for (int i = 0; i < index_item_count(list); i++) {
        span one = index_item(list, i);
        const char *gap = memchr(one.at, ' ', one.size);
        size_t digits = gap ? (size_t)(gap - one.at) : one.size;
        if (!gap || !span_equal((span){gap + 1, one.size - digits - 1}, text)) continue;
        int id = 0;
        for (size_t d = 0; d < digits && d < 9; d++) id = 10 * id + (one.at[d] - '0');
        return id;
    }
    return ANY;
}

/* A word between slashes: all forms that fit it. */
static bool read_pattern(filter *f, const search *s, span given, span lower, arena *scratch) {
    pattern p;
    const names *forms = &s->words->forms;
    unsigned char *fits = arena_take(scratch, (size_t)forms->count + 1, "a search");
    bool any = false;
    if (!fits || !pattern_read(&p, (span){lower.at + 1, lower.size - 2}, s->x->err)) return false;
    for (int i = 0; i < forms->count; i++) {
        fits[i] = forms->at[i].size && pattern_matches(&p, forms->at[i]);
        any = any || fits[i];
    }
    f->forms = fits;
    return any ||
        error_set(s->x->err, "state", "no word of this corpus fits the pattern %s",
            error_quote(given.at, given.size).text);
}

bool filter_read(filter *f, const search *s, const wanted *given, arena *scratch) {
    *f = (filter){.form = ANY, .id = ANY};
    if (!read_label(s->x, INDEX_TAG_NAMES, given->tag, &f->tags, scratch) ||
        !read_label(s->x, INDEX_RELATION_NAMES, given->relation, &f->relations, scratch))
        return false;
    if (!given->word.size) return true;
    f->id = added_id(s->x, given->word);
    if (f->id != ANY) return true;
    char lower[WORD_LONGEST];
    span word = words_lower(given->word, lower, sizeof lower);
    if (word.size > 2 && word.at[0] == '/' && word.at[word.size - 1] == '/')
        return read_pattern(f, s, given->word, word, scratch);
    names forms = s->words->forms;
    forms.memory = NULL;
    f->form = names_number(&forms, word);
    return f->form >= 0 ||
        error_set(s->x->err, "state", "the corpus does not have the word %s",
            error_quote(given->word.at, given->word.size).text);
}

static bool has_label(const unsigned char *fits, int label) {
    return !fits || (label >= 0 && fits[label]);
}

bool filter_takes(const filter *f, const search *s, int token) {
    int word = s->words->of_token[token];
    if (f->id != ANY)
        return word < 0 && search_is_added(s, token) && index_i32(s->ids, token) == f->id;
    return (f->form == ANY || (word >= 0 && s->words->form[word] == f->form)) &&
        (!f->forms || (word >= 0 && f->forms[s->words->form[word]])) &&
        has_label(f->tags, index_i16(s->tags, token)) &&
        has_label(f->relations, index_i16(s->relations, token));
}

int search_sentence(const text_index *x, int token) {
    int low = 0, high = index_sentences(x);
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (x->tokens_before[middle] <= token) low = middle;
        else high = middle;
    }
    return low;
}
