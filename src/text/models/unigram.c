/* unigram - see unigram.h.
 */
#include "text/models/unigram.h"

/* The best path to a byte of the word. */
typedef struct path {
    double score;
    uint32_t from; /* where its last piece begins */
    int32_t id;    /* -1: no path ends here */
} path;

static void offer(path *end, double score, size_t from, int32_t id) {
    if (end->id >= 0 && !(score > end->score)) return;
    *end = (path){score, (uint32_t)from, id};
}

static bool starts_letter(span word, size_t at) {
    return at == word.size || ((unsigned char)word.at[at] & 0xC0) != 0x80;
}

/* All pieces that begin at `from`. */
static void add_pieces(const unigram *u, span word, size_t from, path *paths) {
    const vocab *v = u->vocab;
    double before = paths[from].score;
    bool letter_known = false;
    size_t letter = 0, most = word.size - from < v->longest ? word.size - from : v->longest;
    uint32_t hash = HASH_START;
    for (size_t size = 1; size <= most || !letter; size++) {
        hash = hash_step(hash, word.at[from + size - 1]);
        if (!starts_letter(word, from + size)) continue;
        if (!letter) letter = size;
        if (!vocab_may_have(v, hash)) continue;
        int id = vocab_find_hashed(v, hash, (span){"", 0}, (span){word.at + from, size});
        if (id < 0) continue;
        offer(&paths[from + size], u->scores[id] + before, from, id);
        letter_known |= size == letter;
    }
    if (!letter_known) offer(&paths[from + letter], u->unknown_score + before, from, u->unk);
}

/* A row of unknown code points; returns the number of pieces. */
static int64_t add_unknown(const unigram *u, span word, uint32_t from, uint32_t to,
    word_piece *out) {
    int id = vocab_find(u->vocab, (span){word.at + from, to - from});
    bool bytes = id < 0 && u->bytes != NULL;
    for (uint32_t i = from; bytes && i < to; i++) bytes = u->bytes[(unsigned char)word.at[i]] >= 0;
    if (!bytes) {
        out[0] = (word_piece){id < 0 ? u->unk : id, from, to};
        return 1;
    }
    for (uint32_t i = from; i < to; i++)
        out[i - from] = (word_piece){u->bytes[(unsigned char)word.at[i]], from, to};
    return to - from;
}

int64_t unigram_split(const unigram *u, span word, word_piece *out, arena *scratch) {
    arena_mark mark = arena_here(scratch);
    path *paths = arena_take_raw_array(scratch, word.size + 1, sizeof *paths, "the tokens");
    if (!paths) return -1;
    for (size_t i = 0; i <= word.size; i++) paths[i] = (path){0, 0, -1};
    for (size_t i = 0; i < word.size; i++)
        if (starts_letter(word, i)) add_pieces(u, word, i, paths);
    /* The path is known from its end: each piece's end is left where the piece begins. */
    for (uint32_t end = (uint32_t)word.size; end > 0; end = paths[end].from)
        paths[paths[end].from].score = end;
    int64_t count = 0;
    for (uint32_t from = 0, to; from < word.size; from = to) {
        to = (uint32_t)paths[from].score;
        if (paths[to].id != u->unk) {
            out[count++] = (word_piece){paths[to].id, from, to};
            continue;
        }
        while (to < word.size && paths[(uint32_t)paths[to].score].id == u->unk)
            to = (uint32_t)paths[to].score;
        count += add_unknown(u, word, from, to, out + count);
    }
    arena_release(scratch, mark);
    return count;
}

double unigram_score(span number, double exact) {
    static const double most = 1e22; /* the last power of ten that is a double */
    uint64_t digits = 0;
    double power = 1;
    bool negative = false, fraction = false;
    for (size_t i = 0; i < number.size; i++) {
        char c = number.at[i];
        if (c == '-' && i == 0) {
            negative = true;
        } else if (c == '.') {
            fraction = true;
        } else if (c < '0' || c > '9' || digits > (UINT64_MAX - 9) / 10 || power == most) {
            return exact;
        } else {
            digits = digits * 10 + (uint64_t)(c - '0');
            if (fraction) power *= 10;
        }
    }
    double value = (double)digits / power;
    return negative ? -value : value;
}
