/* sha256 - SHA-256 (FIPS 180-4), which identifies models and corpora in studies: the same 32 bytes
 * that `sha256sum` prints for a file. Bytes may be added in chunks of any size.
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include "base/bytes.h"

enum { SHA256_SIZE = 32, SHA256_TEXT = 2 * SHA256_SIZE + 1 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t size;           /* bytes so far */
    unsigned char block[64]; /* the last size % 64 of them */
} sha256;

void sha256_begin(sha256 *h);
void sha256_add(sha256 *h, const void *bytes, size_t size);
/* Ends it: 64 small hexadecimal digits and a zero. */
void sha256_text(sha256 *h, char out[SHA256_TEXT]);

#endif
