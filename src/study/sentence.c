/* sentence - see sentence.h.
 */
#include "study/sentence.h"

static bool take_room(sentence *s, int words, arena *scratch) {
    size_t room = (size_t)words + 2;
    s->place = arena_take_array(scratch, room, sizeof *s->place, "the words of a sentence");
    s->first = arena_take_array(scratch, room, sizeof *s->first, "the words of a sentence");
    s->pieces = arena_take_array(scratch, room, sizeof *s->pieces, "the words of a sentence");
    s->governor = arena_take_array(scratch, room, sizeof *s->governor, "the words of a sentence");
    s->relation = arena_take_array(scratch, room, sizeof *s->relation, "the words of a sentence");
    s->punct = arena_take_array(scratch, room, sizeof *s->punct, "the words of a sentence");
    return s->place && s->first && s->pieces && s->governor && s->relation && s->punct;
}

static void add_token(sentence *s, int at, int token) {
    s->first[at] = token;
    s->pieces[at] = 1;
}

bool sentence_read(sentence *s, const study *v, const study_pass *p, arena *scratch) {
    const corpus_item *item = p->item;
    *s = (sentence){0};
    int *listed = arena_take_array(scratch, (size_t)item->word_count + 1, sizeof *listed,
        "the words of a sentence");
    if (!listed || !take_room(s, item->word_count, scratch)) return false;
    for (int i = 0; i < item->word_count; i++) {
        listed[i] = p->count[i] ? s->count : GOVERNOR_NONE;
        if (!p->count[i]) continue;
        s->place[s->count] = i;
        s->first[s->count] = p->first[i];
        s->pieces[s->count++] = p->count[i];
    }
    add_token(s, s->count, 0);
    add_token(s, s->count + 1, p->text->count - 1);
    for (int i = 0; i < s->count; i++) {
        const corpus_word *word = &item->words[s->place[i]];
        int governor = word->governor == CORPUS_ROOT ? GOVERNOR_ROOT
            : word->governor < 0                     ? GOVERNOR_NONE
                                                     : listed[word->governor];
        s->governor[i] = governor >= 0 && sentence_shares(s, i, governor) ? GOVERNOR_NONE
                                                                          : governor;
        s->relation[i] = word->relation;
        s->punct[i] = word->relation >= 0 && span_is(v->relations.at[word->relation], "punct");
    }
    return true;
}

void sentence_attend(const sentence *s, const float *map, int tokens, int n, bool first_piece,
    float *row, float *out) {
    for (int i = 0; i < n; i++, out += n) {
        const float *from = map + (int64_t)s->first[i] * tokens;
        int rows = first_piece ? 1 : s->pieces[i];
        memcpy(row, from, (size_t)tokens * sizeof *row);
        for (int r = 1; r < rows; r++)
            for (int t = 0; t < tokens; t++) row[t] += from[(int64_t)r * tokens + t];
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int t = s->first[j]; t < s->first[j] + s->pieces[j]; t++) sum += row[t];
            out[j] = sum / (float)rows;
        }
    }
}
