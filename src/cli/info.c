/* info - `headlight info`: what a model is, in words and as hl_describe's JSON.
 */
#include "cli/cli.h"

#include <string.h>

int command_info(hl_session *s, int count, char **args) {
    bool bad = false, json = cli_flag(&count, args, "--json");
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    if (!cli_load(s, args[0], store)) return EXIT_ERROR;
    if (json) {
        const char *text = hl_describe(s);
        return text ? printf("%s\n", text) < 0 : cli_error(s);
    }
    const hl_sizes *n = hl_model_sizes(s);
    printf(
        "layers L      %d\nheads H       %d\nhidden D      %d\nhead width d  %d\ninner F       %d\n",
        n->layers, n->heads, n->hidden, n->head_width, n->inner);
    printf("vocabulary V  %d\npositions     %d\ntoken types   %d\n", n->vocab, n->positions,
        n->types);
    printf("masked LM     %s\nnext sentence %s\n", n->masked ? "yes" : "no",
        n->next_sentence ? "yes" : "no");
    static const char *const tasks[] = {[HL_TASK_NONE] = "",
        [HL_TASK_LABELS] = "labels of a text",
        [HL_TASK_TOKEN_LABELS] = "labels of tokens",
        [HL_TASK_ANSWER] = "answers",
        [HL_TASK_REPLACED] = "replaced tokens"};
    if (n->task) printf("predicts      %s\n", tasks[n->task]);
    for (int i = 0; hl_label(s, i); i++) printf("label %-7d %s\n", i, hl_label(s, i));
    printf("precision     %s\n", n->precision == HL_FAST ? "fast" : "fine");
    printf("bytes         %.0f as model.safetensors in store %s\n", hl_save_begin(s, 0, 0),
        store == HL_Q8 ? "q8" : "f32");
    return 0;
}
