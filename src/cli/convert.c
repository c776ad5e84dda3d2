/* convert - `headlight convert`: reads a model in any type that is understood and writes it in one of our stores, as a
 * Hugging Face folder.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PIECE = 1 << 20 };

static bool cannot_write(const char *path) {
    cli_fail("state", "%s cannot be written (%s)", path, strerror(errno));
    return false;
}

static bool write_text(const char *dir, const char *name, const char *text) {
    const char *path = cli_path(dir, name);
    FILE *f = fopen(path, "wb");
    if (!f) return cannot_write(path);
    bool ok = fputs(text, f) >= 0;
    return fclose(f) == 0 && ok ? true : cannot_write(path);
}

static bool write_weights(hl_session *s, const char *dir) {
    const char *path = cli_path(dir, "model.safetensors");
    FILE *f = hl_save_begin(s) > 0 ? fopen(path, "wb") : NULL;
    if (!f) return hl_error(s)[0] ? (cli_error(s), false) : cannot_write(path);
    unsigned char *piece = malloc(PIECE);
    bool ok = piece != NULL;
    for (int got; ok && (got = hl_save_bytes(s, piece, PIECE)) > 0;) ok = fwrite(piece, 1, (size_t)got, f) == (size_t)got;
    free(piece);
    return fclose(f) == 0 && ok ? true : cannot_write(path);
}

/* Tokenizer files go along unchanged; those that are not there are not needed. */
static bool copy_file(const char *from, const char *to, const char *name) {
    FILE *in = fopen(cli_path(from, name), "rb");
    if (!in) return true;
    FILE *out = fopen(cli_path(to, name), "wb");
    char piece[8192];
    bool ok = out != NULL;
    for (size_t got; ok && (got = fread(piece, 1, sizeof piece, in)) > 0;) ok = fwrite(piece, 1, got, out) == got;
    fclose(in);
    if (out && fclose(out) != 0) ok = false;
    return ok ? true : cannot_write(cli_path(to, name));
}

int command_convert(hl_session *s, int count, char **args) {
    static const char *const along[] = {"vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"};
    bool bad = false;
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    if (bad || store < 0 || cli_wrong(count, args, 2, 2)) return EXIT_USAGE;
    const char *in = args[0], *out = args[1];
    struct stat a, b;
    if (stat(in, &a) == 0 && stat(out, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev)
        return cli_fail("state", "IN and OUT are the same folder; give another one for the converted model");
    if (!cli_load(s, in, store)) return EXIT_ERROR;
    if (mkdir(out, 0777) != 0 && errno != EEXIST) return cannot_write(out), EXIT_ERROR;
    const char *config = hl_describe(s, HL_DESCRIBE_CONFIG);
    if (!config) return cli_error(s);
    if (!write_text(out, "config.json", config) || !write_weights(s, out)) return EXIT_ERROR;
    for (size_t i = 0; i < sizeof along / sizeof *along; i++)
        if (!copy_file(in, out, along[i])) return EXIT_ERROR;
    printf("%s: %s, %.1f MB\n", cli_path(out, "model.safetensors"), store == HL_Q8 ? "q8" : "f32", hl_save_begin(s) / 1e6);
    return 0;
}
