/* measured - hl_measure for tests that ask for any measure: pictures of one size, all places one
 * number, no tokens left out.
 */
#ifndef TESTS_MEASURED_H
#define TESTS_MEASURED_H

#include "headlight.h"
#include "measure/measure.h"

#include <string.h>

static inline int measured_at(hl_pass *p, hl_pass *before, const char *name, int size, int at,
    float *out, int room) {
    int32_t arguments[MEASURE_ARGUMENTS] = {0};
    int count = 0;
    for (int i = 0; i < measure_count(); i++)
        for (const char *letter = measures[i].takes; strcmp(measures[i].name, name) == 0 && *letter;
            letter++)
            arguments[count++] = *letter == 'S' ? size : strchr("sf", *letter) ? 0 : at;
    return hl_measure(p, before, name, arguments, count, out, room);
}

#endif
