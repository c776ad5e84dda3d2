/* decode - the second stack of a model that has two: its target as `run` and `measure` take it (text B, ids, or written by
 * the model), and what run prints of it.
 */
#include "cli/cli.h"

#include "headlight_two.h"

#include <math.h>
#include <stdlib.h>

bool cli_read_target(cli_target *t, int *count, char **args) {
    bool bad = false;
    const char *write = cli_option(count, args, "--write", &bad);
    t->ids = cli_option(count, args, "--target-ids", &bad);
    t->write = write ? cli_number("--write", write) : 0;
    if (t->ids && write) {
        fprintf(stderr, "--write goes without --target-ids\n");
        bad = true;
    }
    return !bad && t->write >= 0 && !(write && t->write == 0);
}

bool cli_decodes(hl_session *s, const cli_target *t) {
    return t->ids || t->write || hl_target_tokens(s);
}

int cli_target_count(hl_pass *decoded) {
    int sizes[4];
    return hl_shape(decoded, "hidden", sizes) ? sizes[1] : 0;
}

hl_pass *cli_decode(hl_session *s, const cli_target *t, hl_pass *source, const char *keep) {
    int count = 0, status = 0;
    if (t->ids) {
        int32_t *ids = cli_parse_ids(t->ids, &count);
        if (!ids) return NULL;
        status = hl_use_target(s, ids, count) < 0;
        free(ids);
    } else if (t->write) status = hl_write(source, t->write) < 0;
    hl_pass *decoded = status ? NULL : hl_decode(source, keep);
    if (!decoded) cli_error(s);
    return decoded;
}

/* The token of the source that a row looks at most, by the mean over all layers and heads, and that mean. */
static int most_seen(hl_pass *decoded, int row, float *share) {
    static const char name[] = "cross_attention";
    int sizes[4], best = 0;
    float most = -1;
    if (!hl_shape(decoded, name, sizes) || !hl_tensor(decoded, name, 0)) return -1;
    for (int j = 0; j < sizes[3]; j++) {
        double sum = 0;
        for (int l = 0; l < sizes[0]; l++)
            for (int h = 0; h < sizes[1]; h++)
                sum += hl_tensor(decoded, name, l)[((int64_t)h * sizes[2] + row) * sizes[3] + j];
        if ((float)(sum / (sizes[0] * sizes[1])) <= most) continue;
        most = (float)(sum / (sizes[0] * sizes[1]));
        best = j;
    }
    return *share = most, best;
}

static void print_token(hl_session *s, int id, bool json) {
    const char *text = hl_token_text(s, id);
    if (json) cli_print_string(text ? text : "?");
    else printf("%s", text ? text : "?");
}

/* Of a row: what it reads, what it is to say, how probable that was, what was most probable, and where it looks. */
static bool print_row(hl_session *s, hl_pass *decoded, int row, bool json) {
    const int32_t *rows = hl_target_rows(s), asked[2] = {row, rows[2 * row + 1]};
    int32_t top;
    float log_p, p, share = 0;
    if (!hl_measure(decoded, NULL, "log_probability", asked, 2, &log_p, 1) ||
        !hl_predict(decoded, row, 1, &top, &p))
        return false;
    int seen = most_seen(decoded, row, &share);
    printf(json ? "%s{\"read\":" : "%s  ", json && row ? "," : "");
    print_token(s, rows[2 * row], json);
    if (json) printf(",\"id\":%d", asked[1]);
    printf(json ? ",\"token\":" : " -> ");
    print_token(s, asked[1], json);
    printf(json ? ",\"probability\":%.6g,\"top\":" : " %.4f", exp((double)log_p));
    if (json || top != asked[1]) {
        if (!json) printf(" (most probable: ");
        print_token(s, top, json);
        printf(json ? ",\"top_probability\":%.6g" : " %.4f)", p);
    }
    if (seen >= 0 && json) printf(",\"looks_at\":%d,\"weight\":%.6g", seen, share);
    if (seen >= 0 && !json) {
        printf(", looks at ");
        print_token(s, hl_tokens(s)[seen].id, false);
        printf(" %.4f", share);
    }
    printf(json ? "}" : "\n");
    return true;
}

bool cli_print_target(hl_session *s, hl_pass *decoded, bool json) {
    int count = cli_target_count(decoded);
    if (json) printf(",\"target\":[");
    else printf("target (%d): what is read, what is said and how probable it was\n", count);
    for (int row = 0; row < count; row++)
        if (!print_row(s, decoded, row, json)) return false;
    if (json) printf("]");
    return true;
}
