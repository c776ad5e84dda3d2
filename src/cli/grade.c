/* grade - `headlight grade FOLDER [--key FILE] [--csv]`: the answers that a class has handed in, a row a
 * file. Each file is what the page saves at the end of a lesson (web/lessons/worksheet.js,
 * docs/schema/answers.json).
 *
 * What is right has been said by the model, in the page, when the question was answered: the token with the
 * most weight. Each file says it of its own questions; here it counts as most of the files say it, or as
 * the file --key does, so that no file is its own judge. A file ends with the SHA-256 of all before
 * it, and one that was changed by hand is refused. That is no signature: whoever can program can make one.
 *
 * Refused by name, with exit status 1 after the rows of the others: what is no such file, one of
 * another lesson or of other questions than most, a second one of the same name, a copy.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/look.h"

#include "base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 1024, QUESTIONS = 64, PAPERS = 10000, DEEP = 8 };

static const char SUM[] = ",\"sum\":\"",
                  EXPECTED[] =
                      "expected what the page saves at the end of a lesson as the file to hand in";

/* Of a question: which one it is; of what the answer is, and which token the model gave the most. */
enum { STEP, HEAD, QUERY, PLACES };
enum { TEXT, MODEL, BEST, SAID };
static const char *const places[PLACES] = {"step", "head", "query"};
static const char *const members[SAID] = {"text", "model", "best"};
typedef struct question {
    text place[PLACES], said[SAID], picked; /* picked.at NULL: not answered, and nothing is said */
} question;

typedef struct paper {
    char path[PATH]; /* below the folder */
    char *json, *name;
    text lesson, saved;
    question of[QUESTIONS];
    int count;
    bool refused;
} paper;

typedef struct pile {
    paper *papers;
    int count;
} pile;

/* ---- texts of others ---- */

/* A terminal obeys control characters; but: those that stay. */
static void make_inert(char *text, const char *but) {
    for (; *text; text++)
        if (((unsigned char)*text < 32 || *text == 127) && !strchr(but, *text)) *text = '?';
}

/* What a spreadsheet would take for a formula gets an apostrophe before it, as OWASP advises. */
static void print_cell(const char *text) {
    static const char *const wide[] = {"\uff1d", "\uff0b", "\uff0d", "\uff20"};
    const char *at = text + strspn(text, "'");
    bool formula = *at && strchr("=+-@", *at);
    for (int i = 0; i < 4; i++) formula |= strncmp(at, wide[i], 3) == 0;
    size_t size = strlen(text);
    char *guarded = malloc(size + 2);
    if (!guarded) return;
    snprintf(guarded, size + 2, "%s%s", formula ? "'" : "", text);
    cli_print_cell(guarded);
    free(guarded);
}

static bool refuse(paper *p, const char *why) {
    cli_fail("file", "%s %s", p->path, why);
    p->refused = true;
    return false;
}

/* ---- a file ---- */

/* Is its sum that of what is before it? */
static bool check_sum(paper *p) {
    const char *sum = NULL;
    for (const char *at = p->json; (at = strstr(at, SUM)); at++) sum = at;
    if (!sum) return refuse(p, "has no sum at its end, so it may have been changed by hand");
    const char *end = look_after_string(sum + sizeof SUM - 2);
    if (*end != '}' || *look_after_blank(end + 1))
        return refuse(p,
            "was changed by hand after the page had saved it: more comes after its sum");
    sha256 hash;
    char now[SHA256_TEXT];
    sha256_begin(&hash);
    sha256_add(&hash, p->json, (size_t)(sum - p->json));
    sha256_text(&hash, now);
    sum += sizeof SUM - 1;
    if (*sum == '"')
        return fprintf(stderr,
                   "note: %s comes from a page without https, which has no SHA-256: whether it was changed by hand cannot be told\n",
                   p->path) > 0;
    if (strncmp(sum, "sha256:", 7) != 0 || strncmp(sum + 7, now, 64) != 0)
        return refuse(p,
            "was changed by hand after the page had saved it: its SHA-256 is that of other answers");
    return true;
}

