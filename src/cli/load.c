/* load - reads a Hugging Face folder from disk into a session: small files whole, weights in chunks
 * of 1 MB.
 */
#define _DEFAULT_SOURCE
#include "cli/cli.h"
#include "cli/look.h"

#include "headlight_two.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20, SMALL_FILE = 1 << 28 };

const char *cli_path(const char *dir, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

const char *cli_base(const char *path) {
    static char full[PATH_MAX];
    const char *whole = realpath(path, full) ? full : path, *slash = strrchr(whole, '/');
    return slash && slash[1] ? slash + 1 : whole;
}

/* A folder can be opened, but not read. */
static bool is_folder(FILE *f) {
    int first = fgetc(f);
    bool folder = first == EOF && ferror(f);
    rewind(f);
    return folder;
}

/* All of standard input. */
static char *read_input(size_t *size) {
    char *text = NULL;
    *size = 0;
    for (size_t room = PIECE, got = 1; got && *size < SMALL_FILE; room *= 2) {
        char *larger = realloc(text, room + 1);
        if (!larger) return free(text), NULL;
        text = larger;
        while (*size < room && (got = fread(text + *size, 1, room - *size, stdin)) > 0)
            *size += got;
    }
    return text;
}

/* Size of an open file, -1 when it has none (a folder, a pipe). */
static long file_size(FILE *f) {
    if (is_folder(f) || fseek(f, 0, SEEK_END) != 0) return -1;
    long size = ftell(f);
    rewind(f);
    return size;
}

static bool exists(const char *dir, const char *name) {
    FILE *f = fopen(cli_path(dir, name), "rb");
    if (f) fclose(f);
    return f != NULL;
}

char *cli_read(const char *path, const char *category, const char *expected, int *size) {
    if (strcmp(path, "-") == 0) {
        size_t bytes;
        char *text = read_input(&bytes);
        if (text && !ferror(stdin) && bytes && bytes < SMALL_FILE)
            return text[bytes] = 0, *size = (int)bytes, text;
        cli_fail(category, "standard input %s; expected %s",
            bytes >= SMALL_FILE  ? "has more than 256 MB"
                : text && !bytes ? "is empty"
                                 : "cannot be read",
            expected);
        return free(text), NULL;
    }
    FILE *f = fopen(path, "rb");
    if (!f) {
        cli_fail(category, "%s cannot be opened (%s); expected %s", path, strerror(errno),
            expected);
        return NULL;
    }
    long bytes = file_size(f);
    char *text = bytes >= 0 && bytes < SMALL_FILE ? malloc((size_t)bytes + 1) : NULL;
    if (text && fread(text, 1, (size_t)bytes, f) == (size_t)bytes) {
        *size = (int)bytes;
        text[bytes] = 0;
    } else {
        cli_fail(category, "%s cannot be read (%s); expected %s", path,
            bytes < 0                ? "it is a folder, or not a file"
                : bytes < SMALL_FILE ? "it cannot be read to the end"
                                     : "it has more than 256 MB",
            expected);
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

bool cli_load_text(hl_session *s, const char *path, int (*call)(hl_session *, const char *, int)) {
    int size;
    char *text = cli_read(path, "text", "a readable file", &size);
    if (!text) return false;
    bool ok = call(s, text, size);
    free(text);
    const char *error = hl_error(s), *sentence = strstr(error, ": ");
    if (!ok && sentence)
        fprintf(stderr, "%.*s: %s: %s\n", (int)(sentence - error), error, path, sentence + 2);
    return ok;
}

typedef int load_text_call(hl_session *s, const char *text, int size);

static bool load_text(hl_session *s, const char *dir, const char *name, const char *category,
    load_text_call *call) {
    int size = 0;
    char *text = cli_read(cli_path(dir, name), category,
        "a Hugging Face folder with config.json, tokenizer.json or vocab.txt (or vocab.json with "
        "merges.txt), and model.safetensors",
        &size);
    if (!text) return false;
    bool ok = call(s, text, size);
    free(text);
    if (!ok) cli_error(s);
    return ok;
}

static bool load_optional(hl_session *s, const char *dir, const char *name, const char *category,
    load_text_call *call) {
    return !exists(dir, name) || load_text(s, dir, name, category, call);
}

/* ---- what a folder holds that is no model here ---- */

/* Is that the weights of another program, not what training leaves beside them? */
static bool is_foreign(const char *name) {
    static const char *const endings[] = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack",
        ".onnx", ".gguf", ".ggml", ".tflite"},
                             *const training[] = {"training_args", "optimizer", "scheduler",
                                 "scaler", "rng_state"};
    size_t size = strlen(name);
    for (size_t i = 0; i < sizeof training / sizeof *training; i++)
        if (strncmp(name, training[i], strlen(training[i])) == 0) return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (size > end && strcmp(name + size - end, endings[i]) == 0) return true;
    }
    return false;
}

static bool has_config(const char *dir, const char *name) {
    char path[320];
    snprintf(path, sizeof path, "%.255s/config.json", name);
    return name[0] != '.' && exists(dir, path);
}

/* The first name in a folder, by the alphabet, that is taken; false: none is. */
static bool find_name(const char *dir, bool foreign, char *out, size_t room) {
    DIR *d = opendir(dir);
    *out = 0;
    for (const struct dirent *one; d && (one = readdir(d));) {
        bool taken = foreign ? is_foreign(one->d_name) : has_config(dir, one->d_name);
        if (taken && (!*out || strcmp(one->d_name, out) < 0))
            snprintf(out, room, "%s", one->d_name);
    }
    if (d) closedir(d);
    return *out;
}

/* A member of a small JSON file that is a string, else ""; the caller's to free. */
static char *string_in(const char *dir, const char *name, const char *member) {
    int size = 0;
    char *text = exists(dir, name) ? cli_read(cli_path(dir, name), "config", "JSON", &size) : NULL;
    const char *object = text ? look_after_blank(text) : NULL;
    if (object && *object == '[') object = look_entry(object, NULL); /* of a list its first */
    char *found = object && *object == '{' ? look_string(look_member(object, member)) : NULL;
    free(text);
    return found ? found : calloc(1, 1);
}

bool cli_is_adapter(const char *dir) {
    static const char adapter[] = "adapter_config.json";
    if (!exists(dir, adapter)) return false;
    char *type = string_in(dir, adapter, "peft_type"),
         *base = string_in(dir, adapter, "base_model_name_or_path");
    if (type && base)
        cli_fail("config",
            "%s: this is a %s adapter of %s, no model by itself; merge the two in Python: "
            "PeftModel.from_pretrained(base, DIR).merge_and_unload().save_pretrained(OUT)",
            cli_path(dir, adapter), *type ? type : "PEFT", *base ? base : "its base");
    free(type), free(base);
    return true;
}

/* The same of weights of other programs; `name` is what is missing. */
static bool is_of_others(const char *dir, const char *category, const char *name) {
    char other[300], below[4200];
    snprintf(below, sizeof below, "%s/onnx", dir);
    const char *folder = "";
    if (!find_name(dir, true, other, sizeof other)) {
        if (!find_name(below, true, other, sizeof other)) return false;
        folder = "onnx/";
    }
    cli_fail(category,
        "%s has %s%s but no %s; only safetensors is read, because the other formats can run code or need "
        "their framework (in Python: model.save_pretrained(DIR, safe_serialization=True))",
        dir, folder, other, name);
    return true;
}

/* The same where the model lies in a folder below. */
static bool is_below(const char *dir) {
    char name[300], snapshots[4200], *path = string_in(dir, "modules.json", "path");
    bool found = path && *path;
    if (found)
        cli_fail("config", "%s has no config.json; the model lies in %s/%s, as modules.json says",
            dir, dir, path);
    free(path);
    if (found) return true;
    snprintf(snapshots, sizeof snapshots, "%s/snapshots", dir);
    const char *folder = "";
    if (!find_name(dir, false, name, sizeof name)) {
        if (!find_name(snapshots, false, name, sizeof name)) return false;
        folder = "snapshots/";
    }
    cli_fail("config", "%s has no config.json, but its folder %s%s has one; give that folder", dir,
        folder, name);
    return true;
}

static bool load_config(hl_session *s, const char *dir) {
    if (!exists(dir, "config.json") &&
        (cli_is_adapter(dir) || is_of_others(dir, "config", "config.json") || is_below(dir)))
        return false;
    return load_text(s, dir, "config.json", "config", hl_load_config) &&
        load_optional(s, dir, "generation_config.json", "config", hl_load_generation);
}

/* SentencePiece's own file; NULL: there is none. */
static const char *find_pieces(const char *dir) {
    for (int i = 0; cli_sentencepiece_files[i]; i++)
        if (exists(dir, cli_sentencepiece_files[i])) return cli_sentencepiece_files[i];
    return NULL;
}

static bool load_tokenizer(hl_session *s, const char *dir) {
    if (!load_optional(s, dir, "tokenizer_config.json", "vocab", hl_load_tokenizer_config))
        return false;
    bool pair = exists(dir, "vocab.json") &&
        (exists(dir, "source.spm") ||
            exists(dir, "target.spm")); /* both are needed; they go before */
    if (exists(dir, "tokenizer.json") && !pair)
        return load_text(s, dir, "tokenizer.json", "vocab", hl_load_tokenizer);
    if (!load_optional(s, dir, "special_tokens_map.json", "vocab", hl_load_special_map) ||
        !load_optional(s, dir, "added_tokens.json", "vocab", hl_load_added))
        return false;
    if (pair)
        return load_text(s, dir, "source.spm", "vocab", hl_load_source_pieces) &&
            load_text(s, dir, "target.spm", "vocab", hl_load_target_pieces) &&
            load_text(s, dir, "vocab.json", "vocab", hl_load_vocab);
    if (!exists(dir, "vocab.txt") && exists(dir, "vocab.json"))
        return load_text(s, dir, "merges.txt", "vocab", hl_load_merges) &&
            load_text(s, dir, "vocab.json", "vocab", hl_load_vocab);
    const char *pieces = exists(dir, "vocab.txt") ? NULL : find_pieces(dir);
    if (pieces) return load_text(s, dir, pieces, "vocab", hl_load_pieces);
    return load_text(s, dir, "vocab.txt", "vocab", hl_load_vocab);
}

bool cli_load_texts(hl_session *s, const char *dir, bool config_optional) {
    return ((config_optional && !exists(dir, "config.json")) || load_config(s, dir)) &&
        load_tokenizer(s, dir);
}

int cli_notes(hl_session *s, int from) {
    int i = 0;
    for (; hl_warning(s, i); i++)
        if (i >= from) fprintf(stderr, "note: %s\n", hl_warning(s, i));
    return i;
}

static bool no_weights(const char *dir, const char *name) {
    if (!cli_is_adapter(dir) && !is_of_others(dir, "weights", name))
        cli_fail("weights", "%s cannot be opened (%s)", cli_path(dir, name), strerror(ENOENT));
    return false;
}

static bool load_file(hl_session *s, const char *dir, int file) {
    const char *name = hl_file(s, file);
    FILE *f = fopen(cli_path(dir, name), "rb");
    if (!f) return no_weights(dir, name);
    unsigned char *piece = malloc(PIECE);
    bool ok = piece && hl_load_file(s, file, (double)file_size(f));
    for (size_t got; ok && (got = fread(piece, 1, PIECE, f)) > 0;)
        ok = hl_load_bytes(s, piece, (int)got);
    free(piece);
    fclose(f);
    if (!ok) cli_error(s);
    return ok;
}

/* As sentence-transformers looks for it. */
const char *const cli_sentence_files[] = {"sentence_bert_config.json",
    "sentence_roberta_config.json", "sentence_distilbert_config.json",
    "sentence_camembert_config.json", "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json", "sentence_xlnet_config.json", NULL};

/* What a sentence-transformers folder has besides. */
static bool load_sentence(hl_session *s, const char *dir) {
    static const char modules[] = "modules.json", pooling[] = "1_Pooling/config.json",
                      prompts[] = "config_sentence_transformers.json";
    const char *sentence = NULL;
    for (int i = 0; cli_sentence_files[i] && !sentence; i++)
        if (exists(dir, cli_sentence_files[i])) sentence = cli_sentence_files[i];
    return load_optional(s, dir, modules, "config", hl_load_modules) &&
        load_optional(s, dir, pooling, "config", hl_load_pooling) &&
        (!sentence || load_text(s, dir, sentence, "config", hl_load_sentence)) &&
        (!exists(dir, modules) || load_optional(s, dir, prompts, "config", hl_load_prompts));
}

static bool load_weights(hl_session *s, const char *dir, int store) {
    int files = 1;
    if (!load_sentence(s, dir)) return false;
    if (exists(dir, "model.safetensors.index.json") && !exists(dir, "model.safetensors")) {
        if (!load_text(s, dir, "model.safetensors.index.json", "weights", hl_load_shards))
            return false;
        while (hl_file(s, files)) files++;
    }
    if (!hl_load_begin(s, store)) return cli_error(s), false;
    for (int i = 0; i < files; i++)
        if (!load_file(s, dir, i)) return false;
    if (!hl_load_end(s)) return cli_error(s), false;
    cli_notes(s, 0);
    return true;
}

bool cli_load(hl_session *s, const char *dir, int store) {
    return cli_load_texts(s, dir, false) && load_weights(s, dir, store);
}

bool cli_load_for_ids(hl_session *s, const char *dir, int store) {
    if (!load_config(s, dir)) return false;
    if ((exists(dir, "tokenizer.json") || exists(dir, "vocab.txt") || exists(dir, "vocab.json") ||
            find_pieces(dir)) &&
        !load_tokenizer(s, dir))
        fprintf(stderr, "note: the tokenizer is left out, since ids need none\n");
    return load_weights(s, dir, store);
}
