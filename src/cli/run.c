/* run - `headlight run`: one text through the model, as prose or JSON.
 */
#include "cli/cli.h"

#include "cli/tensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 5, SHOWN_HEADS = 3 };

/* Whose maps are kept, -1: of all. More bytes than MOST are not kept unasked. */
typedef struct maps {
    int layer, head;
} maps;
static const double MOST = 4e9;

int32_t *cli_parse_ids(const char *text, int *count) {
    int32_t *ids = malloc((strlen(text) / 2 + 1) * sizeof *ids);
    *count = 0;
    for (char *end; ids && *text; text = end) {
        long value = strtol(text, &end, 10);
        if (end == text) {
            if (strspn(text, " ") == strlen(text)) break;
            cli_fail("text", "ids must be numbers separated by spaces, not \"%s\"", text);
            free(ids);
            return NULL;
        }
        if (value < INT32_MIN || value > INT32_MAX) {
            cli_fail("text", "there is no id %.*s; ids must be smaller than the vocabulary's size",
                (int)(end - text - (long)strspn(text, " ")), text + strspn(text, " "));
            free(ids);
            return NULL;
        }
        ids[(*count)++] = (int32_t)value;
    }
    return ids;
}

/* Exit status; 0 when the tokens are there. */
static int take_ids(hl_session *s, const char *ids_text, const char *types_text) {
    int count, type_count = 0, status = 0;
    int32_t *ids = cli_parse_ids(ids_text, &count),
            *types = types_text ? cli_parse_ids(types_text, &type_count) : NULL;
    if (!ids || (types_text && !types)) status = EXIT_ERROR;
    else if (types && type_count != count)
        status = cli_fail("text", "%d ids but %d types were given; there must be one type per id",
            count, type_count);
    else if (hl_use_ids(s, ids, types, count) < 0) status = cli_error(s);
    free(ids);
    free(types);
    return status;
}

static const char *text_of(hl_session *s, int id) {
    const char *text = hl_token_text(s, id);
    return text ? text : "?";
}

static void print_tokens(hl_session *s, bool json) {
    const hl_token *t = hl_tokens(s);
    int count = hl_token_count(s);
    if (!json) printf("tokens (%d):", count);
    for (int i = 0; i < count; i++) {
        if (!json) {
            printf(" %s", text_of(s, t[i].id));
            continue;
        }
        printf("%s{\"id\":%d,\"token\":", i ? "," : "\"tokens\":[", t[i].id);
        cli_print_string(text_of(s, t[i].id));
        printf(",\"type\":%d,\"from\":%d,\"to\":%d,\"sentence\":%d,\"word\":%d}", t[i].type,
            t[i].from, t[i].to, t[i].sentence, t[i].word);
    }
    printf(json ? "]" : "\n");
    if (!json) cli_print_dropped(s, stdout);
    if (json) printf(",\"dropped\":[%d,%d]", hl_dropped(s, 0), hl_dropped(s, 1));
}

/* The most probable words at a position. */
static bool print_words(hl_session *s, hl_pass *pass, int position, bool json) {
    int32_t ids[TOP];
    float p[TOP];
    int k = hl_predict(pass, position, TOP, ids, p);
    for (int j = 0; j < k; j++) {
        if (!json) {
            printf("  %s %.4f", text_of(s, ids[j]), p[j]);
            continue;
        }
        printf("%s{\"id\":%d,\"token\":", j ? "," : "", ids[j]);
        cli_print_string(text_of(s, ids[j]));
        printf(",\"probability\":%.6g}", p[j]);
    }
    return k > 0;
}

static bool print_predictions(hl_session *s, hl_pass *pass, bool json) {
    const hl_token *t = hl_tokens(s);
    const char *comma = "";
    if (json) printf(",\"predictions\":[");
    const hl_sizes *model = hl_model_sizes(s);
    for (int i = 0; model->masked && i < hl_token_count(s); i++) {
        if (t[i].id != model->mask_id) continue;
        if (json) printf("%s{\"position\":%d,\"top\":[", comma, i);
        else printf("[MASK] at %d:", i);
        if (!print_words(s, pass, i, json)) return false;
        printf(json ? "]}" : "\n");
        comma = ",";
    }
    if (json) printf("]");
    if (!model->next_word) return true;
    printf(json ? ",\"next_word\":[" : "next token:");
    if (!print_words(s, pass, hl_token_count(s) - 1, json)) return false;
    printf(json ? "]" : "\n");
    return true;
}

static bool has_pair(hl_session *s) {
    const hl_token *t = hl_tokens(s);
    for (int i = 0; i < hl_token_count(s); i++)
        if (t[i].sentence > 0) return true;
    return false;
}