static bool read_question(question *q, const char *at) {
    for (int i = 0; i < PLACES; i++)
        if (!(q->place[i] = look_member(at, places[i])).at) return false;
    q->picked = look_member(at, "picked");
    for (int i = 0; i < SAID; i++) {
        q->said[i] = look_member(at, members[i]);
        if (q->picked.at && !q->said[i].at) return false;
    }
    return true;
}

/* The name that was typed, else the file's. */
static char *name_of(const paper *p) {
    char *name = look_string(look_member(p->json, "name"));
    if (name && !*name) {
        const char *file = cli_base(p->path);
        free(name);
        if ((name = strdup(file)) && strlen(name) > 5) name[strlen(name) - 5] = 0; /* .json */
    }
    if (name) make_inert(name, "");
    return name;
}

/* Reads a file that is at `path`; false: it was refused. */
static bool read_paper(paper *p, const char *path) {
    int size;
    size_t length = strlen(path);
    if (length < 5 || strcmp(path + length - 5, ".json") != 0)
        return refuse(p, "is no file of answers (.json)");
    if (!(p->json = cli_read(path, "file", "a file of answers", &size)))
        return !(p->refused = true);
    text kind = look_member(p->json, "headlight");
    if (strlen(p->json) != (size_t)size || !look_same(kind, (text){"\"answers\"", 9}))
        return refuse(p,
            "is no file of answers; expected what the page saves at the end of a lesson");
    if (!check_sum(p)) return false;
    make_inert(p->json, "\t\r\n");
    p->lesson = look_member(p->json, "lesson");
    p->saved = look_member(p->json, "saved");
    p->name = name_of(p);
    const char *list = look_member(p->json, "questions").at;
    bool whole = p->name && p->lesson.at && p->saved.at;
    for (const char *at = NULL; whole && (at = look_entry(list, at)); p->count++)
        whole = p->count < QUESTIONS && read_question(&p->of[p->count], at);
    if (!whole || !p->count)
        return refuse(p,
            "is no whole file of answers; expected what the page saves at the end of a lesson");
    return true;
}

/* ---- a folder ---- */

static paper *add_paper(pile *all, const char *path) {
    if (all->count == PAPERS) return NULL;
    if ((all->count & (all->count + 1)) == 0) { /* full, at 0, 1, 3, 7 ... */
        paper *more = realloc(all->papers, (2 * (size_t)all->count + 1) * sizeof *more);
        if (!more) return NULL;
        all->papers = more;
    }
    paper *p = &all->papers[all->count++];
    *p = (paper){0};
    snprintf(p->path, sizeof p->path, "%s", path);
    return p;
}

/* All files of a folder and of those in it, as platforms for courses give them, but hidden ones; root: how
 * much of a path is the first folder. */
static bool list_folder(pile *all, const char *folder, size_t root, int deep) {
    DIR *d = opendir(folder);
    if (!d)
        return cli_fail("file", "%s cannot be opened (%s); expected a folder of files of answers",
                   folder, strerror(errno)),
               false;
    bool good = true;
    for (const struct dirent *one; good && (one = readdir(d));) {
        char path[PATH];
        struct stat info;
        if (one->d_name[0] == '.') continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, one->d_name) >= PATH ||
            stat(path, &info) != 0)
            good = !cli_fail("file", "%s in %s cannot be read", one->d_name, folder);
        else if (S_ISDIR(info.st_mode) && deep) good = list_folder(all, path, root, deep - 1);
        else if (!S_ISDIR(info.st_mode) && !add_paper(all, path + root))
            good = !cli_fail("memory", "there are more than %d files, or too many for the memory",
                PAPERS);
    }
    closedir(d);
    return good;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const paper *)a)->path, ((const paper *)b)->path);
}

/* ---- one file beside the others ---- */

static bool same_questions(const paper *a, const paper *b) {
    bool same = a->count == b->count && look_same(a->lesson, b->lesson);
    for (int q = 0; same && q < a->count; q++)
        for (int i = 0; i < PLACES; i++) same &= look_same(a->of[q].place[i], b->of[q].place[i]);
    return same;
}

