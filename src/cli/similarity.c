/* similarity - `headlight similarity`: how similar texts are to a sentence-transformers model: the
 * cosine of their embeddings.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static hl_pass *embed(hl_session *s, const char *text, int precision, hl_pass *over) {
    if (!cli_tokenize(s, text, (int)strlen(text), NULL, -1, -1)) return NULL;
    return hl_run(s, precision, "", over);
}

/* The cosine of each pair of texts, row by row. */
static bool print_pairs(hl_session *s, char **texts, int count, int precision, bool json) {
    hl_pass *a = NULL, *b = NULL;
    for (int i = 0; i < count; i++) {
        if (!(a = embed(s, texts[i], precision, a))) return false;
        if (json) printf("%s[", i ? "," : "[");
        for (int j = 0; j < count; j++) {
            float cosine = 1;
            if (!(b = embed(s, texts[j], precision, b)) || !hl_similarity(a, b, &cosine))
                return false;
            if (json) printf(j ? ",%.6g" : "%.6g", cosine);
            else printf(" %7.4f", cosine);
        }
        if (json) printf("]");
        else printf("  %s\n", texts[i]);
    }
    if (json) printf("]\n");
    return true;
}

/* A row a pair of tokens of the two texts: their cells sum to the similarity. */
static bool print_split(hl_session *s, char **texts, int precision) {
    hl_pass *a = embed(s, texts[0], precision, NULL), *b = NULL;
    int rows = a ? hl_token_count(s) : 0, columns, size;
    int32_t *ids = malloc((size_t)(rows ? rows : 1) * sizeof *ids);
    for (int i = 0; ids && i < rows; i++) ids[i] = hl_tokens(s)[i].id;
    if (ids && a) b = embed(s, texts[1], precision, NULL);
    columns = b ? hl_token_count(s) : 0;
    size = b ? hl_split(a, b, NULL, 0) : 0;
    float *cells = size ? malloc((size_t)size * sizeof *cells) : NULL;
    bool done = cells && hl_split(a, b, cells, size) == size;
    if (done) printf("i,j,token,other,value\n");
    for (int i = 0; done && i < size; i++) {
        printf("%d,%d,", i / columns, i % columns);
        cli_print_token(s, ids[i / columns], true);
        printf(",");
        cli_print_token(s, hl_tokens(s)[i % columns].id, true);
        printf(",%.9g\n", cells[i]);
    }
    free(ids), free(cells);
    return done;
}

int command_similarity(hl_session *s, int count, char **args) {
    bool bad = false, json = cli_flag(&count, args, "--json"),
         split = cli_flag(&count, args, "--split");
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || precision < 0 ||
        cli_wrong(&count, args, split ? 3 : 2, split ? 3 : 1000))
        return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    if (split) return print_split(s, args + 1, precision) ? 0 : cli_error(s);
    return print_pairs(s, args + 1, count - 1, precision, json) ? 0 : cli_error(s);
}
