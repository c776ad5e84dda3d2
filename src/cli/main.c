/* main - the command line: a table of commands. `headlight` alone prints how to call them, and so does
 * --help; with a command it prints how to call that one.
 */
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#if defined __GLIBC__
#include <malloc.h>
#endif

typedef struct command {
    const char *name;
    int (*call)(hl_session *s, int count, char **args);
    bool passes; /* it takes --threads N: threads for its passes */
    const char *usage;
} command;

static const command commands[] = {
    {"run", command_run, true,
        "run DIR TEXT [TEXT_B]|--lines FILE [--layer L [--head H]] [--store f32|q8] [--precision fast|fine] [--json] [--dump FILE]\n"
        "run DIR --ids \"2 82 3\" [--types \"0 0 0\"] [...]\n"
        "run DIR TEXT [TARGET] [--write N] [--target-ids \"7 3 1\"] [...]\n"
        "    tokens, predictions at each [MASK], the next word, next-sentence probability, labels, answers;\n"
        "    most concentrated heads; --layer, --head: only the maps of these are kept (and dumped), for long texts;\n"
        "    --lines: each line of FILE (- is standard input), two texts with a tab between; a JSON object a line;\n"
        "    --dump: every tensor into a safetensors file, of lines as line.1.NAME; its metadata has the tokens and the model's hash;\n"
        "    of a model with an encoder and a decoder (T5) the second text is the target; --write: the model writes it, up to N tokens"},
    {"measure", command_measure, true,
        "measure DIR NAME TEXT [TEXT_B]|--lines FILE [--set layer=2 ...] [--csv|--dump FILE] [--store f32|q8] [--precision fast|fine]\n"
        "    a measure of a text with its shape: of attention (patterns, sieves, rollout, ...), of what heads move (moved, moved_shares,\n"
        "    moved_together, moved_through, mixing, moved_patterns, ...), of value zeroing (zeroed, zeroing),\n"
        "    of a logit, by what wrote it (direct, direct_heads, ...), of weights (head_weights, composition_keys, ...);\n"
        "    --csv: a row a number; --lines: of each line of FILE (- is standard input); --dump: into a safetensors file;\n"
        "    with a target (T5) of the decoder's attention"},
    {"decides", command_decides, true,
        "decides DIR TEXT [TEXT_B]|--lines FILE [--at POSITION] [--word WORD] [--against WORD] [--removed] [--by zero|mean] [--csv] [--store f32|q8]\n"
        "    what decides a prediction (a word at [MASK], the next word, a label of the text or a token, the start of an answer, a\n"
        "    similarity): each token masked in turn, each head and each MLP switched off in turn, and the change of ln p, the\n"
        "    largest first; --removed: the text without each token; --by mean: each token has what the others have on average,\n"
        "    instead of zero; --word: another one than the most probable; --against: ln p of the one less that of the other"},
    {"why", command_why, true,
        "why DIR TEXT [TEXT_B] --layer L --head H --query Q --key K [--csv] [--store f32|q8]\n"
        "    why a head looks from token Q to token K: its score less the mean over the row, split over what wrote the stream at\n"
        "    the key and at the query (each column sums to the contrast); weight_off: the weight without that head, exactly;\n"
        "    always in fine"},
    {"direct", command_direct, true,
        "direct DIR TEXT [TEXT_B]|--lines FILE [--at POSITION] [--word WORD] [--against WORD] [--json|--csv] [--store f32|q8]\n"
        "    what wrote a logit: that of a word or a label less that of another one (--against), or else the mean of all, split\n"
        "    over embeddings, heads, MLPs and biases (direct logit attribution; the target is read as by decides): the largest\n"
        "    parts, those of a head by the token that it brought them from, and the sum; --json, --csv: all of them; always in fine"},
    {"intervene", command_intervene, true,
        "intervene DIR QUESTION TEXT [TEXT_B]|--lines FILE [--csv] [--store f32|q8]\n"
        "    a question of many passes as an object, of which decides and patch are short forms, always in fine:\n"
        "    '{\"intervention\": \"decides\", \"parts\": [\"heads\"]}', '{\"intervention\": \"patch\", \"from\": \"Another text.\"}';\n"
        "    its members: src/headlight.h, hl_intervention_begin"},
    {"patch", command_patch, true,
        "patch DIR TEXT FROM|--lines FILE [--tokens 3:4] [--at POSITION] [--word WORD] [--against WORD] [--csv] [--store f32|q8]\n"
        "    which parts of another text bring its prediction along: each token's row of the stream at each layer, and each head's\n"
        "    output, is taken from FROM in turn, and what share of the difference it recovers; the word or label of FROM against\n"
        "    that of TEXT, unless named; --tokens: of texts of other lengths, one token of each"},
    {"agree", command_agree, true,
        "agree DIR [--csv] [--store f32|q8] < LINES\n"
        "    does attention agree with what decides? Of each line the rank correlation, over its tokens, of attention weights,\n"
        "    of what is moved, value zeroing, rollout and nearness (a control) with the change of a masked word's ln p when\n"
        "    each token is masked (causal models: of the last word's when it is removed); means over the lines; always in fine"},
    {"next", command_next, true,
        "next DIR TEXT|--lines FILE [--tokens 20] [--store f32|q8] [--precision fast|fine]\n"
        "    goes on with a text by the most probable token each time (causal models), one JSON object a token"},
    {"lens", command_lens, true,
        "lens DIR TEXT|--lines FILE [--at POSITION] [--csv] [--store f32|q8] [--precision fast|fine]\n"
        "    the logit lens: what the model would say at each position if it ended after each layer, and the rank of its final word"},
    {"similarity", command_similarity, true,
        "similarity DIR TEXT TEXT ... [--split] [--store f32|q8] [--precision fast|fine] [--json]\n"
        "    the cosine similarity of each pair of texts, by a sentence-transformers model;\n"
        "    --split: of two texts, what each pair of their tokens adds to it, as a table"},
    {"tokenize", command_tokenize, false,
        "tokenize DIR [--pair] [--offsets] < LINES\n"
        "    token ids of each line (with --pair: of two texts separated by a tab)"},
    {"convert", command_convert, false,
        "convert IN OUT [--store q8|f32] [--shard MB]\n"
        "    writes the model as a Hugging Face folder, its weights in files of up to MB megabytes"},
    {"bundle", command_bundle, false,
        "bundle DIR [-o FILE.html] [--page headlight.html]\n"
        "    one page with the model inside; it opens from disk and needs no network"},
    {"fetch", command_fetch, false,
        "fetch [ORG/]NAME[@REVISION] DIR\n"
        "    downloads a model from the Hugging Face hub (HF_ENDPOINT: from another one) into a folder, by curl"},
    {"info", command_info, false, "info DIR [--store f32|q8]\n    family, sizes, tensors, bytes"},
    {"study", command_study, false,
        "study NAME DIR CORPUS [--with DIR2|random|random-layers] [--shard I/N] [--format F] [--columns A,B,LABEL] [--store f32|q8]\n"
        "      [--set KEY=VALUE ...] [--ask KEY=VALUE ...] [--threads N] [--csv] [-o FILE]\n"
        "study merge PART... [--partial] [--ask KEY=VALUE ...] [--csv] [-o FILE]\n"
        "study rerun ANSWER [--model DIR] [--with DIR2] [--corpus CORPUS]\n"
        "    over a corpus (lines, pairs, TSV, CoNLL-U, marked mentions): about, roles, patterns, importance, induction,\n"
        "    distances, parse, coref, probe, labels, compare, claims; alignment (models of two stacks);\n"
        "    --set draws=5: importance, induction, parse, coref, labels and claims call better only what exceeds 5 draws of random layers too;\n"
        "    --threads: processes that share the texts out;\n"
        "    --shard: one part; all parts merged give the same bits as a single run;\n"
        "    --csv: a table instead of JSON;\n"
        "    rerun: runs the study of ANSWER again and says whether every number is the same"},
    {"index", command_index, true,
        "index DIR CORPUS -o FILE [--layers 3,7] [--shard I/N] [--format F] [--columns A,B,LABEL] [--store f32|q8]\n"
        "      [--random-layers SEED]\n"
        "index merge PART... -o FILE\n"
        "    what each head does at each token of a corpus, to be searched; --layers: and the vectors of these layers;\n"
        "    --shard: one part; merge: all parts, in their order, give the bytes of a single run;\n"
        "    --random-layers: drawn at random over the model's own embeddings, to be set beside"},
    {"search", command_search, true,
        "search FILE QUESTION [--beside FILE2] [--csv rows|bars] [-o FILE]\n"
        "    asks an index; a question is one of (counted from 0):\n"
        "    \"find word=W pos=P relation=R\"                       a word, by what it is\n"
        "    \"like of=W|at=SENTENCE:TOKEN layer=L most=100\"       the tokens nearest to one, by hidden states\n"
        "    \"context of=W|at=S:T layer=L heads=0,3\"              the same by what these heads bring\n"
        "    \"head layer=L head=H query.word=W key.pos=P offset=-3:-1 weight=0.3 show=top|deciles|random\"\n"
        "                                                          where a head looks from and to, by what it moves;\n"
        "    rows=20: so many are listed; the answer is JSON, with what is more or less frequent than in the corpus;\n"
        "    --beside: the same question to another index of the same corpus (random layers, another checkpoint)"},
    {"grade", command_grade, false,
        "grade FOLDER [--key FILE] [--csv]\n"
        "    the answers that a class has handed in, a file each, as the page saves them at the end of a lesson: a row a file,\n"
        "    how many are right and which questions were missed; what is right most files say, or --key: the teacher's own;\n"
        "    files that were changed by hand, copies, and those of other questions are refused by name"},
    {"bench", command_bench, true,
        "bench DIR [--store f32|q8] [--precision fast|fine] [--tokens \"16 64\"] [--rounds 5]\n    milliseconds per forward pass"},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const char *cli_program = "";

static void print_usage(FILE *to) {
    fprintf(to,
        "usage: headlight COMMAND ...   (DIR is a Hugging Face model folder; text that begins with -- goes after a lone --)\n"
        "       what computes takes all cores, or --threads N\n"
        "       headlight COMMAND --help   |   headlight --version\n\n");
    for (int i = 0; i < COMMANDS; i++) fprintf(to, "%s\n\n", commands[i].usage);
}

/* --help among the options, which end where a lone -- stands. */
static bool asks_help(int count, char **args) {
    for (int i = 0; i < count && strcmp(args[i], "--") != 0; i++)
        if (strcmp(args[i], "--help") == 0) return true;
    return false;
}

static int call(const command *c, int count, char **args) {
    if (asks_help(count, args))
        return printf("usage: headlight %s\n", c->usage) > 0 ? 0 : EXIT_ERROR;
    bool bad = false;
    int threads = c->passes ? cli_threads(cli_option(&count, args, "--threads", &bad)) : 1;
    if (bad || !threads) return fprintf(stderr, "usage: headlight %s\n", c->usage), EXIT_USAGE;
    cli_lend_threads(threads);
    hl_session *s = hl_open();
    if (!s) return cli_fail("memory", "there is not enough memory even for an empty session");
    int status = c->call(s, count, args);
    if (status == EXIT_USAGE) fprintf(stderr, "usage: headlight %s\n", c->usage);
    hl_close(s);
    return status;
}

/* A pass frees the maps of the one before. The C library gives memory of that size back to the
 * system each time, and to get it anew, page by page, takes a fifth of a pass of 128 tokens. */
static void keep_freed_memory(void) {
#if defined __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int count, char **args) {
    cli_program = args[0];
    keep_freed_memory();
    if (count == 2 && strcmp(args[1], "--version") == 0)
        return printf("headlight %s\n", HL_RELEASE) > 0 ? 0 : EXIT_ERROR;
    for (int i = 0; count > 1 && i < COMMANDS; i++)
        if (strcmp(args[1], commands[i].name) == 0) return call(commands + i, count - 2, args + 2);
    bool asked = count > 1 && (strcmp(args[1], "--help") == 0 || strcmp(args[1], "help") == 0);
    if (count > 1 && strcmp(args[1], "figure") == 0) {
        fputs(
            "figures are drawn by the npm package, which `make npm` builds: node build/out/npm/figure.js figure DIR TEXT "
            "[TEXT_B] -o FILE.svg|FILE.html\n",
            stderr);
        return EXIT_USAGE;
    }
    if (count > 1 && !asked) fprintf(stderr, "there is no command '%s'\n", args[1]);
    print_usage(asked ? stdout : stderr);
    return asked ? 0 : EXIT_USAGE;
}
