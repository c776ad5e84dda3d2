/* links - the strongest single links of every head, for panels and tables that name them.
 */
#include "measure/measure.h"

#include <string.h>

/* Keeps best [room, 3], strongest first; of equal ones the earlier comes first. */
static void insert(float *best, int room, int query, int key, float weight) {
    int at = room - 1;
    for (; at > 0 && best[3 * (at - 1) + 2] < weight; at--)
        memcpy(best + 3 * at, best + 3 * (at - 1), 3 * sizeof *best);
    best[3 * at] = (float)query;
    best[3 * at + 1] = (float)key;
    best[3 * at + 2] = weight;
}

/* Whether one of a row's weights row[0..BLOCK) is above `least`: most blocks have none, and this is
 * quick to see. */
enum { BLOCK = 32 };
static bool any_above(const float *row, float least) {
    float most[4] = {0};
    for (int j = 0; j < BLOCK; j += 4)
        for (int k = 0; k < 4; k++) most[k] = row[j + k] > most[k] ? row[j + k] : most[k];
    return most[0] > least || most[1] > least || most[2] > least || most[3] > least;
}

/* out [L, H, S, 3] := query, key, weight of the S strongest links; where there are fewer, weight 0
 * says so. */
bool measure_links(const measure_input *in, float *out, arena *scratch) {
    measure_shown shown;
    if (!measure_show(in, &shown, scratch)) return false;
    int room = in->size, n = shown.count;
    for (int head = 0; head < in->layers * in->heads; head++, out += 3 * room) {
        const float *a = measure_shown_head(in, &shown, head);
        memset(out, 0, 3 * (size_t)room * sizeof *out);
        for (int i = 0; i < n; i++, a += n)
            for (int at = 0; at < n; at += BLOCK) {
                int end = at + BLOCK < n ? at + BLOCK : n;
                if (end - at == BLOCK && !any_above(a + at, out[3 * room - 1])) continue;
                for (int j = at; j < end; j++)
                    if (a[j] > out[3 * room - 1]) insert(out, room, shown.at[i], shown.at[j], a[j]);
            }
    }
    return true;
}
