/* csv - see csv.h. A cell is written byte by byte; commas between cells and ends of lines are the caller's.
 */
#include "base/csv.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

void csv_cell(const char *text, size_t size, csv_out *out, void *to) {
    bool quoted = size && (is_blank(text[0]) || is_blank(text[size - 1]));
    for (size_t i = 0; i < size; i++) quoted = quoted || memchr(",\"\r\n", text[i], 4);
    if (quoted) out(to, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') out(to, "\"", 1);
        out(to, text + i, 1);
    }
    if (quoted) out(to, "\"", 1);
}
