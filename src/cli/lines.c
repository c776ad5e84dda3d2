/* lines - the texts of a command: its arguments, or with --lines FILE one a line (- is standard input), of which
 * two have a tab between them. Answers and errors then say the number of their line, from 1.
 */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>

int cli_line_number = 0;

void cli_open_object(void) {
    printf("{");
    if (cli_line_number) printf("\"line\":%d,", cli_line_number);
}

/* The text, or the two, of a line. */
static int one_line(hl_session *s, char *line, size_t size, const cli_texts *of) {
    if (size && line[size - 1] == '\r') size--;
    char *tab = of->pairs ? memchr(line, '\t', size) : NULL;
    size_t first = tab ? (size_t)(tab - line) : size;
    if (hl_tokenize(s, line, (int)first, tab ? tab + 1 : NULL, tab ? (int)(size - first - 1) : -1,
            0) < 0)
        return cli_error(s);
    return of->report(s, of->job);
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
    const char *b = count > 1 ? texts[1] : "";
    if (hl_tokenize(s, texts[0], (int)strlen(texts[0]), b, count > 1 ? (int)strlen(b) : -1, 0) < 0)
        return cli_error(s);
    return of->report(s, of->job);
}
