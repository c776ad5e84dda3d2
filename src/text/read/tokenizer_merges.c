/* tokenizer_merges - the model of vocab.json and merges.txt, the files that GPT-2 and RoBERTa were
 * published with. What stands around it: tokenizer_files.c.
 */
#include "base/format.h"
#include "text/read/tokenizer_reader.h"
#include "text/unicode/unicode.h"

static span next_line(span *text) {
    const char *end = memchr(text->at, '\n', text->size);
    span line = {text->at, end ? (size_t)(end - text->at) : text->size};
    text->at += line.size + (end != NULL);
    text->size -= line.size + (end != NULL);
    if (line.size && line.at[line.size - 1] == '\r') line.size--;
    return line;
}

/* A line is two pieces with a space between; the first may say which version the file is of. */
static bool read_lines(tokenizer_reader *r, span text, int *rank) {
    bpe *b = &r->t->model.bpe;
    size_t lines = 1;
    for (size_t i = 0; i < text.size; i++) lines += text.at[i] == '\n';
    if (lines > VOCAB_MAX_IDS)
        return error_set(r->err, "vocab", "merges.txt has %zu lines, at most %d are read", lines,
            VOCAB_MAX_IDS);
    b->prefix = b->suffix = span_of("");
    b->unk = -1;
    if (!bpe_init(b, &r->t->vocab, lines, r->a)) return false;
    for (int number = 1; text.size; number++) {
        span line = next_line(&text), left, right;
        if (line.size == 0 || span_starts(line, "#version")) continue;
        if (!bpe_cut(line, &left, &right) || !bpe_add(b, left, right, (*rank)++))
            return error_set(r->err, "vocab",
                "line %d of merges.txt is \"%s\", expected two tokens of vocab.json, separated "
                "by a space, that join to a third; use both files of one model",
                number, error_quote(line.at, line.size).text);
    }
    return true;
}

/* Tokens that need no merge: a character, <s> and its kin, and what fairseq fills a vocabulary with. */
static bool stands_alone(span piece) {
    int32_t cp;
    size_t first = (size_t)unicode_decode(piece.at, piece.size, &cp);
    return first == piece.size || span_starts(piece, "madeupword") ||
        (piece.at[0] == '<' && piece.at[piece.size - 1] == '>');
}

/* Pieces that are added tokens, too, and are looked for before any merge. */
static int added_pieces(const tokenizer *t) {
    const added_set *sets[] = {&t->raw, &t->normal};
    int count = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < sets[k]->count; i++) {
            span piece = t->vocab.pieces[sets[k]->tokens[i].id];
            count += !stands_alone(piece) && vocab_find(&t->vocab, piece) >= 0;
        }
    return count;
}

const char *tokenizer_missing_merges(const tokenizer_reader *r, int merges) {
    enum { SENTENCE = 240 };
    const vocab *v = &r->t->vocab;
    int longer = -added_pieces(r->t);
    for (int id = 0; id < v->size; id++)
        longer += v->pieces[id].size > 0 && !stands_alone(v->pieces[id]) &&
            vocab_find(v, v->pieces[id]) == id;
    char *out = longer > merges ? arena_take(r->a, SENTENCE, "the tokenizer's note") : NULL;
    if (out)
        format_text(out, SENTENCE,
            "merges.txt has %d merges, but vocab.json has %d tokens that need one: if merges.txt "
            "was cut short, words are read as others; take it whole from where the model is",
            merges, longer);
    return out;
}

bool tokenizer_read_merges(tokenizer_reader *r, span vocab, span merges, int *count) {
    size_t valid = unicode_valid_until(merges.at, merges.size);
    if (valid < merges.size)
        return error_set(r->err, "vocab",
            "merges.txt is not valid UTF-8 at byte %zu; use the file as it was published", valid);
    const json_value *pieces = json_parse(r->scratch, vocab, "vocab", "vocab.json", r->err);
    return pieces && tokenizer_read_pieces(r, pieces) && read_lines(r, merges, count);
}
