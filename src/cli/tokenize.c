/* tokenize - `headlight tokenize`: a line of text in, a line of ids out, nothing truncated. A
 * folder with only a vocabulary is enough.
 */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void print_ids(hl_session *s, bool offsets) {
    const hl_token *t = hl_tokens(s);
    int count = hl_token_count(s);
    for (int i = 0; i < count; i++) {
        printf("%s%d", i ? " " : "", t[i].id);
        if (offsets) printf(":%d-%d", t[i].from, t[i].to);
    }
    printf("\n");
}

int command_tokenize(hl_session *s, int count, char **args) {
    bool pair = cli_flag(&count, args, "--pair"), offsets = cli_flag(&count, args, "--offsets");
    if (cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    if (!cli_load_texts(s, args[0], true)) return EXIT_ERROR;
    cli_notes(s, 0);
    char *line = NULL;
    size_t room = 0, size;
    int status = 0;
    for (cli_line_number = 1; !status && cli_line(&line, &room, &size); cli_line_number++) {
        char *tab = pair ? memchr(line, '\t', size) : NULL;
        size_t size_a = tab ? (size_t)(tab - line) : size;
        if (pair && !tab)
            status = cli_fail("text",
                "there is no tab; with --pair each line is two texts separated by one");
        else if (!cli_tokenize(s, line, (int)size_a, tab ? tab + 1 : NULL,
                     tab ? (int)(size - size_a - 1) : -1, INT_MAX))
            status = cli_error(s);
        else print_ids(s, offsets);
    }
    free(line);
    return status;
}
