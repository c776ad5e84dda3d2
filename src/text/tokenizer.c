/* tokenizer - see tokenizer.h: a text becomes tokens. It is cut at added tokens; what is between
 * them goes through the steps of the pipeline as a whole. BERT's own pipeline is quicker: there it is
 * plain ASCII, whose words need nothing else (plain.c), or is normalised in blocks, whose words go
 * through WordPiece, so memory does not grow with the text. All tokens are counted, but only as many
 * as can stay are kept.
 */
#include "base/format.h"
#include "text/words/byte_level.h"
#include "text/words/pretokenise.h"
#include "text/sentence.h"
#include "text/unicode/unicode.h"

/* Blocks end before a space or line feed, which no rule looks across. */
enum { SHOWN_MOST = 12 }; /* bytes of what one byte or sign is shown as, and a 0 */
enum { BLOCK = 1 << 14, MAX_TEXT = 1 << 29, USUAL_BLOCK = 512 };

int tokenizer_size(const tokenizer *t) { return t->vocab.size; }
bool tokenizer_unusual(const tokenizer *t) { return t->unusual; }
int tokenizer_said(const tokenizer *t) { return t->vocab.size - t->implied; }
special_ids tokenizer_specials(const tokenizer *t) { return t->specials; }

bool tokenizer_lowercases(const tokenizer *t) {
    for (int i = 0; i < t->normal_steps.count; i++) {
        const normal_step *step = &t->normal_steps.at[i];
        if (step->kind == NORMAL_LOWERCASE || (step->kind == NORMAL_BERT && step->bert.lower))
            return true;
    }
    return false;
}

span tokenizer_piece(const tokenizer *t, int id) {
    return id >= 0 && id < t->vocab.size ? t->vocab.pieces[id] : (span){0};
}

/* What a byte is shown as where it is no character that prints. */
static size_t show_byte(unsigned char byte, char *out) {
    const char *mark = byte == ' ' ? "\u2423"
        : byte == '\n'             ? "\u23CE"
        : byte == '\t'             ? "\u21E5"
                                   : NULL;
    if (mark) return (size_t)format_text(out, SHOWN_MOST, "%s", mark);
    return (size_t)format_text(out, SHOWN_MOST, "<0x%02X>", byte);
}

static bool has_byte_level(const tokenizer *t) {
    for (int i = 0; i < t->pre_steps.count; i++)
        if (t->pre_steps.at[i].kind == PRE_BYTE_LEVEL) return true;
    return false;
}

/* The bytes that a piece stands for, into out; false: some character stands for none. */
static bool read_bytes(span piece, char *out, size_t *size) {
    int32_t cp;
    *size = 0;
    for (size_t i = 0; i < piece.size;) {
        i += (size_t)unicode_decode(piece.at + i, piece.size - i, &cp);
        int byte = byte_level_byte(cp);
        if (byte < 0) return false;
        out[(*size)++] = (char)byte;
    }
    return true;
}

__attribute__((cold)) size_t tokenizer_shown(const tokenizer *t, int id, char *out, size_t room) {
    char bytes[SHOWN_ROOM];
    span piece = tokenizer_piece(t, id), text = piece;
    size_t used = 0;
    if (piece.size <= sizeof bytes && has_byte_level(t) && read_bytes(piece, bytes, &text.size))
        text.at = bytes;
    int32_t cp;
    bool seen = false;
    for (size_t i = 0; i < text.size; seen = seen || !unicode_is(cp, UNICODE_DROPPED))
        i += (size_t)unicode_decode(text.at + i, text.size - i, &cp);
    for (size_t i = 0, size; i < text.size && used + SHOWN_MOST < room; i += size) {
        size = (size_t)unicode_decode(text.at + i, text.size - i, &cp);
        bool broken = cp == UNICODE_REPLACEMENT && text.at[i] != '\xEF';
        if (broken) size = 1;
        if (text.at == bytes &&
            (broken || (unsigned char)text.at[i] <= ' ' || text.at[i] == 0x7F)) {
            used += show_byte((unsigned char)text.at[i], out + used);
            continue;
        }
        if (seen) memcpy(out + used, text.at + i, size);
        used += seen ? size : (size_t)format_text(out + used, SHOWN_MOST, "<U+%04X>", (unsigned)cp);
    }
    out[used] = 0;
    return used;
}

