/* side_words - the words of a text of one side of a Marian (models/side.h), and which tokenizer reads a target.
 */
#include "text/sentence.h"

#ifndef HEADLIGHT_ONE_STACK
const tokenizer *tokenizer_of_target(const tokenizer *t) { return t->target ? t->target : t; }

/* Words begin at a piece with the mark of a space before it. */
static bool add_pieces(encoder *e, const normal_text *text, sentence *s) {
    word_piece *pieces =
        arena_take_raw_array(e->scratch, text->size + 1, sizeof *pieces, "the tokens");
    int64_t count =
        pieces ? side_split(e->t->side, (span){text->at, text->size}, pieces, e->scratch) : -1;
    for (int64_t i = 0; i < count; i++) {
        const word_piece *p = &pieces[i];
        span piece = {text->at + p->from, text->size - p->from};
        if (i && span_starts(piece, "\u2581")) sentence_end_word(s);
        if (!sentence_take(e, s, p->id, text->origin[p->from], text->origin[p->to - 1] + 1))
            return false;
    }
    if (count > 0) sentence_end_word(s);
    return count >= 0;
}

/* A language code, which the pieces have none of, and the text after it. */
bool side_words(encoder *e, span text, sentence *s) {
    span code = {text.at, side_code(text)}, rest = {text.at + code.size, text.size - code.size};
    int letters = (int)sentence_letters(code),
        id = code.size ? tokenizer_find_piece(e->t, code) : -1;
    arena_mark mark = arena_here(e->scratch);
    normal_text given, normal;
    bool ok = !code.size ||
        sentence_take(e, s, id < 0 ? e->t->side->unk : id, s->index, s->index + letters);
    if (code.size) sentence_end_word(s);
    s->index += letters;
    int64_t more = normalise(&e->t->normal_steps, rest, s->index, &given, e->scratch);
    ok = ok && more >= 0 && side_normalise(e->t->side, &given, &normal, e->scratch) &&
        add_pieces(e, &normal, s);
    s->index += more;
    arena_release(e->scratch, mark);
    return ok;
}
#endif