static bool same_said(const question *a, const question *b) {
    for (int i = 0; i < SAID; i++)
        if (!look_same(a->said[i], b->said[i])) return false;
    return true;
}

static bool same_answers(const paper *a, const paper *b) {
    for (int q = 0; q < a->count; q++)
        if (!same_said(&a->of[q], &b->of[q]) || !look_same(a->of[q].picked, b->of[q].picked))
            return false;
    return look_same(a->saved, b->saved);
}

/* The paper with whose questions most others agree; NULL: all were refused. */
static const paper *most_common(const pile *all) {
    const paper *best = NULL;
    for (int i = 0, most = 0; i < all->count; i++) {
        int alike = 0;
        for (int j = 0; j < all->count && !all->papers[i].refused; j++)
            alike += !all->papers[j].refused && same_questions(&all->papers[i], &all->papers[j]);
        if (alike > most) most = alike, best = &all->papers[i];
    }
    return best;
}

/* What most of the papers that answered question q say of it; NULL: nobody has answered it. */
static const question *most_say(const pile *all, int q) {
    const question *best = NULL;
    for (int i = 0, most = 0; i < all->count; i++) {
        int alike = 0;
        const question *one = &all->papers[i].of[q];
        for (int j = 0; j < all->count && !all->papers[i].refused && one->picked.at; j++) {
            const question *other = &all->papers[j].of[q];
            alike += !all->papers[j].refused && other->picked.at && same_said(one, other);
        }
        if (alike > most) most = alike, best = one;
    }
    return best;
}

/* Of other questions than the key's, of a name that is there, a copy. */
static void refuse_odd(pile *all, const paper *key) {
    for (int i = 0; i < all->count; i++) {
        paper *p = &all->papers[i];
        if (p->refused) continue;
        if (!same_questions(p, key)) {
            cli_fail("file",
                look_same(p->lesson, key->lesson)
                    ? "%s has other questions of the lesson %.*s than %s"
                    : "%s is of the lesson %.*s, unlike %s",
                p->path, (int)p->lesson.size, p->lesson.at, key->path);
            p->refused = true;
        }
        for (int j = 0; j < i && !p->refused; j++) {
            const paper *other = &all->papers[j];
            bool name = !other->refused && strcmp(other->name, p->name) == 0;
            if (other->refused || (!name && !same_answers(other, p))) continue;
            cli_fail("file",
                name
                    ? "%s: %s has handed in %s, too; keep one of them"
                    : "%s, by %s, has the answers of %s, saved in the same moment; keep one of them",
                p->path, p->name, other->path);
            p->refused = true;
        }
    }
}

/* ---- the rows ---- */

static bool is_right(const paper *p, int q, const question *key) {
    const question *one = &p->of[q];
    return one->picked.at && key && look_same(one->said[TEXT], key->said[TEXT]) &&
        look_same(one->said[MODEL], key->said[MODEL]) && look_same(one->picked, key->said[BEST]);
}

/* What was answered of something else than most have answered it of. */
static void print_notes(const paper *p, const question *const *keys) {
    for (int q = 0; q < p->count; q++) {
        if (!p->of[q].picked.at || !keys[q] || same_said(&p->of[q], keys[q])) continue;
        fprintf(stderr,
            "note: %s: question %d was answered on another text, model or change of it than in the others; %s\n",
            p->path, q + 1,
            is_right(p, q, keys[q]) ? "the token is theirs, and counts as right"
                                    : "it counts as missed");
    }
}

/* The numbers of the questions that were missed, or only of those without an answer. */
static void print_missed(const paper *p, const question *const *keys, bool open,
    const char *between) {
    for (int q = 0, any = 0; q < p->count; q++)
        if (open ? !p->of[q].picked.at : !is_right(p, q, keys[q]))
            printf("%s%d", any++ ? between : "", q + 1);
}