int tokenizer_find_piece(const tokenizer *t, span piece) {
    for (int i = 0; i < t->late_count; i++)
        if (span_equal(t->late[i].content, piece)) return t->late[i].id;
    return vocab_find(&t->vocab, piece);
}

int tokenizer_find(const tokenizer *t, const char *piece) {
    return tokenizer_find_piece(t, span_of(piece));
}

bool tokenizer_complete(tokenizer *t, arena *a) {
    const normal_steps *normal = &t->normal_steps;
    const pre_steps *pre = &t->pre_steps;
    bool one = normal->count == 1 && normal->at[0].kind == NORMAL_BERT;
    t->bert = (normal->count == 0 || one) && pre->count == 1 && pre->at[0].kind == PRE_BERT &&
        t->model.kind == MODEL_WORDPIECE && !t->trim.on;
    if (one) t->rules = normal->at[0].bert;
    else if (!bert_normaliser_prepare(&t->rules, a)) return false;
    t->known = known_make(a);
    return t->known && normal_reserve(&t->work, USUAL_BLOCK, a);
}

/* A word of the normalised text, whose bytes came from `origin`. */
static void add_word(encoder *e, span word, const int32_t *origin, sentence *s) {
    word_key key = {0, 0};
    known_word *places = NULL;
    if (word.size <= KNOWN_BYTES && word.at[word.size - 1]) {
        key.low = known_load(word.at, word.size);
        if (word.size > 8) key.high = known_load(word.at + 8, word.size - 8);
        places = known_places(e->t->known, key);
    }
    const known_word *known = places ? known_find(places, key) : NULL;
    if (known) {
        for (int i = 0; i < KNOWN_PIECES && known->pieces[i]; i++) {
            int size = known->pieces[i] & 0xFF;
            sentence_add(s, (int)(known->pieces[i] >> 8), origin[0], origin[size - 1] + 1);
            origin += size;
        }
        return;
    }
    const word_piece *pieces = e->pieces.at;
    int count = wordpiece_split(&e->t->model.wordpiece, word, e->pieces.at);
    if (places) known_keep(places, key, pieces, count);
    for (int i = 0; i < count; i++)
        sentence_add(s, pieces[i].id, origin[pieces[i].from], origin[pieces[i].to - 1] + 1);
}

/* Words of a part of the normalised text. */
static void add_words(encoder *e, size_t from, size_t to, sentence *s) {
    const normal_text *text = &e->work.text;
    for (size_t start, end = from; pretokenise_bert_next(text->at, to, &start, &end);
        sentence_end_word(s))
        add_word(e, (span){text->at + start, end - start}, text->origin + start, s);
}

/* A block is cut once more where normalised added tokens are found in it. */
static bool add_block(encoder *e, span block, sentence *s) {
    int64_t letters = normalise_bert(&e->t->rules, block, s->index, &e->work, e->scratch);
    if (letters < 0) return false;
    const normal_text *text = &e->work.text;
    size_t at = 0;
    added_match m = {0};
    while (added_next(&e->t->normal, (span){text->at, text->size}, &m)) {
        if (at < m.from) add_words(e, at, m.from, s);
        sentence_add(s, m.token->id, text->origin[m.from], text->origin[m.to - 1] + 1);
        sentence_end_word(s);
        at = m.to;
    }
    add_words(e, at, text->size, s);
    s->index += letters;
    return true;
}

/* Bytes up to a space or line feed: with `short_one` the first that an ASCII byte comes after, else
 * the first after BLOCK. */
static size_t block_size(span text, bool short_one) {
    size_t size = short_one ? 1 : BLOCK;
    for (; size < text.size; size++) {
        if (text.at[size] != ' ' && text.at[size] != '\n') continue;
        if (size >= BLOCK || size + 1 == text.size || (unsigned char)text.at[size + 1] < 0x80)
            break;
    }
    return size < text.size ? size : text.size;
}

/* BERT's own pipeline. Added tokens of the normalised text may stand anywhere in it: it is made as a
 * whole, or in long blocks. */
static bool add_bert(encoder *e, span text, sentence *s) {
    bool searches = e->t->normal.count > 0;
    for (size_t at = 0, size; at < text.size; at += size) {
        if (!searches && (at = plain_words(e, text, at, s)) == text.size) break;
        span left = {text.at + at, text.size - at};
        size = e->t->looks_across ? left.size : block_size(left, !searches);
        if (!add_block(e, (span){left.at, size}, s)) return false;
    }
    return true;
}

