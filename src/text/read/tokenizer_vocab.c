/* tokenizer_vocab - the pieces of vocab.txt. One token per line; the line's number is the id.
 * Line rules of the Rust library: a line ends at \n, white space at its end is trimmed, a blank
 * line takes an id, of equal tokens the last counts.
 */
#include "text/read/tokenizer_reader.h"

#include "text/unicode/unicode.h"

span tokenizer_keep(arena *a, span s) {
    char *copy = arena_take(a, s.size, "the vocabulary");
    if (!copy) return (span){0};
    if (s.size) memcpy(copy, s.at, s.size);
    return (span){copy, s.size};
}

bool tokenizer_missing_piece(error *err, const char *file, span piece) {
    quoted q = error_quote(piece.at, piece.size);
    return error_set(err, "vocab",
        "%s has no token %s, which the model needs; use the file that belongs to it", file, q.text);
}

/* Cuts the first line off. */
static span next_line(span *text) {
    const char *end = memchr(text->at, '\n', text->size);
    size_t size = end ? (size_t)(end - text->at) : text->size;
    span line = {text->at, size};
    text->at += size + (end != NULL);
    text->size -= size + (end != NULL);
    return line;
}

static span trimmed(span line) {
    while (line.size) {
        size_t last = line.size - 1;
        while (last && ((unsigned char)line.at[last] & 0xC0) == 0x80) last--;
        int32_t cp;
        unicode_decode(line.at + last, line.size - last, &cp);
        if (!unicode_is(cp, UNICODE_SPACE)) break;
        line.size = last;
    }
    return line;
}

static bool check_text(span text, error *err) {
    const char *kind = bytes_kind(text);
    if (kind) return error_set(err, "vocab", "vocab.txt is %s, expected one token per line", kind);
    size_t valid = unicode_valid_until(text.at, text.size);
    if (valid == text.size) return true;
    size_t line = 1;
    for (size_t i = 0; i < valid; i++) line += text.at[i] == '\n';
    return error_set(err, "vocab",
        "line %zu of vocab.txt is not valid UTF-8; save the file as UTF-8", line);
}

static size_t count_lines(span text) {
    size_t lines = 0;
    for (; text.size; lines++) next_line(&text);
    return lines;
}

bool tokenizer_read_lines(tokenizer_reader *r, span text) {
    if (!check_text(text, r->err)) return false;
    size_t lines = count_lines(text);
    if (lines > VOCAB_MAX_IDS - (size_t)r->more)
        return error_set(r->err, "vocab", "vocab.txt has %zu lines, at most %d are read", lines,
            VOCAB_MAX_IDS - r->more);
    span kept = tokenizer_keep(r->a, text);
    if (!kept.at || !vocab_init(&r->t->vocab, (int)lines + r->more, r->a)) return false;
    for (int id = 0; kept.size; id++) vocab_set(&r->t->vocab, id, trimmed(next_line(&kept)));
    return true;
}
