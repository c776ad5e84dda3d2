/* sha256 - see sha256.h. The names are those of FIPS 180-4, section 6.2.
 */
#include "base/sha256.h"

static const uint32_t K[64] = {
    0x428a2f98,
    0x71374491,
    0xb5c0fbcf,
    0xe9b5dba5,
    0x3956c25b,
    0x59f111f1,
    0x923f82a4,
    0xab1c5ed5,
    0xd807aa98,
    0x12835b01,
    0x243185be,
    0x550c7dc3,
    0x72be5d74,
    0x80deb1fe,
    0x9bdc06a7,
    0xc19bf174,
    0xe49b69c1,
    0xefbe4786,
    0x0fc19dc6,
    0x240ca1cc,
    0x2de92c6f,
    0x4a7484aa,
    0x5cb0a9dc,
    0x76f988da,
    0x983e5152,
    0xa831c66d,
    0xb00327c8,
    0xbf597fc7,
    0xc6e00bf3,
    0xd5a79147,
    0x06ca6351,
    0x14292967,
    0x27b70a85,
    0x2e1b2138,
    0x4d2c6dfc,
    0x53380d13,
    0x650a7354,
    0x766a0abb,
    0x81c2c92e,
    0x92722c85,
    0xa2bfe8a1,
    0xa81a664b,
    0xc24b8b70,
    0xc76c51a3,
    0xd192e819,
    0xd6990624,
    0xf40e3585,
    0x106aa070,
    0x19a4c116,
    0x1e376c08,
    0x2748774c,
    0x34b0bcb5,
    0x391c0cb3,
    0x4ed8aa4a,
    0x5b9cca4f,
    0x682e6ff3,
    0x748f82ee,
    0x78a5636f,
    0x84c87814,
    0x8cc70208,
    0x90befffa,
    0xa4506ceb,
    0xbef9a3f7,
    0xc67178f2,
};

static uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void take_block(uint32_t state[8], const unsigned char *block) {
    uint32_t W[64], s[8];
    for (int t = 0; t < 16; t++, block += 4)
        W[t] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 | (uint32_t)block[2] << 8 |
            block[3];
    for (int t = 16; t < 64; t++) {
        uint32_t a = W[t - 15], b = W[t - 2];
        W[t] = W[t - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + W[t - 7] +
            (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int t = 0; t < 64; t++) {
        uint32_t a = s[0], e = s[4];
        uint32_t one = s[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
            ((e & s[5]) ^ (~e & s[6])) + K[t] + W[t];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
            ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void sha256_begin(sha256 *h) {
    *h = (sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                      0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(sha256 *h, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    while (size) {
        size_t held = h->size % 64, part = 64 - held < size ? 64 - held : size;
        if (part == 64) take_block(h->state, at);
        else {
            memcpy(h->block + held, at, part);
            if (held + part == 64) take_block(h->state, h->block);
        }
        h->size += part;
        at += part;
        size -= part;
    }
}

void sha256_text(sha256 *h, char out[SHA256_TEXT]) {
    uint64_t bits = 8 * h->size;
    unsigned char end[72] = {0x80}, *length;
    size_t padding = h->size % 64 < 56 ? 56 - h->size % 64 : 120 - h->size % 64;
    length = end + padding;
    for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
    sha256_add(h, end, padding + 8);
    for (int i = 0; i < SHA256_SIZE; i++) {
        unsigned byte = h->state[i / 4] >> (24 - 8 * (i % 4)) & 255;
        out[2 * i] = "0123456789abcdef"[byte >> 4];
        out[2 * i + 1] = "0123456789abcdef"[byte & 15];
    }
    out[2 * SHA256_SIZE] = 0;
}
