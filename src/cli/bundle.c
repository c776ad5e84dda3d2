/* bundle - `headlight bundle`: writes a copy of headlight.html (build/offline.mjs) with another
 * model inside, as int8. The part between the two marks is the model: its name and file names as
 * JSON, then each file as base64 in elements that no browser runs. Nothing of the model appears
 * unencoded, so no name and no vocabulary can close an element or start a script.
 */
#define _XOPEN_SOURCE 700

#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* bytes of a file in one element, divisible by 3; bytes of a model */
enum { PIECE = 3 << 20, LARGEST = 100000000 };

typedef struct text {
    char *at;
    size_t size;
} text;

typedef struct page {
    FILE *out;
    const char *path;
    bool failed;          /* a write has failed */
    unsigned char *piece; /* PIECE bytes */
} page;

static void put(page *p, const char *at, size_t size) {
    if (fwrite(at, 1, size, p->out) != size) p->failed = true;
}
static void put_text(page *p, const char *text) { put(p, text, strlen(text)); }

/* A JSON string in which nothing is left that HTML knows. */
static void put_string(page *p, const char *text) {
    char escape[8];
    put_text(p, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool plain = *c >= 0x20 && *c != 0x7F && !strchr("\"\\<>&'", *c);
        if (!plain) snprintf(escape, sizeof escape, "\\u%04x", *c);
        put(p, plain ? (const char *)c : escape, plain ? 1 : 6);
    }
    put_text(p, "\"");
}

static void put_base64(page *p, const unsigned char *bytes, size_t size) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned bits = bytes[i] << 16 | (left > 1 ? bytes[i + 1] : 0) << 8 |
            (left > 2 ? bytes[i + 2] : 0);
        char four[4] = {letters[bits >> 18], letters[bits >> 12 & 63],
            left > 1 ? letters[bits >> 6 & 63] : '=', left > 2 ? letters[bits & 63] : '='};
        put(p, four, sizeof four);
    }
}

static void put_element(page *p, const char *name, const unsigned char *bytes, size_t size) {
    put_text(p, "<script type=\"text/plain\" data-file=\"model/");
    put_text(p, name);
    put_text(p, "\">");
    put_base64(p, bytes, size);
    put_text(p, "</script>\n");
}

static bool put_file(page *p, const char *dir, const char *name) {
    FILE *f = fopen(cli_path(dir, name), "rb");
    if (!f)
        return cli_fail("state", "%s cannot be opened (%s)", cli_path(dir, name), strerror(errno)),
               false;
    for (size_t got; (got = fread(p->piece, 1, PIECE, f)) > 0;) put_element(p, name, p->piece, got);
    bool ok = !ferror(f);
    fclose(f);
    return ok ? true : (cli_fail("state", "%s cannot be read", cli_path(dir, name)), false);
}

static void put_comment(page *p, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '-' && (!i || text[i - 1] == '-')) put_text(p, " ");
        put(p, text + i, 1);
    }
}

/* Size of DIR/name in bytes; negative when there is no such file. */
static double size_of(const char *dir, const char *name) {
    FILE *f = fopen(cli_path(dir, name), "rb");
    if (!f) return -1;
    double size = fseek(f, 0, SEEK_END) == 0 ? (double)ftell(f) : -1;
    fclose(f);
    return size;
}

/* The i-th file of a folder's tokenizer that is there; NULL: there are no more. Beside tokenizer.json no SentencePiece file
 * is read but those of a Marian. */
static const char *tokenizer_file(const char *dir, int i) {
    const char *const *lists[] = {cli_tokenizer_files, cli_sentencepiece_files};
    bool whole = size_of(dir, "tokenizer.json") >= 0;
    for (int list = 0; list < 2; list++)
        for (const char *const *name = lists[list]; *name; name++) {
            bool read = list == 0 || !whole || strstr(*name, ".spm");
            if (read && size_of(dir, *name) >= 0 && i-- == 0) return *name;
        }
    return NULL;
}

static bool fits(hl_session *s, const char *dir) {
    double bytes = hl_save_begin(s, 0, 0);
    const char *file;
    for (int i = 0; (file = tokenizer_file(dir, i)); i++) bytes += size_of(dir, file);
    if (bytes <= LARGEST) return true;
    cli_fail("weights",
        "%s takes %.1f MB as int8, but a page holds at most %d MB; put the model on a server "
        "beside the site instead (headlight convert --shard 95)",
        dir, bytes / 1e6, LARGEST / 1000000);
    return false;
}

