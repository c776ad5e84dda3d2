/* draw - numbers drawn by a seed: splitmix64 (Steele, Lea and Flood 2014). The same everywhere, so
 * that a seed in an answer is enough to repeat it.
 */
#ifndef STUDY_DRAW_H
#define STUDY_DRAW_H

#include <stdint.h>

static inline uint64_t draw_next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

#endif
