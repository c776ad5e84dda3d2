/* lines - the texts of a command: its arguments, or with --lines FILE one a line (- is standard input), of which
 * two have a tab between them. Answers and errors then say the number of their line, from 1.
 */
#include "cli/cli.h"

#include "base/bytes.h"
#include "headlight_two.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>

int cli_line_number = 0;

void cli_open_object(void) {
    printf("{");
    if (cli_line_number) printf("\"line\":%d,", cli_line_number);
}

/* Once a run: a file of another encoding has such bytes in many lines. */
static void note_encoding(const char *text, int size) {
    static bool said = false;
    char line[32] = "";
    if (cli_line_number) snprintf(line, sizeof line, "line %d: ", cli_line_number);
    for (int i = 0, length; !said && i < size; i += length) {
        length = (int)utf8_length(text + i, (size_t)(size - i));
        said = !length;
        if (said)
            fprintf(stderr,
                "note: %sthe byte 0x%02X at %d is not valid UTF-8 there, and is read as U+FFFD; give the "
                "text in UTF-8 (iconv -t UTF-8)\n",
                line, (unsigned char)text[i], i);
    }
}

bool cli_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit) {
    note_encoding(a, size_a);
    note_encoding(b, size_b);
    if (!hl_is_two(s)) return hl_tokenize(s, a, size_a, b, size_b, limit) >= 0;
    return hl_tokenize(s, a, size_a, NULL, -1, limit) >= 0 &&
        (size_b < 0 ? hl_use_target(s, NULL, 0) : hl_target(s, b, size_b)) >= 0;
}

/* Whether a second text is a target that is read. */
static bool takes_second(hl_session *s, bool second, const cli_texts *of) {
    if (!second || of->decodes || !hl_is_two(s)) return true;
    return cli_fail("state",
               "the second text is a target for the decoder of this model, which run and measure take so far; "
               "give one text"),
           false;
}

static int one_text(hl_session *s, const cli_text *t, const cli_texts *of) {
    if (of->ask) {
        note_encoding(t->a, t->size_a);
        note_encoding(t->b, t->size_b);
        return of->ask(s, of->job, t);
    }
    if (!takes_second(s, t->size_b >= 0, of)) return EXIT_ERROR;
    if (!cli_tokenize(s, t->a, t->size_a, t->b, t->size_b, 0)) return cli_error(s);
    return of->report(s, of->job);
}

/* The text, or the two, of a line. */
static int one_line(hl_session *s, char *line, size_t size, const cli_texts *of) {
    if (size && line[size - 1] == '\r') size--;
    char *tab = of->pairs ? memchr(line, '\t', size) : NULL;
    size_t first = tab ? (size_t)(tab - line) : size;
    cli_text text = {line, tab ? tab + 1 : NULL, (int)first, tab ? (int)(size - first - 1) : -1};
    return one_text(s, &text, of);
}

static int each_line(hl_session *s, const char *path, const cli_texts *of) {
    static const char expected[] = "expected a file with a text a line, or - for standard input";
    if (strcmp(path, "-") != 0 && !freopen(path, "rb", stdin))
        return cli_fail("text", "%s cannot be opened (%s); %s", path, strerror(errno), expected);
    char *line = NULL;
    size_t room = 0, size;
    int status = 0;
    for (cli_line_number = 1; !status && cli_line(&line, &room, &size); cli_line_number++)
        status = one_line(s, line, size, of);
    bool none = cli_line_number == 1;
    free(line);
    cli_line_number = 0;
    if (status) return status;
    if (ferror(stdin)) return cli_fail("text", "%s cannot be read; %s", path, expected);
    if (!feof(stdin)) return cli_fail("memory", "a line of %s is larger than memory", path);
    return none ? cli_fail("text", "%s is empty; %s", path, expected) : 0;
}

int cli_each_text(hl_session *s, const char *lines, int count, char **texts, const cli_texts *of) {
    if (lines) return each_line(s, lines, of);
    const char *b = count > 1 ? texts[1] : NULL;
    cli_text text = {texts[0], b, (int)strlen(texts[0]), b ? (int)strlen(b) : -1};
    return one_text(s, &text, of);
}