/* ---- any pipeline, step by step ---- */

/* How many characters at the end (or the start) of a token's text are spaces, or stand for them. */
static int count_spaces(span text, bool at_end) {
    int count = 0;
    int32_t cp;
    for (size_t i = 0, length; i < text.size; i += length, count++) {
        size_t at = i;
        length = 1;
        if (at_end) {
            while (length < text.size - i &&
                ((unsigned char)text.at[text.size - i - length] & 0xC0) == 0x80)
                length++;
            at = text.size - i - length;
        }
        int size = unicode_decode(text.at + at, text.size - at, &cp);
        if (cp != BYTE_LEVEL_SPACE && !unicode_is(cp, UNICODE_SPACE)) break;
        if (!at_end) length = (size_t)size;
    }
    return count;
}

static bool grow(sentence *s, arena *memory) {
    int room = s->room ? 2 * s->room : 64;
    if (room > s->max) room = s->max;
    token *tokens = arena_take_raw_array(memory, (size_t)room, sizeof *tokens, "the tokens");
    if (!tokens) return false;
    if (s->count) memcpy(tokens, s->tokens, (size_t)s->count * sizeof *tokens);
    s->tokens = tokens;
    s->room = room;
    return true;
}

/* A token, whose text the offsets may be trimmed by. False: no memory. */
static bool add_token(encoder *e, sentence *s, int id, int from, int to, span text) {
    const offset_trim *trim = &e->t->trim;
    if (s->count == s->room && s->room < s->max && !e->t->bert && !grow(s, e->memory)) return false;
    if (trim->on) {
        int leading = count_spaces(text, false), trailing = count_spaces(text, true);
        if (leading == 1 && trim->prefix_space && (s->count == 0 || from == 0)) leading = 0;
        from = from + leading < to ? from + leading : to;
        if (to >= trailing) to = to - trailing > from ? to - trailing : from;
    }
    sentence_add(s, id, from, to);
    return true;
}

/* The pieces of a word into e->pieces, by the table of known words or by the model. */
static bool find_pieces(encoder *e, span word) {
    if (word.size > KNOWN_BYTES || !word.at[word.size - 1])
        return model_split(&e->t->model, word, &e->pieces, e->scratch);
    word_key key = {known_load(word.at, word.size), 0};
    if (word.size > 8) key.high = known_load(word.at + 8, word.size - 8);
    known_word *places = known_places(e->t->known, key);
    const known_word *known = known_find(places, key);
    if (!known) {
        if (!model_split(&e->t->model, word, &e->pieces, e->scratch)) return false;
        known_keep(places, key, e->pieces.at, (int)e->pieces.count);
        return true;
    }
    uint32_t at = 0;
    e->pieces.count = 0;
    for (int i = 0; i < KNOWN_PIECES && known->pieces[i]; i++) {
        uint32_t size = known->pieces[i] & 0xFF;
        e->pieces.at[e->pieces.count++] = (word_piece){(int)(known->pieces[i] >> 8), at, at + size};
        at += size;
    }
    return true;
}

/* The words of a segment between two added tokens. */
/* The text of a token, by which its offsets are trimmed: of what Unigram does not know, the text itself. */
static span text_of(const tokenizer *t, const word_piece *piece, span word) {
    if (t->model.kind == MODEL_UNIGRAM && piece->id == t->model.unigram.unk)
        return (span){word.at + piece->from, (size_t)(piece->to - piece->from)};
    return t->vocab.pieces[piece->id];
}

static bool add_segment(encoder *e, const normal_text *text, size_t from, size_t to, bool first,
    sentence *s) {
    words found;
    if (!pretokenise(&e->t->pre_steps, text, from, to, first, &found, e->scratch)) return false;
    for (size_t i = 0; i < found.count; i++) {
        size_t start = found.at[i].from;
        const int32_t *origin = found.text.origin + start;
        span word = {found.text.at + start, found.at[i].to - start};
        if (!find_pieces(e, word)) return false;
        for (size_t k = 0; k < e->pieces.count; k++) {
            const word_piece *piece = &e->pieces.at[k];
            if (!add_token(e, s, piece->id, origin[piece->from], origin[piece->to - 1] + 1,
                    text_of(e->t, piece, word)))
                return false;
        }
        sentence_end_word(s);
    }
    return true;
}

