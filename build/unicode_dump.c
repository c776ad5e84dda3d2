/* unicode_dump - prints what utf8proc knows of every Unicode scalar value, for unicode_table.mjs:
 * one line each of category, combining class, lower case, full canonical decomposition.
 */
#include "utf8proc.h"

#include <stdio.h>

int main(void) {
    for (utf8proc_int32_t cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF) continue;
        const utf8proc_property_t *p = utf8proc_get_property(cp);
        printf("%x %s %d %x", (unsigned)cp, utf8proc_category_string(cp), p->combining_class,
            (unsigned)utf8proc_tolower(cp));
        utf8proc_int32_t parts[8];
        int bounds = UTF8PROC_BOUNDCLASS_START;
        int n = (int)utf8proc_decompose_char(cp, parts, 8, UTF8PROC_DECOMPOSE, &bounds);
        for (int i = 0; i < n; i++) printf(" %x", (unsigned)parts[i]);
        putchar('\n');
    }
    return 0;
}
