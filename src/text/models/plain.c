/* plain - words of plain ASCII, which need no normalised text: letters and digits are found eight
 * bytes at a time, and a word of up to sixteen bytes is its own key in the table of known words
 * (known.h).
 */
#include "text/sentence.h"

/* The table of known words (known.h): ids are below 2^24 (VOCAB_MAX_IDS) and pieces no longer than
 * the word, so both fit in 32 bits. */
known_word *known_make(arena *a) {
    return arena_take_array(a, (size_t)2 << KNOWN_PAIRS_LOG2, sizeof(known_word), "the vocabulary");
}

void known_keep(known_word *places, word_key key, const word_piece *pieces, int count) {
    if (count > KNOWN_PIECES) return;
    for (int i = 0; i < count; i++) /* bytes of one character are pieces of one place */
        if (pieces[i].from != (i ? pieces[i - 1].to : 0)) return;
    known_word *place = &places[1];
    *place = (known_word){.key = key};
    for (int i = 0; i < count; i++)
        place->pieces[i] = (uint32_t)pieces[i].id << 8 | (pieces[i].to - pieces[i].from);
}

#define EACH(byte) (0x0101010101010101u * (byte))

/* The high bit of each byte that is no ASCII letter or digit. */
static inline uint64_t others(uint64_t bytes) {
    uint64_t seven = bytes & EACH(0x7F), lower = seven | EACH(0x20);
    uint64_t letter = (lower + EACH(0x80 - 'a')) & ~(lower + EACH(0x7F - 'z'));
    uint64_t digit = (seven + EACH(0x80 - '0')) & ~(seven + EACH(0x7F - '9'));
    return ~((letter | digit) & ~bytes) & EACH(0x80);
}

static inline size_t bytes_before(uint64_t other) { return (size_t)__builtin_ctzll(other) >> 3; }
static inline uint64_t first_bytes(size_t count) { return ((uint64_t)1 << 8 * count) - 1; }

/* Something that a word does not end before: no ASCII, or a control character. */
static inline bool is_odd(unsigned char byte) {
    return byte - 0x20u > '~' - 0x20u && byte != '\n' && byte != '\t' && byte != '\r';
}

/* Letters and digits from `at` on, of whose first eight bytes are `bytes`, into the key; their
 * number, 0 when they are more than fit into it. */
static inline size_t read_word(const char *at, size_t left, uint64_t bytes, uint64_t other,
    uint64_t fold, word_key *key) {
    if (other) {
        size_t count = bytes_before(other);
        *key = (word_key){(bytes | fold) & first_bytes(count), 0};
        return count;
    }
    key->low = bytes | fold;
    bytes = left > 8 ? known_load(at + 8, left - 8) : 0;
    other = others(bytes);
    if (!other) return 0;
    size_t count = bytes_before(other);
    key->high = (bytes | fold) & first_bytes(count);
    return 8 + count;
}

/* Splits a word that is not known, and keeps what it was split into; the pieces are in e->pieces.
 */
static __attribute__((noinline)) int split_new(encoder *e, word_key key, size_t size,
    known_word *places) {
    char word[KNOWN_BYTES];
    for (int i = 0; i < 8; i++) {
        word[i] = (char)(key.low >> 8 * i & 0xFF);
        word[8 + i] = (char)(key.high >> 8 * i & 0xFF);
    }
    int count = wordpiece_split(&e->t->model.wordpiece, (span){word, size}, e->pieces.at);
    known_keep(places, key, e->pieces.at, count);
    return count;
}

/* s is the caller's own copy, whose address nobody else has: it stays in registers. */
static inline void add_known(const known_word *word, int from, sentence *s) {
    for (int i = 0; i < KNOWN_PIECES; i++) {
        uint32_t piece = word->pieces[i];
        if (!piece) break;
        int to = from + (int)(piece & 0xFF);
        sentence_add(s, (int)(piece >> 8), from, to);
        from = to;
    }
}

static inline void add_split(const word_piece *pieces, int count, int from, sentence *s) {
    for (int i = 0; i < count; i++)
        sentence_add(s, pieces[i].id, from + (int)pieces[i].from, from + (int)pieces[i].to);
}

size_t plain_words(encoder *e, span text, size_t at, sentence *given) {
    sentence s = *given;
    known_word *const known = e->t->known;
    const uint64_t fold = e->t->rules.lower ? EACH(0x20) : 0;
    const int shift = s.index - (int)at;
    while (at < text.size) {
        size_t left = text.size - at, size = 1;
        uint64_t bytes = known_load(text.at + at, left), other = others(bytes);
        word_key key = {bytes & 0xFF, 0};
        char next = ' ';
        if (!(other & 0x80)) {
            size = read_word(text.at + at, left, bytes, other, fold, &key);
            if (size < left) next = text.at[at + size];
            if (size == 0 || (next != ' ' && is_odd((unsigned char)next))) break;
        } else if (key.low <= ' ') {
            if (is_odd((unsigned char)key.low)) break;
            at++;
            continue;
        } else if (key.low > '~') {
            break;
        } else if (size < left) {
            next = text.at[at + 1];
        }
        known_word *places = known_places(known, key);
        const known_word *word = known_find(places, key);
        if (word) add_known(word, shift + (int)at, &s);
        else add_split(e->pieces.at, split_new(e, key, size, places), shift + (int)at, &s);
        sentence_end_word(&s);
        at += size + (next == ' ');
    }
    if (at > text.size) at = text.size;
    s.index = shift + (int)at;
    *given = s;
    return at;
}