static bool add_steps(encoder *e, span text, sentence *s) {
    normal_text normal;
    arena_mark mark = arena_here(e->scratch);
    piece_list pieces = e->pieces;
    int64_t letters = normalise(&e->t->normal_steps, text, s->index, &normal, e->scratch);
    bool ok = letters >= 0;
    size_t at = 0;
    added_match m = {0};
    while (ok && added_next(&e->t->normal, (span){normal.at, normal.size}, &m)) {
        ok = (at >= m.from || add_segment(e, &normal, at, m.from, at == 0 && s->index == 0, s)) &&
            add_token(e, s, m.token->id, normal.origin[m.from], normal.origin[m.to - 1] + 1,
                (span){normal.at + m.from, m.to - m.from});
        sentence_end_word(s);
        at = m.to;
    }
    ok = ok && add_segment(e, &normal, at, normal.size, at == 0 && s->index == 0, s);
    s->index += letters;
    e->pieces = pieces; /* what it grew by is given back */
    arena_release(e->scratch, mark);
    return ok;
}

#ifndef HEADLIGHT_ONE_STACK
bool sentence_take(encoder *e, sentence *s, int id, int from, int to) {
    return add_token(e, s, id, from, to, (span){"", 0});
}
#endif

static bool add_plain(encoder *e, span text, sentence *s) {
    if (text.size == 0) return true;
#ifndef HEADLIGHT_ONE_STACK
    if (e->t->side) return side_words(e, text, s);
#endif
    return e->t->bert ? add_bert(e, text, s) : add_steps(e, text, s);
}

static bool add_sentence(encoder *e, span text, sentence *s) {
    size_t at = 0;
    added_match m = {0};
    while (added_next(&e->t->raw, text, &m)) {
        if (at < m.from && !add_plain(e, (span){text.at + at, m.from - at}, s)) return false;
        if (at > m.from) s->index -= sentence_letters((span){text.at + m.from, at - m.from});
        int64_t letters = sentence_letters((span){text.at + m.from, m.to - m.from});
        if (!add_token(e, s, m.token->id, s->index, s->index + (int)letters,
                (span){text.at + m.from, m.to - m.from}))
            return false;
        sentence_end_word(s);
        s->index += letters;
        at = m.to;
    }
    return add_plain(e, (span){text.at + at, text.size - at}, s);
}

/* How many tokens of each sentence stay of `limit` in all: the longer gives first; when both have
 * to, each gets a half, and the odd one goes to the longer (to B when they are alike). */
static void longest_first(int limit, const sentence s[2], int keep[2]) {
    keep[0] = s[0].count;
    keep[1] = s[1].count;
    if (keep[0] <= limit - keep[1]) return;
    int longer = keep[0] <= keep[1];
    int shorter_keeps = keep[!longer] <= limit / 2 ? keep[!longer] : limit / 2;
    keep[!longer] = shorter_keeps;
    keep[longer] = limit - shorter_keeps;
}

/* How many tokens the template puts before its text number `text`, counted from the text before. */
static int added_before(const template_form *form, int text) {
    int count = 0;
    for (int i = 0, texts = 0; i < form->count; i++) {
        if (form->pieces[i].id >= 0) count++;
        else if (texts++ == text) break;
        else count = 0;
    }
    return count;
}

static int type_of_text(const template_form *form, int text) {
    for (int i = 0; i < form->count; i++)
        if (form->pieces[i].id < 0 && text-- == 0) return form->pieces[i].type;
    return 0;
}

/* Shortens the sentences, which lie where the template has them when A is at full length, and puts
 * in the tokens that it adds. */
static void close_sentences(const template_form *form, const sentence s[2], int max_tokens,
    encoding *out) {
    int keep[2], text = 0;
    longest_first(max_tokens - form->added, s, keep);
    out->dropped[0] = s[0].count - keep[0];
    out->dropped[1] = s[1].count - keep[1];
    out->count = 0;
    for (const template_piece *p = form->pieces; p < form->pieces + form->count; p++) {
        if (p->id >= 0) {
            out->tokens[out->count++] = (token){p->id, p->type, 0, 0, -1, -1};
            continue;
        }
        token *at = out->tokens + out->count;
        if (keep[text] && at != s[text].tokens)
            memmove(at, s[text].tokens, (size_t)keep[text] * sizeof *at);
        out->count += keep[text++];
    }
}

