/* tokenizer_merges - a tokenizer from vocab.json and merges.txt, the files that GPT-2 and RoBERTa were
 * published with. They say nothing of the steps around the model: what GPT2Tokenizer and
 * RobertaTokenizer of transformers do with them is done here.
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
static bool read_merges(tokenizer_reader *r, span text, int *rank) {
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

/* A sentence where merges are missing, else NULL: each makes one token of those that are longer. */
static const char *missing_merges(const vocab *v, int merges, arena *a) {
    enum { SENTENCE = 240 };
    int longer = 0;
    for (int id = 0; id < v->size; id++)
        longer += v->pieces[id].size > 0 && !stands_alone(v->pieces[id]);
    char *out = longer > merges ? arena_take(a, SENTENCE, "the tokenizer's note") : NULL;
    if (out)
        format_text(out, SENTENCE,
            "merges.txt has %d merges, but vocab.json has %d tokens that need one: if merges.txt "
            "was cut short, words are read as others; take it whole from where the model is",
            merges, longer);
    return out;
}

static const char *const roberta[] = {"<s>", "</s>", "<unk>", "<pad>", "<mask>"};
static const char *const gpt2[] = {"<|endoftext|>"};
enum { ROBERTA = 5, GPT2 = 1 };

/* The special tokens are looked for in the text as it is; <mask> takes the space before it along. */
static bool set_up(tokenizer *t, bool is_roberta, arena *a) {
    const char *const *names = is_roberta ? roberta : gpt2;
    int count = 0, most = is_roberta ? ROBERTA : GPT2;
    added_token *tokens = arena_take_array(a, (size_t)most, sizeof *tokens, "the vocabulary");
    pre_step *pre = arena_take(a, sizeof *pre, "the vocabulary");
    if (!tokens || !pre) return false;
    for (int i = 0; i < most; i++) {
        int id = tokenizer_find(t, names[i]);
        if (id < 0) continue;
        tokens[count++] = (added_token){.content = t->vocab.pieces[id],
            .id = id,
            .lstrip = span_is(t->vocab.pieces[id], "<mask>")};
    }
    added_init(&t->raw, tokens, count);
    *pre = (pre_step){.kind = PRE_BYTE_LEVEL, .pattern = &pattern_gpt2};
    t->pre_steps = (pre_steps){pre, 1};
    t->specials = (special_ids){-1, -1, -1, -1, -1, -1, -1};
    if (is_roberta) {
        t->trim = (offset_trim){true, false};
        t->specials.unk = t->model.bpe.unk = tokenizer_find(t, "<unk>");
        t->specials.cls = tokenizer_find(t, "<s>");
        t->specials.sep = tokenizer_find(t, "</s>");
        template_usual(&t->form, t->specials.cls, t->specials.sep, true);
    } else {
        template_none(&t->form);
    }
    tokenizer_name_specials(t, &(const special_names){.cls = ""});
    return true;
}

tokenizer *tokenizer_from_merges(arena *a, span vocab, span merges, arena *scratch,
    const char **warning, error *err) {
    *warning = NULL;
    size_t valid = unicode_valid_until(merges.at, merges.size);
    if (valid < merges.size) {
        error_set(err, "vocab",
            "merges.txt is not valid UTF-8 at byte %zu; use the file as it was published", valid);
        return NULL;
    }
    arena_mark mark = arena_here(scratch);
    tokenizer *t = arena_take(a, sizeof *t, "the vocabulary");
    tokenizer_reader r = {.t = t, .a = a, .scratch = scratch, .err = err, .file = "vocab.json"};
    const json_value *pieces = t ? json_parse(scratch, vocab, "vocab", "vocab.json", err) : NULL;
    int count = 0;
    bool ok = pieces && tokenizer_read_pieces(&r, pieces) && read_merges(&r, merges, &count),
         all = true;
    for (int i = 0; ok && i < ROBERTA; i++) all &= tokenizer_find(t, roberta[i]) >= 0;
    if (ok) t->model.kind = MODEL_BPE;
    ok = ok && set_up(t, all, a) && tokenizer_complete(t, a);
    if (ok) *warning = missing_merges(&t->vocab, count, a);
    arena_release(scratch, mark);
    return ok ? t : NULL;
}
