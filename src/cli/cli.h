/* cli - shared by the commands: the table's row, loading a folder, errors. Of what is below only headlight.h is
 * known here, and base/csv.h, base/bytes.h and base/sha256.h, of which there must not be two. To add a command: write cli/<name>.c, declare it below, give it a row in main.c.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "headlight.h"

#include <stdbool.h>
#include <stdio.h>

enum { EXIT_ERROR = 1, EXIT_USAGE = 2 };

/* Arguments after the command's name; each returns the exit status. */
int command_run(hl_session *s, int count, char **args);
int command_tokenize(hl_session *s, int count, char **args);
int command_convert(hl_session *s, int count, char **args);
int command_similarity(hl_session *s, int count, char **args);
int command_next(hl_session *s, int count, char **args);
int command_lens(hl_session *s, int count, char **args);
int command_agree(hl_session *s, int count, char **args);
int command_decides(hl_session *s, int count, char **args);
int command_direct(hl_session *s, int count, char **args);
int command_why(hl_session *s, int count, char **args);
int command_intervene(hl_session *s, int count, char **args);
int command_patch(hl_session *s, int count, char **args);
int command_measure(hl_session *s, int count, char **args);
int command_info(hl_session *s, int count, char **args);
int command_study(hl_session *s, int count, char **args);
int command_index(hl_session *s, int count, char **args);
int command_search(hl_session *s, int count, char **args);
int command_bench(hl_session *s, int count, char **args);
int command_bundle(hl_session *s, int count, char **args);
int command_fetch(hl_session *s, int count, char **args);
int command_grade(hl_session *s, int count, char **args);

/* args[0] of main. */
extern const char *cli_program;

