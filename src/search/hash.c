/* hash - the checksum of a block of an index, see index.h. All bytes that are read go through it.
 */
#include "search/index.h"

#include <string.h>

/* Eight sums side by side, each of which a change of any byte of its own changes (a product with an
 * odd number has one inverse). */
uint64_t index_hash(const unsigned char *bytes, size_t size) {
    uint64_t sums[8], all = size;
    for (uint64_t i = 0; i < 8; i++) sums[i] = 0x9E3779B97F4A7C15u * (i + 1);
    size_t at = 0;
    for (; at + 64 <= size; at += 64)
        for (size_t i = 0; i < 8; i++) {
            uint64_t word;
            memcpy(&word, bytes + at + 8 * i, sizeof word);
            sums[i] = (sums[i] ^ word) * 0xBF58476D1CE4E5B9u;
            sums[i] ^= sums[i] >> 32;
        }
    for (; at < size; at++) sums[at % 8] = (sums[at % 8] ^ bytes[at]) * 0x94D049BB133111EBu;
    for (int i = 0; i < 8; i++) {
        all = (all ^ sums[i]) * 0x94D049BB133111EBu;
        all ^= all >> 29;
    }
    return all;
}
