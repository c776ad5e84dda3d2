/* unicode_dump - prints what utf8proc knows of every Unicode scalar value, for unicode_table.mjs:
 * one line each of category, combining class, lower case, full canonical decomposition, "|", full
 * compatibility decomposition.
 */
#include "utf8proc.h"

#include <stdio.h>

static void print_parts(utf8proc_int32_t cp, utf8proc_option_t options) {
    utf8proc_int32_t parts[32];
    int bounds = UTF8PROC_BOUNDCLASS_START;
    int n = (int)utf8proc_decompose_char(cp, parts, 32, options, &bounds);
    for (int i = 0; i < n; i++) printf(" %x", (unsigned)parts[i]);
}

int main(void) {
    for (utf8proc_int32_t cp = 0; cp <= 0x10FFFF; cp++) {
        if (cp >= 0xD800 && cp <= 0xDFFF) continue;
        const utf8proc_property_t *p = utf8proc_get_property(cp);
        printf("%x %s %d %x", (unsigned)cp, utf8proc_category_string(cp), p->combining_class,
            (unsigned)utf8proc_tolower(cp));
        print_parts(cp, UTF8PROC_DECOMPOSE);
        printf(" |");
        print_parts(cp, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
        putchar('\n');
    }
    return 0;
}