static bool print_next_sentence(hl_session *s, hl_pass *pass, bool json) {
    float p[2];
    bool order = hl_model_sizes(s)->sentence_order;
    if (!(order || hl_model_sizes(s)->next_sentence) || !has_pair(s)) return true;
    if (!hl_next_sentence(pass, p)) return false;
    if (json) printf(",\"%s\":%.6g", order ? "sentence_order" : "next_sentence", p[0]);
    else printf("%s: probability %.4f\n", order ? "A and B are in order" : "B follows A", p[0]);
    return true;
}

/* The first of the patterns is the entropy. Heads with the lowest come first: the most concentrated
 * of each layer, with where most of their attention goes. */
static bool print_heads(hl_session *s, hl_pass *pass, maps of, bool json) {
    int layers = of.layer < 0 ? hl_model_sizes(s)->layers : 1,
        heads = of.head < 0 ? hl_model_sizes(s)->heads : 1,
        first_layer = of.layer < 0 ? 0 : of.layer, first_head = of.head < 0 ? 0 : of.head,
        size = hl_measure(pass, NULL, "patterns", NULL, 0, NULL, 0);
    float *m = malloc((size_t)size * sizeof *m);
    bool *used = calloc((size_t)heads, sizeof *used);
    bool ok = m && used && hl_measure(pass, NULL, "patterns", NULL, 0, m, size);
    if (ok && json && of.layer >= 0) printf(",\"layer\":%d", of.layer);
    if (ok) printf(json ? ",\"concentrated\":[" : "most concentrated heads (entropy in nats):\n");
    for (int layer = 0; ok && layer < layers; layer++) {
        memset(used, 0, (size_t)heads * sizeof *used);
        if (json) printf("%s[", layer ? "," : "");
        else printf("  layer %d:", first_layer + layer);
        for (int i = 0; i < SHOWN_HEADS && i < heads; i++) {
            int best = -1;
            for (int h = 0; h < heads; h++)
                if (!used[h] && (best < 0 || m[layer * heads + h] < m[layer * heads + best]))
                    best = h;
            used[best] = true;
            printf(json ? "%s{\"head\":%d,\"entropy\":%.6g}" : "%s  head %d %.3f",
                json && i ? "," : "", first_head + best, m[layer * heads + best]);
        }
        printf(json ? "]" : "\n");
    }
    if (ok && json) printf("]");
    free(m);
    free(used);
    return ok;
}

static void print_label(hl_session *s, int label, float p, bool json) {
    if (!json) {
        printf("  %s %.4f", hl_label(s, label), p);
        return;
    }
    printf("{\"label\":");
    cli_print_string(hl_label(s, label));
    printf(",\"probability\":%.6g}", p);
}

/* Labels of the text, most probable first; or of each token the most probable. */
static void print_labels(hl_session *s, float *p, bool json) {
    int labels = hl_model_sizes(s)->labels;
    bool each = hl_model_sizes(s)->task == HL_TASK_TOKEN_LABELS;
    int rows = each ? hl_token_count(s) : 1, shown = each ? 1 : labels;
    printf(!json ? "%s" : each ? ",\"token_labels\":[" : ",\"labels\":[", each ? "" : "label:");
    for (int i = 0; i < rows; i++)
        for (int n = 0; n < shown; n++) {
            int best = 0;
            for (int c = 1; c < labels; c++)
                if (p[i * labels + c] > p[i * labels + best]) best = c;
            if (json && i + n) printf(",");
            if (!json && each) printf("label of %s:", text_of(s, hl_tokens(s)[i].id));
            print_label(s, best, p[i * labels + best], json);
            if (!json && each) printf("\n");
            p[i * labels + best] = -INFINITY;
        }
    printf(json ? "]" : each ? "" : "\n");
}

static bool print_answers(hl_session *s, hl_pass *pass, bool json) {
    int32_t spans[2 * TOP];
    float p[TOP];
    int count = hl_answers(pass, TOP, spans, p);
    if (json) printf(",\"answers\":[");
    for (int k = 0; k < count; k++) {
        int from = spans[2 * k], to = spans[2 * k + 1];
        if (json)
            printf("%s{\"from\":%d,\"to\":%d,\"probability\":%.6g}", k ? "," : "", from, to, p[k]);
        else {
            printf("answer %.4f:", p[k]);
            for (int i = from; i <= to; i++) printf(" %s", text_of(s, hl_tokens(s)[i].id));
            printf("\n");
        }
    }
    if (json) printf("]");
    if (count) return true;
    if (strncmp(hl_error(s), "text:", 5) != 0) return false;
    if (!json) printf("answer: none, no token of this text can be part of one\n");
    return true;
}

static void print_replaced(hl_session *s, const float *p, bool json) {
    printf(json ? ",\"replaced\":[" : "replaced:");
    for (int i = 0; i < hl_token_count(s); i++)
        if (json) printf(i ? ",%.6g" : "%.6g", p[i]);
        else printf("  %s %.4f", text_of(s, hl_tokens(s)[i].id), p[i]);
    printf(json ? "]" : "\n");
}

