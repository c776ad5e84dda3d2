/* columns - see columns.h.
 */
#include "study/columns.h"

#include <math.h>

static void write_list(writer *w, int first, int count, column_value *value, const void *from) {
    writer_format(w, "[");
    for (int i = first; i < first + count; i++) {
        double x = value(from, i);
        if (i > first) writer_format(w, ",");
        if (fabs(x) < 0x1p53 && x == floor(x)) writer_format(w, "%lld", (long long)x);
        else study_write_number(w, x);
    }
    writer_format(w, "]");
}

void columns_write(writer *w, const char *key, int rows, int count, column_value *value,
    const void *from) {
    study_write_key(w, key);
    if (!rows) {
        write_list(w, 0, count, value, from);
        return;
    }
    writer_format(w, "[");
    for (int row = 0; row < rows; row++) {
        if (row) writer_format(w, ",");
        write_list(w, row * count, count, value, from);
    }
    writer_format(w, "]");
}

static double peak_at(const void *from, int i) {
    const study_peak *p = (const study_peak *)from + i;
    return p->index < 0 ? NAN : study_float(p->value);
}

static double item_at(const void *from, int i) {
    const study_peak *p = (const study_peak *)from + i;
    return p->index < 0 ? NAN : (double)p->index;
}

void columns_peaks(writer *w, const char *key, int rows, int count, const study_peak *peaks) {
    columns_write(w, key, rows, count, peak_at, peaks);
}

void columns_items(writer *w, const char *key, int rows, int count, const study_peak *peaks) {
    columns_write(w, key, rows, count, item_at, peaks);
}
