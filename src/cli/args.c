/* args - options and messages of the command line.
 */
#include "cli/cli.h"

#include "base/csv.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where it happened, behind the category. */
static void print_line_number(void) {
    if (cli_line_number) fprintf(stderr, "line %d: ", cli_line_number);
}

int cli_error(const hl_session *s) {
    const char *error = hl_error(s), *sentence = strstr(error, ": ");
    if (sentence) sentence += 2;
    else sentence = error;
    fprintf(stderr, "%.*s", (int)(sentence - error), error);
    print_line_number();
    fprintf(stderr, "%s\n", sentence);
    return EXIT_ERROR;
}

int cli_fail(const char *category, const char *format, ...) {
    va_list args;
    fprintf(stderr, "%s: ", category);
    print_line_number();
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    return EXIT_ERROR;
}

static void take_out(int *count, char **args, int from, int number) {
    for (int i = from; i + number < *count; i++) args[i] = args[i + number];
    *count -= number;
}

/* Options end where a lone -- stands. */
static bool ends_options(const char *arg) { return strcmp(arg, "--") == 0; }

const char *cli_option(int *count, char **args, const char *name, bool *bad) {
    for (int i = 0; i < *count && !ends_options(args[i]); i++) {
        if (strcmp(args[i], name) != 0) continue;
        if (i + 1 == *count) {
            fprintf(stderr, "%s needs a value\n", name);
            *bad = true;
            return NULL;
        }
        const char *value = args[i + 1];
        take_out(count, args, i, 2);
        return value;
    }
    return NULL;
}

bool cli_flag(int *count, char **args, const char *name) {
    for (int i = 0; i < *count && !ends_options(args[i]); i++)
        if (strcmp(args[i], name) == 0) {
            take_out(count, args, i, 1);
            return true;
        }
    return false;
}

int cli_number(const char *name, const char *given) {
    char *end;
    long value = strtol(given, &end, 10);
    if (!*end && *given && value >= 0 && value < 1 << 20) return (int)value;
    fprintf(stderr, "%s must be a whole number, not %s\n", name, given);
    return -1;
}

bool cli_wrong(int *count, char **args, int least, int most) {
    for (int i = 0; i < *count; i++) {
        if (ends_options(args[i])) {
            take_out(count, args, i, 1);
            break;
        }
        if (args[i][0] != '-' || args[i][1] != '-') continue;
        fprintf(stderr, "unknown option %s (text that begins with -- goes after a lone --)\n",
            args[i]);
        return true;
    }
    return *count < least || *count > most;
}

int cli_store(const char *name, int fallback) {
    if (!name) return fallback;
    if (strcmp(name, "f32") == 0) return HL_F32;
    if (strcmp(name, "q8") == 0) return HL_Q8;
    fprintf(stderr, "--store is f32 or q8, not %s\n", name);
    return -1;
}

int cli_precision(const char *name) {
    if (!name) return HL_USUAL;
    if (strcmp(name, "fast") == 0) return HL_FAST;
    if (strcmp(name, "fine") == 0) return HL_FINE;
    fprintf(stderr, "--precision is fast or fine, not %s\n", name);
    return -1;
}

int cli_only_fine(void) {
    return cli_fail("state",
        "the precision is fast; this is computed in fine, since a change may be smaller than what fast rounds");
}

bool cli_shard(const char *given, int *shard, int *shards) {
    char end;
    *shard = 0, *shards = 1;
    if (!given ||
        (sscanf(given, "%d/%d%c", shard, shards, &end) == 2 && *shard >= 1 && *shard <= *shards)) {
        if (given) --*shard;
        return true;
    }
    fprintf(stderr, "--shard is I/N with I from 1 to N, for example 2/8, not %s\n", given);
    return false;
}

void cli_write_string(FILE *to, const char *text) {
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') fprintf(to, "\\%c", *c);
        else if (*c < 0x20 || *c == 0x7F) fprintf(to, "\\u%04x", *c);
        else fputc(*c, to);
    }
    fputc('"', to);
}

void cli_print_string(const char *text) { cli_write_string(stdout, text); }

static void print_part(void *to, const char *text, size_t size) { fwrite(text, 1, size, to); }

void cli_print_cell(const char *text) { csv_cell(text, strlen(text), print_part, stdout); }

void cli_print_dropped(hl_session *s, FILE *out) {
    for (int i = 0; i < 2; i++)
        if (hl_dropped(s, i))
            fprintf(out, "cut off: the last %d tokens of text %c\n", hl_dropped(s, i), "AB"[i]);
}

void cli_print_token(hl_session *s, int id, bool csv) {
    const char *text = hl_token_shown(s, id);
    (csv ? cli_print_cell : cli_print_string)(text ? text : "?");
}

char *cli_line(char **line, size_t *room, size_t *size) {
    *size = 0;
    for (int c; (c = getchar()) != EOF;) {
        if (*size + 1 >= *room) {
            *room = *room ? 2 * *room : 4096;
            char *larger = realloc(*line, *room);
            if (!larger) return NULL;
            *line = larger;
        }
        if (c == '\n') return *line;
        (*line)[(*size)++] = (char)c;
    }
    return *size ? *line : NULL;
}