/* Prints the session's error as one line on stderr; returns EXIT_ERROR. */
int cli_error(const hl_session *s);
/* The same for what the session does not know of. */
int cli_fail(const char *category, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes `name VALUE` out of the arguments; NULL when it is not there. *bad is set when the value is
 * missing. */
const char *cli_option(int *count, char **args, const char *name, bool *bad);
/* Takes the flag `name` out of the arguments. */
bool cli_flag(int *count, char **args, const char *name);
/* A whole number that an option was given, -1 and a message where it is none. */
int cli_number(const char *name, const char *given);
/* The next line of standard input without its \n, of any length and with any bytes; NULL at the end. The
 * line is the caller's to free. */
char *cli_line(char **line, size_t *room, size_t *size);
/* Of the line that --lines is at, from 1; 0: there are none. Errors say it, too. */
extern int cli_line_number;
/* A text, or two (of the second the size is -1: there is none). */
typedef struct cli_text {
    const char *a, *b;
    int size_a, size_b;
} cli_text;
/* What a command does with each of its texts; pairs: a tab stands between two. */
typedef struct cli_texts {
    int (*report)(hl_session *s, void *job); /* once it has been tokenized; gives the exit status */
    void *job;
    bool pairs;
    int (*ask)(hl_session *s, void *job,
        const cli_text *of); /* instead of both: the text as it was given */
    bool decodes;            /* of a model of two stacks the second text is the target */
} cli_texts;
/* Of --lines FILE each line, else (NULL) the text, or the two, of the arguments; returns the exit status. */
int cli_each_text(hl_session *s, const char *lines, int count, char **texts, const cli_texts *of);
/* hl_tokenize (of a model of two stacks, hl_target of text b), with a note on bytes that are not UTF-8; false: the session has an error. */
bool cli_tokenize(hl_session *s, const char *a, int size_a, const char *b, int size_b, int limit);
/* The target of a model of two stacks: --target-ids, --write N, or else text B. */
typedef struct cli_target {
    const char *ids;
    int write;
} cli_target;
/* Takes the options out; false, and a message, where they are wrong. */
bool cli_read_target(cli_target *t, int *count, char **args);
/* Is there one, by the options or the text? */
bool cli_decodes(hl_session *s, const cli_target *t);
/* NULL: the error was printed. */
hl_pass *cli_decode(hl_session *s, const cli_target *t, hl_pass *source, const char *keep);
int cli_target_count(hl_pass *decoded);
bool cli_print_target(hl_session *s, hl_pass *decoded,
    bool json); /* false: the session has an error */
/* Space-separated integers; NULL: the error was printed. The caller frees them. */
int32_t *cli_parse_ids(const char *text, int *count);
/* { on stdout, and of a line its number. */
void cli_open_object(void);
/* True (and says so) when an unknown --option is left, or the number of plain arguments is outside
 * least..most. What comes after a lone --, which is taken out, is plain whatever it begins with. */
bool cli_wrong(int *count, char **args, int least, int most);
/* "f32" or "q8" (NULL: fallback); -1 and a message otherwise. */
int cli_store(const char *name, int fallback);

/* --threads: a number; NULL: as many as the machine has cores. 0 and a message otherwise. */
int cli_threads(const char *given);
/* Threads beside this one for the passes of a command. */
void cli_lend_threads(int threads);
/* Runs the steps from..to of the study that has begun, in so many processes. False: the error was
 * printed. */
bool cli_run_steps(hl_session *s, int from, int to, int threads);

/* "fine" or "fast" (NULL: what is usual for the model); -1 and a message otherwise. */
int cli_precision(const char *name);
/* What a command says that has interventions, when fast is asked for; returns EXIT_ERROR. */
int cli_only_fine(void);

/* Load DIR's small files (config.json unless optional, tokenizer) or the whole model. False: the
 * error was printed. */
bool cli_load_texts(hl_session *s, const char *dir, bool config_optional);
bool cli_load(hl_session *s, const char *dir, int store);
/* the tokenizer may be missing */
bool cli_load_for_ids(hl_session *s, const char *dir, int store);
/* What is to be known of the files that were read, on stderr, from the given note on; returns how many notes
 * there are. cli_load does it. */
int cli_notes(hl_session *s, int from);
/* A study on a model folder and a corpus file: loads both and runs the shard-th of `shards` cuts;
 * the answer can be asked then. */
typedef struct study_job {
    const char *model, *with, *corpus; /* with: NULL, a folder, "random" or "random-layers" */
    const char *options;               /* a JSON object */
    int store, shard, shards, threads;
} study_job;
bool cli_study(hl_session *s, const study_job *job);
/* study rerun FILE ... (rerun.c); returns the exit status. */
int cli_rerun(int count, char **args);
/* A whole file, zero-terminated, that the caller frees; NULL when it cannot be had (said, with what
 * was expected). */
char *cli_read(const char *path, const char *category, const char *expected, int *size);
/* I/N of --shard (NULL: all): from 0 on, and of how many; false and a message otherwise. */
bool cli_shard(const char *given, int *shard, int *shards);
/* Gives a file's text to a function of headlight.h; false: the error was printed, with its path. */
bool cli_load_text(hl_session *s, const char *path, int (*call)(hl_session *, const char *, int));
/* What a model folder may hold for its tokenizer, and for where texts end; ends with NULL. */
extern const char *const cli_tokenizer_files[];
/* SentencePiece's own file has one of these names. */
extern const char *const cli_sentencepiece_files[];
/* Is the folder an adapter of a model? Then that has been said. */
bool cli_is_adapter(const char *dir);
/* The names under which a sentence-transformers folder may say where texts are cut; ends with NULL. */
extern const char *const cli_sentence_files[];
/* dir/name in a static buffer, overwritten by the next call. */
const char *cli_path(const char *dir, const char *name);
/* The last name of a path, as answers have it: the folders above are nobody's business. In a static buffer. */
const char *cli_base(const char *path);
/* A JSON string, quotes included; print: on stdout. */
void cli_write_string(FILE *to, const char *text);
void cli_print_string(const char *text);
/* A text as a cell of a table (base/csv.h). */
void cli_print_cell(const char *text);
/* A token as it is shown, as a cell or as a JSON string; "?" where the model has none. */
void cli_print_token(hl_session *s, int id, bool csv);
/* A line for each text that was cut, with how many of its last tokens are missing. */
void cli_print_dropped(hl_session *s, FILE *out);
/* Adds every kept tensor to a file (tensors.h), named as in the reference dumps, and the text's tokens; of a decoder (or
 * NULL) with "decoder." before. False: the error was printed. */
struct tensors;
bool cli_dump(hl_session *s, hl_pass *p, hl_pass *decoded, struct tensors *to);

#endif
