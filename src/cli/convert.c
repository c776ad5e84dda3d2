/* convert - `headlight convert`: reads a model in any type that is understood and writes it in one
 * of our stores, as a Hugging Face folder.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PIECE = 1 << 20 };

const char *const cli_tokenizer_files[] = {"vocab.txt", "tokenizer.json", "vocab.json",
    "merges.txt", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "generation_config.json", NULL};
const char *const cli_sentencepiece_files[] = {"sentencepiece.bpe.model", "spiece.model",
    "tokenizer.model", "spm.model", "source.spm", "target.spm", NULL};

/* What else goes along: other forms of a tokenizer, the parts of a sentence-transformers folder, how it is
 * to write, and what its author says of it. */
static const char pooling_dir[] = "1_Pooling";
static const char *const other_files[] = {"modules.json", "config_sentence_transformers.json",
    "1_Pooling/config.json", "README.md", "LICENSE", "LICENSE.txt", "LICENSE.md", "NOTICE", NULL};

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

static bool write_file(hl_session *s, const char *path) {
    FILE *f = fopen(path, "wb");
    if (!f) return cannot_write(path);
    unsigned char *piece = malloc(PIECE);
    bool ok = piece != NULL;
    for (int got; ok && (got = hl_save_bytes(s, piece, PIECE)) > 0;)
        ok = fwrite(piece, 1, (size_t)got, f) == (size_t)got;
    free(piece);
    return fclose(f) == 0 && ok ? true : cannot_write(path);
}

static void say_written(const char *path, int store, double bytes) {
    printf("%s: %s, %.1f MB\n", path, store == HL_Q8 ? "q8" : "f32", bytes / 1e6);
}

static bool write_single(hl_session *s, const char *dir, int store) {
    double bytes = hl_save_begin(s, 0, 0);
    if (bytes <= 0) return cli_error(s), false;
    if (!write_file(s, cli_path(dir, "model.safetensors"))) return false;
    /* of an earlier conversion into parts */
    remove(cli_path(dir, "model.safetensors.index.json"));
    say_written(cli_path(dir, "model.safetensors"), store, bytes);
    return true;
}

static bool write_parts(hl_session *s, const char *dir, int store, double limit) {
    int files = 0;
    double size;
    while ((size = hl_save_begin(s, files, limit)) > 0) files++;
    if (size < 0) return cli_error(s), false;
    for (int i = 0; i < files; i++) {
        char name[64];
        snprintf(name, sizeof name, "model-%05d-of-%05d.safetensors", i + 1, files);
        double bytes = hl_save_begin(s, i, limit);
        if (!write_file(s, cli_path(dir, name))) return false;
        say_written(cli_path(dir, name), store, bytes);
        if (bytes > limit + 1e6)
            fprintf(stderr, "note: %s is larger than asked, because one tensor is\n", name);
    }
    const char *index = hl_save_index(s);
    if (!index) return cli_error(s), false;
    /* of an earlier conversion: it would be read instead of the parts */
    remove(cli_path(dir, "model.safetensors"));
    return write_text(dir, "model.safetensors.index.json", index);
}

/* Files beside the weights go along unchanged; those that are not there are not needed. */
static bool copy_file(const char *from, const char *to, const char *name) {
    FILE *in = fopen(cli_path(from, name), "rb");
    if (!in) return true;
    if (strncmp(name, pooling_dir, strlen(pooling_dir)) == 0)
        mkdir(cli_path(to, pooling_dir), 0777);
    FILE *out = fopen(cli_path(to, name), "wb");
    char piece[8192];
    bool ok = out != NULL;
    for (size_t got; ok && (got = fread(piece, 1, sizeof piece, in)) > 0;)
        ok = fwrite(piece, 1, got, out) == got;
    fclose(in);
    if (out && fclose(out) != 0) ok = false;
    return ok ? true : cannot_write(cli_path(to, name));
}

/* Megabytes of --shard as bytes; 0 when it was not asked for, -1 and a message when it is no such
 * number. */
static double shard_bytes(const char *value) {
    if (!value) return 0;
    int megabytes = 0;
    for (const char *c = value; *c >= '0' && *c <= '9' && megabytes < 100000; c++)
        megabytes = 10 * megabytes + (*c - '0');
    if (megabytes > 0 && megabytes < 100000 && strspn(value, "0123456789") == strlen(value))
        return megabytes * 1e6;
    fprintf(stderr, "--shard is a number of megabytes, 1 to 99999, not %s\n", value);
    return -1;
}

int command_convert(hl_session *s, int count, char **args) {
    bool bad = false;
    int store = cli_store(cli_option(&count, args, "--store", &bad), HL_Q8);
    double limit = shard_bytes(cli_option(&count, args, "--shard", &bad));
    if (bad || store < 0 || limit < 0 || cli_wrong(&count, args, 2, 2)) return EXIT_USAGE;
    const char *in = args[0], *out = args[1];
    struct stat a, b;
    if (stat(in, &a) == 0 && stat(out, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev)
        return cli_fail("state",
            "IN and OUT are the same folder; give another one for the converted model");
    /* its files are copied, whether they can be read here or not */
    if (!cli_load_for_ids(s, in, store)) return EXIT_ERROR;
    if (mkdir(out, 0777) != 0 && errno != EEXIST) return cannot_write(out), EXIT_ERROR;
    const char *config = hl_save_config(s);
    if (!config) return cli_error(s);
    if (!write_text(out, "config.json", config)) return EXIT_ERROR;
    if (!(limit > 0 ? write_parts(s, out, store, limit) : write_single(s, out, store)))
        return EXIT_ERROR;
    for (int i = 0; cli_tokenizer_files[i]; i++)
        if (!copy_file(in, out, cli_tokenizer_files[i])) return EXIT_ERROR;
    for (int i = 0; cli_sentencepiece_files[i]; i++)
        if (!copy_file(in, out, cli_sentencepiece_files[i])) return EXIT_ERROR;
    for (int i = 0; other_files[i]; i++)
        if (!copy_file(in, out, other_files[i])) return EXIT_ERROR;
    for (int i = 0; cli_sentence_files[i]; i++)
        if (!copy_file(in, out, cli_sentence_files[i])) return EXIT_ERROR;
    return 0;
}
