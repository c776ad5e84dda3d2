/* bench - `headlight bench`: milliseconds per forward pass with every attention map kept, medians
 * and minima.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_ROUNDS = 100, MAX_TOKENS = 16384 };

static double now_ms(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Arbitrary but fixed ids: speed does not depend on them. Others each round, so that no pass can
 * take over what the last one computed. */
static bool random_text(hl_session *s, int tokens, int round) {
    static int32_t ids[MAX_TOKENS];
    uint32_t state = (uint32_t)round;
    for (int i = 0; i < tokens; i++) {
        state = state * 1664525u + 1013904223u;
        ids[i] = (int32_t)(state >> 8) % hl_model_sizes(s)->vocab;
    }
    return hl_use_ids(s, ids, NULL, tokens) > 0;
}

/* What the page keeps: all layered tensors but the scores. */
static const char kept[] = "q k v attention context projected attn_out hidden";

static bool measure(hl_session *s, int tokens, int rounds, int precision, const char *store) {
    double times[MAX_ROUNDS];
    hl_pass *pass = random_text(s, tokens, 0) ? hl_run(s, precision, kept, NULL) : NULL;
    if (!pass) return false;
    for (int i = 0; i < rounds; i++) {
        if (!random_text(s, tokens, i + 1)) return false;
        double start = now_ms();
        pass = hl_run(s, precision, kept, pass);
        if (!pass) return false;
        times[i] = now_ms() - start;
    }
    hl_release(pass);
    qsort(times, (size_t)rounds, sizeof *times, by_size);
    double median = times[rounds / 2];
    printf(
        "{\"store\":\"%s\",\"tokens\":%d,\"median_ms\":%.3f,\"min_ms\":%.3f,\"tokens_per_s\":%.0f}\n",
        store, tokens, median, times[0], tokens / median * 1e3);
    fflush(stdout);
    return true;
}

int command_bench(hl_session *s, int count, char **args) {
    bool bad = false;
    const char *tokens = cli_option(&count, args, "--tokens", &bad),
               *rounds = cli_option(&count, args, "--rounds", &bad);
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    int repeat = rounds ? atoi(rounds) : 5;
    if (repeat < 1 || repeat > MAX_ROUNDS)
        return cli_fail("state", "--rounds must be from 1 to %d", MAX_ROUNDS);
    const char *at = tokens ? tokens : "16 64 128 512";
    for (char *end; *at; at = end) {
        long n = strtol(at, &end, 10);
        if (end == at) break;
        if (n < 1 || n > hl_model_sizes(s)->positions || n > MAX_TOKENS) continue;
        if (!measure(s, (int)n, repeat, precision, store == HL_Q8 ? "q8" : "f32"))
            return cli_error(s);
    }
    return 0;
}
