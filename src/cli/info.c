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
        const char *text = hl_describe(s, HL_DESCRIBE_MODEL);
        return text ? printf("%s\n", text) < 0 : cli_error(s);
    }
    printf("family        %s\n", hl_name(s, HL_NAME_FAMILY, 0));
    printf("layers L      %d\nheads H       %d\nhidden D      %d\nhead width d  %d\ninner F       %d\n", hl_size(s, HL_SIZE_LAYERS),
           hl_size(s, HL_SIZE_HEADS), hl_size(s, HL_SIZE_HIDDEN), hl_size(s, HL_SIZE_HEAD_WIDTH), hl_size(s, HL_SIZE_INNER));
    printf("vocabulary V  %d\npositions     %d\ntoken types   %d\n", hl_size(s, HL_SIZE_VOCAB), hl_size(s, HL_SIZE_POSITIONS),
           hl_size(s, HL_SIZE_TYPES));
    printf("masked LM     %s\nnext sentence %s\n", hl_size(s, HL_SIZE_HAS_MLM) ? "yes" : "no",
           hl_size(s, HL_SIZE_HAS_NEXT_SENTENCE) ? "yes" : "no");
    printf("bytes         %.0f as model.safetensors in store %s\n", hl_save_begin(s, 0, 0), store == HL_Q8 ? "q8" : "f32");
    printf("kept tensors ");
    for (int i = 0; hl_name(s, HL_NAME_TENSOR, i); i++) printf(" %s", hl_name(s, HL_NAME_TENSOR, i));
    printf("\n");
    return 0;
}