static int count_right(const paper *p, const question *const *keys, bool answered) {
    int right = 0;
    for (int q = 0; q < p->count; q++)
        right += answered ? p->of[q].picked.at != NULL : is_right(p, q, keys[q]);
    return right;
}

static void print_row(const paper *p, const question *const *keys, bool csv) {
    int right = count_right(p, keys, false);
    if (csv) {
        print_cell(p->path), printf(",");
        print_cell(p->name);
        printf(",%d,%d,", right, p->count);
        print_missed(p, keys, false, " ");
        printf(",");
        print_missed(p, keys, true, " ");
        printf("\n");
        return;
    }
    printf("%s: %d of %d right", p->name, right, p->count);
    if (right < p->count) printf("; missed "), print_missed(p, keys, false, ", ");
    if (count_right(p, keys, true) < p->count)
        printf(" (not answered: "), print_missed(p, keys, true, ", "), printf(")");
    printf("\n");
}

/* Of each question, how many had it right: what to talk about in class. */
static void print_questions(const pile *all, const paper *key, const question *const *keys) {
    for (int q = 0; q < key->count; q++) {
        int right = 0, of = 0;
        for (int i = 0; i < all->count; i++)
            if (!all->papers[i].refused) of++, right += is_right(&all->papers[i], q, keys[q]);
        const text *place = key->of[q].place;
        int layer = 0, head = 0;
        sscanf(place[HEAD].at, "[%d,%d]", &layer, &head);
        printf("question %d (step %ld, L%d·H%d, token %.*s): right in %d of %d\n", q + 1,
            strtol(place[STEP].at, NULL, 10) + 1, layer, head, (int)place[QUERY].size,
            place[QUERY].at, right, of);
    }
}

static int grade(pile *all, const paper *given, bool csv) {
    const paper *key = given ? given : most_common(all);
    const question *keys[QUESTIONS] = {NULL};
    if (key) refuse_odd(all, key);
    for (int q = 0; key && q < key->count; q++) {
        keys[q] = given ? &given->of[q] : most_say(all, q);
        if (given && !keys[q]->picked.at)
            return cli_fail("file", "%s leaves question %d open; a key has an answer to each",
                given->path, q + 1);
    }
    bool any = false, refused = false;
    if (csv) printf("file,name,right,questions,missed,open\n");
    for (int i = 0; i < all->count; i++) {
        if (all->papers[i].refused) {
            refused = true;
            continue;
        }
        any = true;
        print_notes(&all->papers[i], keys);
        print_row(&all->papers[i], keys, csv);
    }
    if (any && !csv) print_questions(all, key, keys);
    if (!any) return cli_fail("file", "there are no answers to grade; %s", EXPECTED);
    return refused ? EXIT_ERROR : 0;
}

static void free_paper(paper *p) { free(p->json), free(p->name); }

int command_grade(hl_session *s, int count, char **args) {
    (void)s;
    bool bad = false, csv = cli_flag(&count, args, "--csv");
    const char *key = cli_option(&count, args, "--key", &bad);
    if (bad || cli_wrong(&count, args, 1, 1)) return EXIT_USAGE;
    pile all = {0};
    paper *given = calloc(1, sizeof *given);
    int status = EXIT_ERROR;
    if (!given) return cli_fail("memory", "there is not enough memory");
    snprintf(given->path, sizeof given->path, "%s", key ? key : "");
    if ((!key || read_paper(given, key)) && list_folder(&all, args[0], strlen(args[0]) + 1, DEEP)) {
        if (all.count) qsort(all.papers, (size_t)all.count, sizeof *all.papers, by_path);
        for (int i = 0; i < all.count; i++) {
            char path[2 * PATH];
            snprintf(path, sizeof path, "%s/%s", args[0], all.papers[i].path);
            make_inert(all.papers[i].path, "");
            read_paper(&all.papers[i], path);
        }
        status = grade(&all, key ? given : NULL, csv);
    }
    for (int i = 0; i < all.count; i++) free_paper(&all.papers[i]);
    free(all.papers);
    free_paper(given), free(given);
    return status;
}
