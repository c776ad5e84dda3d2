/* csv - a text as a cell of a table, as RFC 4180 has it: within quotes where it holds a comma, a quote or
 * a line break (or a blank begins or ends it), each of its quotes doubled. Every table that C writes has its
 * texts from here. What a spreadsheet would take for a formula stays as it is: programs read these tables;
 * the page looks after that where it saves one (web/save/texts.js).
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stddef.h>

typedef void csv_out(void *to, const char *text, size_t size);
void csv_cell(const char *text, size_t size, csv_out *out, void *to);

#endif