/* Where BERT's own pipeline writes: sentences at full length, with room for what the template adds. */
static bool take_rooms(encoding *out, const template_form *form, const span texts[2],
    int max_tokens, sentence sentences[2], arena *a) {
    size_t count = 0;
    for (int i = 0; i <= out->pair; i++) {
        size_t size = texts[i].size;
        sentences[i].room = size < (size_t)max_tokens ? (int)size : max_tokens;
        count += (size_t)sentences[i].room;
    }
    out->tokens =
        arena_take_raw(a, (count + (size_t)form->added) * sizeof *out->tokens, "the tokens");
    return out->tokens != NULL;
}

static bool encode_texts(encoder *e, const template_form *form, const span texts[2],
    sentence sentences[2], encoding *out) {
    token *next = out->tokens;
    for (int i = 0; i <= out->pair; i++) {
        sentence *s = &sentences[i];
        if (e->t->bert) s->tokens = next += added_before(form, i);
        s->number = i;
        s->type = type_of_text(form, i);
        if (!add_sentence(e, texts[i], s)) return false;
        if (e->t->bert) next += s->count < s->room ? s->count : s->room;
    }
    return true;
}

/* Any pipeline may make more tokens than the text has bytes: room is taken when they are known. */
static bool take_tokens(encoding *out, const template_form *form, const sentence s[2], arena *a) {
    size_t count = (size_t)s[0].count + (size_t)s[1].count, most = (size_t)s[0].max;
    out->tokens = arena_take_raw_array(a, (count < most ? count : most) + (size_t)form->added,
        sizeof *out->tokens, "the tokens");
    return out->tokens != NULL;
}

bool tokenizer_encode(const tokenizer *t, span text_a, span text_b, int max_tokens, arena *a,
    arena *scratch, encoding *out, error *err) {
    const span texts[2] = {text_a.at ? text_a : span_of(""), text_b};
    bool pair = text_b.at != NULL;
    if (text_a.size > MAX_TEXT || text_b.size > MAX_TEXT)
        return error_set(err, "text", "the text has more than %d MB; use a part of it",
            MAX_TEXT >> 20);
    const template_form *form = &t->form.of[pair];
    if (max_tokens < form->added)
        return error_set(err, "text",
            "at most %d tokens were asked for, but the tokenizer alone adds %d", max_tokens,
            form->added);
    *out = (encoding){.pair = pair};
    arena_mark mark = arena_here(scratch);
    encoder e = {.t = t, .memory = a, .scratch = scratch, .work = t->work};
    sentence sentences[2] = {{.max = max_tokens}, {.max = max_tokens}};
    bool ok = piece_list_reserve(&e.pieces, WORDPIECE_MAX_LETTERS, scratch) &&
        (!t->bert || take_rooms(out, form, texts, max_tokens, sentences, a)) &&
        encode_texts(&e, form, texts, sentences, out) &&
        (t->bert || take_tokens(out, form, sentences, a));
    if (ok) close_sentences(form, sentences, max_tokens, out);
    if (ok) arena_trim(a, out->tokens, (size_t)out->count * sizeof *out->tokens);
    arena_release(scratch, mark);
    return ok;
}

int tokenizer_special(const tokenizer *t, int id) { return template_special(&t->form, id); }

bool tokenizer_is_word(const tokenizer *t, int id) {
    span text = tokenizer_piece(t, id), unused = span_of("[unused");
    bool reserved = text.size > unused.size && memcmp(text.at, unused.at, unused.size) == 0;
    return text.size && !reserved && !tokenizer_special(t, id);
}

void tokenizer_segments(const tokenizer *t, const encoding *e, int32_t *segment, int32_t *special) {
    const template_piece *next = t->form.of[e->pair].pieces;
    for (int i = 0; i < e->count; i++) {
        const token *one = &e->tokens[i];
        bool added = one->sentence < 0;
        while (added && next->id < 0) next++;
        segment[i] = added ? next->segment : one->sentence;
        special[i] = added ? next->special : tokenizer_special(t, one->id);
        next += added;
    }
}