/* What the model was fine-tuned for. */
static bool print_task(hl_session *s, hl_pass *pass, bool json) {
    int task = hl_model_sizes(s)->task;
    if (task == HL_TASK_NONE) return true;
    if (task == HL_TASK_ANSWER) return print_answers(s, pass, json);
    int size = hl_classify(pass, NULL, 0);
    float *p = malloc((size_t)size * sizeof *p);
    bool ok = p && hl_classify(pass, p, size);
    if (ok && task == HL_TASK_REPLACED) print_replaced(s, p, json);
    else if (ok) print_labels(s, p, json);
    free(p);
    return ok;
}

/* Bytes of the maps of all layers. */
static double bytes_of_maps(hl_session *s) {
    double tokens = hl_token_count(s);
    return 4 * tokens * tokens * hl_model_sizes(s)->layers * hl_model_sizes(s)->heads;
}

/* What was asked for of each text. */
typedef struct job {
    int precision;
    bool json;
    tensors *dump; /* NULL: none */
    maps of;
    cli_target target;
} job;

static int report(hl_session *s, void *asked) {
    const job *j = asked;
    tensors *dump = j->dump;
    bool json = j->json;
    maps of = j->of;
    char keep[32];
    bool large = of.layer < 0 && bytes_of_maps(s) > MOST && !dump;
    int size = snprintf(keep, sizeof keep, "%s", dump ? "*" : large ? "" : "attention");
    if (of.layer >= 0) size += snprintf(keep + size, sizeof keep - (size_t)size, ".%d", of.layer);
    if (of.head >= 0) snprintf(keep + size, sizeof keep - (size_t)size, ".%d", of.head);
    hl_pass *pass = hl_run(s, j->precision, keep, NULL);
    if (!pass) return cli_error(s);
    if (json) cli_open_object();
    print_tokens(s, json);
    if (!print_predictions(s, pass, json) || !print_next_sentence(s, pass, json) ||
        !print_task(s, pass, json) || (!large && !print_heads(s, pass, of, json)))
        return cli_error(s);
    hl_pass *decoded = NULL;
    if (cli_decodes(s, &j->target)) {
        decoded = cli_decode(s, &j->target, pass, dump ? "*" : "cross_attention");
        if (!decoded) return EXIT_ERROR;
        if (!cli_print_target(s, decoded, json)) return cli_error(s);
    }
    if (json) printf("}\n");
    if (large)
        fprintf(stderr,
            "note: the maps of all layers are %.0f MB and were not kept; --layer L, or --layer L "
            "--head H, keeps those of one\n",
            bytes_of_maps(s) / 1e6);
    int status = dump && !cli_dump(s, pass, decoded, dump) ? EXIT_ERROR : 0;
    hl_release(pass);
    return status;
}

int command_run(hl_session *s, int count, char **args) {
    bool bad = false;
    const char *ids = cli_option(&count, args, "--ids", &bad),
               *types = cli_option(&count, args, "--types", &bad);
    const char *dump = cli_option(&count, args, "--dump", &bad),
               *lines = cli_option(&count, args, "--lines", &bad);
    int precision = cli_precision(cli_option(&count, args, "--precision", &bad));
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    bool json = cli_flag(&count, args, "--json");
    const char *layer = cli_option(&count, args, "--layer", &bad),
               *head = cli_option(&count, args, "--head", &bad);
    cli_target target;
    bad = !cli_read_target(&target, &count, args) || bad;
    maps of = {layer ? cli_number("--layer", layer) : -1, head ? cli_number("--head", head) : -1};
    bad = bad || (layer && of.layer < 0) || (head && of.head < 0);
    if (head && !layer) {
        fprintf(stderr, "--head goes with --layer\n");
        bad = true;
    }
    if (types && !ids) {
        fprintf(stderr, "--types goes with --ids\n");
        bad = true;
    }
    if (lines && ids) {
        fprintf(stderr, "--lines goes without --ids, which is one text\n");
        bad = true;
    }
    bool given = ids || lines; /* no text is an argument */
    if (bad || store < 0 || precision < 0 || cli_wrong(&count, args, given ? 1 : 2, given ? 1 : 3))
        return EXIT_USAGE;
    tensors file;
    if (!(ids ? cli_load_for_ids : cli_load)(s, args[0], store) ||
        (dump && !tensors_begin(&file, s, dump, args[0], store, precision)))
        return EXIT_ERROR;
    job asked = {precision, json || lines, dump ? &file : NULL, of, target};
    int status = ids ? take_ids(s, ids, types) : 0;
    if (!status)
        status = ids
            ? report(s, &asked)
            : cli_each_text(s, lines, count - 1, args + 1,
                  &(cli_texts){.report = report, .job = &asked, .pairs = true, .decodes = true});
    return dump ? tensors_end(&file, status) : status;
}