/* The licence of a model, if it has one of its own, as a comment, which may have no two hyphens in a row. */
static void put_licence(page *p, const char *dir, const char *name) {
    FILE *f = fopen(cli_path(dir, "LICENSE"), "rb");
    if (!f) return;
    put_text(p, "\n<!--\nThe model ");
    put_comment(p, name, strlen(name));
    put_text(p, " is under this licence:\n\n");
    for (size_t got; (got = fread(p->piece, 1, PIECE, f)) > 0;)
        put_comment(p, (const char *)p->piece, got);
    put_text(p, "\n-->");
    fclose(f);
}

static bool put_model(hl_session *s, page *p, const char *dir, const char *name) {
    const char *config = hl_save_config(s);
    if (!config || hl_save_begin(s, 0, 0) <= 0) return cli_error(s), false;
    put_licence(p, dir, name);
    put_text(p, "\n<script type=\"application/json\" data-file=\"model.json\">{\"name\":");
    put_string(p, name);
    put_text(p, ",\"files\":[\"config.json\",\"model.safetensors\"");
    const char *file;
    for (int i = 0; (file = tokenizer_file(dir, i)); i++) put_text(p, ","), put_string(p, file);
    put_text(p, "]}</script>\n");
    put_element(p, "config.json", (const unsigned char *)config, strlen(config));
    for (int i = 0; (file = tokenizer_file(dir, i)); i++)
        if (!put_file(p, dir, file)) return false;
    for (int got; (got = hl_save_bytes(s, p->piece, PIECE)) > 0;)
        put_element(p, "model.safetensors", p->piece, (size_t)got);
    return true;
}

/* headlight.html beside this program, or one folder up, where make leaves both. */
static const char *default_page(void) {
    static char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 32);
    if (size < 0 && !realpath(cli_program, path)) return "headlight.html";
    if (size >= 0) path[size] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash || (size_t)(slash - path) > sizeof path - 32) return "headlight.html";
    strcpy(slash, "/headlight.html");
    if (access(path, R_OK) != 0) strcpy(slash, "/../headlight.html");
    return path;
}

static bool read_page(const char *path, text *out) {
    FILE *f = fopen(path, "rb");
    if (!f) {
        cli_fail("state",
            "%s cannot be opened (%s); `make offline` builds it, or name another one with --page "
            "FILE",
            path, strerror(errno));
        return false;
    }
    long size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
    rewind(f);
    out->at = size >= 0 && size < INT_MAX ? malloc((size_t)size + 1) : NULL;
    bool ok = out->at && fread(out->at, 1, (size_t)size, f) == (size_t)size;
    fclose(f);
    if (!ok) return cli_fail("state", "%s cannot be read", path), false;
    out->at[size] = '\0';
    out->size = (size_t)size;
    return true;
}

/* Writes the page with the model in place of its own. */
static int write_page(hl_session *s, page *p, const text *html, const char *dir, const char *name) {
    static const char mark[] = "<!--model-->", end_mark[] = "<!--/model-->";
    char *begin = strstr(html->at, mark), *end = begin ? strstr(begin, end_mark) : NULL;
    if (!end)
        return cli_fail("state",
            "this page cannot take a model; it must be a headlight.html built by `make offline`");
    p->out = fopen(p->path, "wb");
    p->piece = malloc(PIECE);
    if (!p->out || !p->piece)
        return cli_fail("state", "%s cannot be written (%s)", p->path, strerror(errno));
    begin += strlen(mark);
    put(p, html->at, (size_t)(begin - html->at));
    bool ok = put_model(s, p, dir, name);
    put(p, end, (size_t)(html->at + html->size - end));
    if (fclose(p->out) != 0) p->failed = true;
    if (ok && !p->failed) return 0;
    if (p->failed) cli_fail("state", "%s cannot be written (%s)", p->path, strerror(errno));
    remove(p->path);
    return EXIT_ERROR;
}

int command_bundle(hl_session *s, int count, char **args) {
    bool bad = false;
    const char *out = cli_option(&count, args, "-o", &bad),
               *from = cli_option(&count, args, "--page", &bad);
    if (bad || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    char whole[PATH_MAX], fallback[NAME_MAX + 8];
    if (!realpath(args[0], whole))
        return cli_fail("state", "%s cannot be opened (%s)", args[0], strerror(errno));
    const char *name = strrchr(whole, '/')[1] ? strrchr(whole, '/') + 1 : "model";
    snprintf(fallback, sizeof fallback, "%.*s.html", NAME_MAX, name);
    text html = {0};
    page p = {.path = out ? out : fallback};
    if (!cli_load(s, args[0], HL_Q8) || !fits(s, args[0])) return EXIT_ERROR;
    int status = read_page(from ? from : default_page(), &html)
        ? write_page(s, &p, &html, args[0], name)
        : EXIT_ERROR;
    free(html.at);
    free(p.piece);
    if (status == 0)
        printf("%s: %s, %.1f MB of it the model\n", p.path, name, hl_save_begin(s, 0, 0) / 1e6);
    return status;
}
