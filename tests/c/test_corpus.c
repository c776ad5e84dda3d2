/* test_corpus - the readers of corpora: what is read and what is refused with which sentence, line
 * ends and encodings, the guess of the format, words to tokens, large texts, every failing
 * allocation; real treebanks, GLUE and GAP where ../shared is there. Not here: random input
 * (fuzz_corpus.c).
 */
#include "vocabulary.h"

#include "text/corpus/corpus.h"

#include <time.h>

#define U(id, form, head, relation) id "\t" form "\t_\tX\t_\t_\t" head "\t" relation "\t_\t_\n"
#define GLUED(id, form, head, relation)                                                            \
    id "\t" form "\t_\tX\t_\t_\t" head "\t" relation "\t_\tA=b|SpaceAfter=No\n"
#define RANGE(id, form) id "\t" form "\t_\t_\t_\t_\t_\t_\t_\t_\n"
#define GAP_HEADER                                                                                 \
    "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"

static bool open_corpus(corpus *c, span text, corpus_format format) {
    corpus_options options = {.format = format};
    error_clear(&err);
    return corpus_open(c, &memory, text, &options, &err);
}

static span slice(span text, int from, int to) {
    size_t at = 0, begin = 0;
    for (int i = 0; at <= text.size; i++) {
        if (i == from) begin = at;
        if (i == to) return (span){text.at + begin, at - begin};
        at++;
        while (at < text.size && ((unsigned char)text.at[at] & 0xC0) == 0x80) at++;
    }
    fail_msg("%d..%d is outside of the text", from, to);
    return (span){0};
}

/* "3:text|B=b|L=x(0)|word[0,4]<-1:nsubj/NOUN|..|*it[5,7]=1": all that an item holds. */
static size_t shown_item(const corpus *c, const corpus_item *item, char *out, size_t room) {
    size_t at = (size_t)snprintf(out, room, "%d:%.*s", item->line, (int)item->text[0].size,
        item->text[0].at);
#define ADD(...) at += (size_t)snprintf(out + at, room - at, __VA_ARGS__)
    if (item->has_b) ADD("|B=%.*s", (int)item->text[1].size, item->text[1].at);
    if (item->label_number >= 0)
        ADD("|L=%.*s(%d)", (int)item->label.size, item->label.at, item->label_number);
    for (int i = 0; i < item->word_count; i++) {
        const corpus_word *w = &item->words[i];
        span text = slice(item->text[w->sentence], w->from, w->to);
        span relation = w->relation < 0 ? span_of("-") : c->relations->at[w->relation];
        ADD("|%.*s[%d,%d]%d:%.*s", (int)text.size, text.at, w->from, w->to, w->governor,
            (int)relation.size, relation.at);
    }
    for (int i = 0; i < item->mention_count; i++) {
        const corpus_mention *m = &item->mentions[i];
        span text = slice(item->text[m->sentence], m->from, m->to);
        ADD("|%s%.*s[%d:%d,%d]=%d", m->pronoun ? "*" : "", (int)text.size, text.at, m->sentence,
            m->from, m->to, m->entity);
    }
#undef ADD
    return at;
}

static const char *shown(const corpus *c) {
    static char out[1 << 14];
    size_t at = 0;
    for (int i = 0; i < c->count; i++) {
        corpus_item item;
        assert_true(corpus_read(c, i, &item, &scratch, &err));
        if (i) at += (size_t)snprintf(out + at, sizeof out - at, " ; ");
        at += shown_item(c, &item, out + at, sizeof out - at);
    }
    return out;
}

typedef struct good_row {
    const char *label;
    corpus_format asked, found;
    span text;
    const char *shown;
} good_row;

static const good_row good[] = {
    {"lines", CORPUS_AUTO, CORPUS_LINES, SPAN("One.\n\nTwo. \n"), "1:One. ; 3:Two. "},
    {"no last line end, \\r\\n, BOM", CORPUS_AUTO, CORPUS_LINES,
        SPAN("\xEF\xBB\xBFOne.\r\n \t\r\nTwo."), "1:One. ; 3:Two."},
    {"a tab in a line", CORPUS_LINES, CORPUS_LINES, SPAN("a\tb\n"), "1:a\tb"},
    {"brackets are no marks", CORPUS_AUTO, CORPUS_LINES, SPAN("a [b] |c|\nd |7 ]"),
        "1:a [b] |c| ; 2:d |7 ]"},
    {"pairs", CORPUS_AUTO, CORPUS_PAIRS, SPAN("\na\tb\r\nc \t d\n"), "2:a|B=b ; 3:c |B= d"},
    {"GLUE, one sentence", CORPUS_AUTO, CORPUS_TSV, SPAN("sentence\tlabel\n\"a \t1\nb\t0\n\nc\t1"),
        "2:\"a |L=1(0) ; 3:b|L=0(1) ; 5:c|L=1(0)"},
    {"GLUE, pairs", CORPUS_AUTO, CORPUS_TSV,
        SPAN("index\tquestion\tsentence\tlabel\n0\ta\tb\tyes\n"), "2:a|B=b|L=yes(0)"},
    {"GLUE, MRPC", CORPUS_AUTO, CORPUS_TSV,
        SPAN("\xEF\xBB\xBFQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t7\t8\ta\tb\r\n"),
        "2:a|B=b|L=1(0)"},
    {"an empty label", CORPUS_AUTO, CORPUS_TSV, SPAN("label\tsentence\n\ta\n"), "2:a|L=(0)"},
    {"conllu, text rebuilt", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN(U("1", "Höfe", "2", "nsubj:pass") GLUED("2", "go", "0", "root")
                U("3", ".", "2", "punct")),
        "1:Höfe go.|Höfe[0,4]1:nsubj:pass|go[5,7]-1:root|.[7,8]1:punct"},
    {"conllu, comments, two sentences", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN("# newdoc\n\n\n#text=a  a\n# text = z\n" U("1", "a", "0", "root")
                U("2", "a", "1", "_") "\n\n# end\n\n" U("1", "b", "_", "_")),
        "4:a  a|a[0,1]-1:root|a[3,4]0:- ; 12:b|b[0,1]-2:-"},
    {"conllu, \\r\\n", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN("# text = a\r\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\r\n\r\n"), "1:a|a[0,1]-1:root"},
    {"conllu, multiword token that splits", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN("# text = haven't it\n" RANGE("1-2", "haven't") U("1", "have", "0", "root")
                U("2", "n't", "1", "advmod") U("3", "it", "1", "obj")),
        "1:haven't it|have[0,4]-1:root|n't[4,7]0:advmod|it[8,10]0:obj"},
    {"conllu, multiword token that does not", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN(RANGE("1-2", "Im") U("1", "in", "3", "case") U("2", "dem", "3", "det")
                U("3", "Haus", "0", "root")),
        "1:Im Haus|Im[0,2]2:case|Im[0,2]2:det|Haus[3,7]-1:root"},
    {"conllu, empty nodes", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN(U("0.1", "_", "_", "_") U("1", "a", "0", "root") U("1.1", "x", "_", "_")
                U("1.2", "x", "_", "_") U("2", "b", "1", "x")),
        "1:a b|a[0,1]-1:root|b[2,3]0:x"},
    {"conllu, a form with a space", CORPUS_AUTO, CORPUS_CONLLU,
        SPAN("# text = 10\xC2\xA0 000 $\n" U("1", "10 000", "0", "root") U("2", "$", "1", "x")),
        "1:10\xC2\xA0 000 $|10\xC2\xA0 000[0,7]-1:root|$[8,9]0:x"},
    {"coref", CORPUS_AUTO, CORPUS_COREF,
        SPAN("no marks |x\nThe [cät|1] is [it|1*] \\[a\\] \\|\\\\ \\n [a\\|b|999999999]"),
        "1:no marks |x ; 2:The cät is it [a] |\\ \\n a|b|cät[0:4,7]=1|*it[0:11,13]=1|a|b[0:24,27]=999999999"},
    {"coref, nested, pairs", CORPUS_COREF, CORPUS_COREF, SPAN("[[her|1*] mother|2] x\t[She|2*]\n"),
        "1:her mother x|B=She|her mother[0:0,10]=2|*her[0:0,3]=1|*She[1:0,3]=2"},
    {"gap", CORPUS_AUTO, CORPUS_GAP,
        SPAN(GAP_HEADER "t-1\tÄnn saw Bo; she ran.\tshe\t12\tÄnn\t0\tTRUE\tBo\t8\tFALSE\tu\n"),
        "2:Änn saw Bo; she ran.|Änn[0:0,3]=1|Bo[0:8,10]=3|*she[0:12,15]=1"},
    {"gap, nested: the outer one first", CORPUS_AUTO, CORPUS_GAP,
        SPAN(GAP_HEADER "t-1\tAnn Lee saw her.\ther\t12\tAnn\t0\tFALSE\tAnn Lee\t0\tTRUE\tu\n"),
        "2:Ann Lee saw her.|Ann Lee[0:0,7]=1|Ann[0:0,3]=2|*her[0:12,15]=1"},
};

static void are_read(void **state) {
    for (size_t i = 0; i < COUNT(good); i++) {
        const good_row *r = &good[i];
        corpus c;
        span text = exact_copy(r->text);
        if (!open_corpus(&c, text, r->asked)) fail_msg("%s: %s", r->label, err.text);
        if (c.format != r->found)
            fail_msg("%s: read as %s", r->label, corpus_format_name(c.format));
        if (strcmp(shown(&c), r->shown) != 0)
            fail_msg("%s: %s\nexpected %s", r->label, shown(&c), r->shown);
        free_span(text);
        teardown(state);
        setup(state);
    }
}

typedef struct bad_row {
    const char *label;
    corpus_format format;
    span text;
    const char *sentence;
} bad_row;

static const bad_row bad[] = {
    {"empty", CORPUS_AUTO, SPAN(""),
        "text: the corpus is empty; at least one line of text was expected"},
    {"blank", CORPUS_AUTO, SPAN("\xEF\xBB\xBF \n\t\r\n"), "text: the corpus is empty"},
    {"only comments", CORPUS_AUTO, SPAN("# text = a\n\n"),
        "at least one sentence in CoNLL-U was expected"},
    {"only column names", CORPUS_AUTO, SPAN("sentence\tlabel\n"),
        "the corpus is empty; at least one line below the names"},
    {"empty table", CORPUS_TSV, SPAN("\n"), "a line with the names of the columns was expected"},
    {"Latin-1", CORPUS_AUTO, SPAN("a\nb\nna\xEFve"),
        "line 3 of the corpus has a byte (0xEF) that is not valid UTF-8"},
    {"UTF-16", CORPUS_AUTO,
        SPAN("\xFF\xFE"
             "a\0b\0"),
        "line 1 of the corpus has a byte (0xFF)"},
    {"zero byte", CORPUS_LINES, SPAN("a\nb\0c\n\xFF"), "line 2 of the corpus has a byte (0x00)"},
    {"half a character at the end", CORPUS_AUTO, SPAN("a\xC3"),
        "line 1 of the corpus has a byte (0xC3)"},
    {"gzip", CORPUS_AUTO, SPAN("\x1F\x8B\x08\0"), "the corpus is gzip data instead of UTF-8 text"},
    {"web page", CORPUS_AUTO, SPAN("\n<!DOCTYPE html>"), "the corpus is a web page (HTML)"},
    {"a line without tab", CORPUS_AUTO, SPAN("a\tb\nc\n"),
        "line 2 of the corpus has 0 tabs; one tab between two"},
    {"a line with two tabs", CORPUS_PAIRS, SPAN("a\tb\tc\n"),
        "line 1 of the corpus has 2 tabs; one tab"},
    {"no second sentence", CORPUS_PAIRS, SPAN("a\t \n"),
        "line 1 of the corpus has no second sentence"},
    {"unknown columns", CORPUS_TSV, SPAN("\nx\ty\n1\t2\n"),
        "line 2 of the corpus names no column that is known to hold texts"},
    {"a short row", CORPUS_AUTO, SPAN("sentence\tlabel\na\t1\nb\n"),
        "line 3 of the corpus has 1 column; 2 were expected"},
    {"an empty sentence", CORPUS_AUTO, SPAN("sentence1\tsentence2\na\t\n"),
        "line 2 of the corpus has an empty second sentence"},
    {"nine columns", CORPUS_AUTO, SPAN("1\ta\t_\tX\t_\t_\t0\troot\t_\n"),
        "line 1 of the corpus has 9 columns; a line of CoNLL-U has 10"},
    {"spaces for tabs", CORPUS_CONLLU, SPAN("# text = a\n1 a _ X _ _ 0 root _ _\n"),
        "line 2 of the corpus has 1 column;"},
    {"ids out of order", CORPUS_CONLLU, SPAN(U("1", "a", "0", "r") U("3", "b", "1", "x")),
        "line 2 of the corpus has \"3\" as ID; the word 2, a multiword token such as 2-3, or the empty node 1.1 was expected"},
    {"id is no number", CORPUS_CONLLU, SPAN(U("x", "a", "0", "r")),
        "line 1 of the corpus has \"x\" as ID"},
    {"id too large", CORPUS_CONLLU, SPAN(U("99999999999999999999", "a", "0", "r")),
        "has \"99999999999999999999\" as ID"},
    {"multiword tokens cross", CORPUS_CONLLU,
        SPAN(RANGE("1-2", "ab") U("1", "a", "0", "r") RANGE("2-3", "bc")),
        "line 3 of the corpus has \"2-3\" as ID"},
    {"multiword token too long", CORPUS_CONLLU,
        SPAN(RANGE("1-3", "ab") U("1", "a", "0", "r") U("2", "b", "1", "x")),
        "the multiword token in line 1 of the corpus reaches to word 3, but the sentence ends with word 2"},
    {"multiword token backwards", CORPUS_CONLLU, SPAN(U("1", "a", "0", "r") RANGE("2-1", "ab")),
        "has \"2-1\" as ID"},
    {"empty nodes out of order", CORPUS_CONLLU, SPAN(U("1.1", "a", "_", "_")),
        "line 1 of the corpus has \"1.1\" as ID"},
    {"empty nodes, one left out", CORPUS_CONLLU,
        SPAN(U("1", "a", "0", "r") U("1.1", "x", "_", "_") U("1.3", "y", "_", "_")),
        "line 3 of the corpus has \"1.3\" as ID"},
    {"empty nodes, one twice", CORPUS_CONLLU,
        SPAN(U("1", "a", "0", "r") U("1.1", "x", "_", "_") U("1.1", "y", "_", "_")),
        "line 3 of the corpus has \"1.1\" as ID"},
    {"only an empty node", CORPUS_CONLLU, SPAN(U("0.1", "a", "_", "_")),
        "the sentence in line 1 of the corpus has no words"},
    {"no form", CORPUS_CONLLU, SPAN(U("1", " ", "0", "r")),
        "line 1 of the corpus has an empty FORM"},
    {"governor too large", CORPUS_CONLLU, SPAN(U("1", "a", "0", "r") U("2", "b", "3", "x")),
        "line 2 of the corpus has 3 as HEAD; another of the sentence's 2 words, or 0, was expected"},
    {"own governor", CORPUS_CONLLU, SPAN(U("1", "a", "0", "r") U("2", "b", "2", "x")),
        "line 2 of the corpus has 2 as HEAD"},
    {"governor is no number", CORPUS_CONLLU, SPAN(U("1", "a", "-1", "r")),
        "line 1 of the corpus has \"-1\" as HEAD"},
    {"two roots", CORPUS_CONLLU,
        SPAN(U("1", "a", "0", "r") U("2", "b", "1", "x") U("3", "c", "0", "r")),
        "lines 1 and 3 of the corpus both have 0 as HEAD; a sentence has one root"},
    {"no root", CORPUS_CONLLU, SPAN("\n" U("1", "a", "2", "r") U("2", "b", "1", "x")),
        "the sentence in line 2 of the corpus has no word with 0 as HEAD"},
    {"cycle", CORPUS_CONLLU,
        SPAN(U("1", "a", "0", "r") U("2", "b", "3", "x") U("3", "c", "2", "x")),
        "the word in line 2 of the corpus is its own governor, through others"},
    {"cycle beside a word without governor", CORPUS_CONLLU,
        SPAN(U("1", "a", "_", "r") U("2", "b", "3", "x") U("3", "c", "2", "x")),
        "the word in line 2 of the corpus is its own governor"},
    {"text has another word", CORPUS_CONLLU,
        SPAN("# text = a c\n" U("1", "a", "0", "r") U("2", "b", "1", "x")),
        "line 3 of the corpus has the word \"b\" where the sentence's \"# text\" goes on with \"c\""},
    {"text has more words", CORPUS_CONLLU, SPAN("# text = a c\n" U("1", "a", "0", "r")),
        "continues after its last word with \" c\""},
    {"text is empty", CORPUS_CONLLU, SPAN("# text =\n" U("1", "a", "0", "r")),
        "the word \"a\" where the sentence's \"# text\" goes on"},
    {"mark without number", CORPUS_COREF, SPAN("[a|x]"),
        "line 1 of the corpus has a mark with \"x]\" after its |"},
    {"entity 0", CORPUS_COREF, SPAN("[a|0]"), "the number of an entity, 1 or more, was expected"},
    {"entity too large", CORPUS_COREF, SPAN("[a|1000000000]"),
        "the number of an entity, 1 or more, was expected"},
    {"mark cut off", CORPUS_COREF, SPAN("x\n[a|1"),
        "line 2 of the corpus has a mark with \"1\" after its |"},
    {"mark without text", CORPUS_COREF, SPAN("x [|1]"),
        "line 1 of the corpus has a mark without text"},
    {"open mark", CORPUS_COREF, SPAN("[a|1] [b"),
        "line 1 of the corpus has a [ that is never closed"},
    {"open mark at the tab", CORPUS_COREF, SPAN("[a\tb|1]"),
        "line 1 of the corpus has a [ that is never closed"},
    {"bracket without mark", CORPUS_COREF, SPAN("a] b"),
        "line 1 of the corpus has a ] without a mark"},
    {"three sentences", CORPUS_COREF, SPAN("a\tb\tc"),
        "line 1 of the corpus has more than one tab"},
    {"no sentence B", CORPUS_COREF, SPAN("a\t"), "line 1 of the corpus has no second sentence"},
    {"gap, other columns", CORPUS_GAP, SPAN("ID\tText\n"),
        "line 1 of the corpus does not name the column \"Pronoun\""},
    {"gap, wrong offset", CORPUS_AUTO,
        SPAN(GAP_HEADER "t\tAnn she\tshe\t5\tAnn\t0\tTRUE\tAnn\t0\tTRUE\tu\n"),
        "line 2 of the corpus says that \"she\" begins at character \"5\" of its text, but it is not there"},
    {"gap, offset outside", CORPUS_AUTO,
        SPAN(GAP_HEADER "t\tAnn she\tshe\t4\tAnn\t9\tTRUE\tAnn\t0\tTRUE\tu\n"),
        "\"Ann\" begins at character \"9\""},
    {"gap, wrong flag", CORPUS_AUTO,
        SPAN(GAP_HEADER "t\tAnn she\tshe\t4\tAnn\t0\tyes\tAnn\t0\tTRUE\tu\n"),
        "line 2 of the corpus has the flag \"yes\"; TRUE or FALSE was expected"},
};

static void are_refused(void **state) {
    for (size_t i = 0; i < COUNT(bad); i++) {
        corpus c;
        span text = exact_copy(bad[i].text);
        bool opened = open_corpus(&c, text, bad[i].format);
        expect(0, bad[i].label, opened, &err, bad[i].sentence);
        free_span(text);
        teardown(state);
        setup(state);
    }
}

static void columns_by_name(void **state) {
    (void)state;
    span text = SPAN("a\tb\tsentence\ty\n1\t2\t3\t4\n");
    corpus c;
    corpus_options options = {.column_a = span_of("b"),
        .column_b = span_of("a"),
        .column_label = span_of("y")};
    assert_true(corpus_open(&c, &memory, text, &options, &err));
    assert_string_equal(shown(&c), "2:2|B=1|L=4(0)");
    options = (corpus_options){.column_a = span_of("y")};
    assert_true(corpus_open(&c, &memory, text, &options, &err));
    assert_string_equal(shown(&c), "2:4");
    options = (corpus_options){.column_label = span_of("nil")};
    expect(0, "label", corpus_open(&c, &memory, text, &options, &err), &err,
        "line 1 of the corpus does not name the column \"nil\"");
    error_clear(&err);
    options = (corpus_options){.column_b = span_of("a")};
    expect(0, "only b", corpus_open(&c, &memory, text, &options, &err), &err,
        "but none of first sentences");
}

static void format_names(void **state) {
    (void)state;
    for (int i = CORPUS_AUTO; i <= CORPUS_GAP; i++)
        assert_int_equal(corpus_format_number(span_of(corpus_format_name(i))), i);
    assert_int_equal(corpus_format_number(span_of("tsvx")), -1);
}

/* ---- words to tokens ---- */

static const char *aligned(const char *text, const char *vocab, int most) {
    static char out[512];
    corpus c;
    corpus_item item;
    encoding e;
    int first[16], count[16];
    const tokenizer *t = tokenizer_of(span_of(vocab));
    assert_non_null(t);
    assert_true(
        open_corpus(&c, span_of(text), CORPUS_CONLLU) && corpus_read(&c, 0, &item, &memory, &err));
    assert_true(tokenizer_encode(t, item.text[0], item.text[1], most, &memory, &scratch, &e, &err));
    corpus_align(&item, &e, first, count);
    size_t at = 0;
    for (int i = 0; i < item.word_count; i++) {
        int f, n;
        if (count[i]) at += (size_t)sprintf(out + at, "%d+%d ", first[i], count[i]);
        else at += (size_t)sprintf(out + at, "- ");
        corpus_align_range(&e, 0, item.words[i].from, item.words[i].to, &f, &n);
        assert_true(n >= count[i] && (count[i] == 0 || f <= first[i]));
    }
    return out;
}

static void words_to_tokens(void **state) {
    (void)state;
    static const char vocab[] =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\ncat\n##s\nsaw\ndon\n'\nt\nim\nhaus\n";
    /* a word of two pieces, repeated words */
    assert_string_equal(aligned(U("1", "The", "2", "det") U("2", "cats", "0", "r") U("3", "saw",
                                    "2", "x") U("4", "the", "5", "det") U("5", "cats", "3", "obj"),
                            vocab, 64),
        "1+1 2+2 4+1 5+1 6+2 ");
    /* the same cut off: the last word loses its second piece, then all of it */
    assert_string_equal(aligned(U("1", "the", "2", "det") U("2", "cats", "0", "r"), vocab, 4),
        "1+1 2+1 ");
    assert_string_equal(aligned(U("1", "cats", "2", "det") U("2", "cats", "0", "r"), vocab, 4),
        "1+2 - ");
    /* "don" reaches over do and n't; the rest is n't's */
    assert_string_equal(aligned(RANGE("1-2", "don't") U("1", "do", "0", "r")
                                    U("2", "n't", "1", "x"),
                            vocab, 64),
        "1+1 2+2 ");
    /* both words of "im" have its token, and one token alone may be all of several words */
    assert_string_equal(aligned(RANGE("1-2", "im") U("1", "in", "3", "c") U("2", "dem", "3", "d")
                                    U("3", "Haus", "0", "r"),
                            vocab, 64),
        "1+1 1+1 2+1 ");
    assert_string_equal(aligned(GLUED("1", "ca", "0", "r") U("2", "t", "1", "x")
                                    U("3", "the", "1", "x"),
                            vocab, 64),
        "1+1 - 2+1 ");
    /* what the tokenizer drops */
    assert_string_equal(aligned(U("1", "\xE2\x80\x8B", "2", "x") U("2", "cat", "0", "r"), vocab,
                            64),
        "- 1+1 ");
}

/* ---- size and memory ---- */

static void large_texts(void **state) {
    static const struct {
        corpus_format format;
        const char *piece;
        size_t times;
        int items;
    } rows[] = {
        {CORPUS_LINES, "One sentence of some words, no more.\n", 300000, 300000},
        {CORPUS_LINES, "word ", 2000000, 1},
        {CORPUS_CONLLU, U("1", "a", "0", "r") U("2", "b", "1", "x") "\n", 200000, 200000},
        {CORPUS_COREF, "[cat|1] [it|1*] \n", 500000, 500000},
        {CORPUS_COREF, "[a|1]", 2000000, 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char *text = repeated(rows[i].piece, rows[i].times);
        corpus c;
        clock_t begin = clock();
        if (!open_corpus(&c, span_of(text), rows[i].format)) fail_msg("row %zu: %s", i, err.text);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_int_equal(c.count, rows[i].items);
        /* under the sanitisers; natively under 0.2 s */
        if (seconds > 10) fail_msg("row %zu took %.1f s", i, seconds);
        free(text);
        teardown(state);
        setup(state);
    }
}

/* Opening marks within one another, a sentence that is one long chain, a form of many spaces:
 * linear time. */
static void deep_texts(void **state) {
    (void)state;
    enum { N = 200000 };
    char *open = repeated("[", N), *close = repeated("|1]", N), *text = malloc(4 * N + 2),
         *chain = malloc(60 * N), *at = chain;
    corpus c;
    assert_non_null(text);
    assert_non_null(chain);
    sprintf(text, "%sx%s", open, close);
    assert_true(open_corpus(&c, span_of(text), CORPUS_COREF));
    for (int i = 1; i <= N; i++)
        at += sprintf(at, "%d\ta\t_\t_\t_\t_\t%d\t_\t_\t_\n", i, i == N ? 0 : i + 1);
    assert_true(open_corpus(&c, span_of(chain), CORPUS_CONLLU));
    free(open);
    free(close);
    free(text);
    free(chain);
}

static void memory_may_run_out(void **state) {
    for (size_t i = 0; i < COUNT(good); i++) {
        bool done = false;
        for (int failures = 0; !done && failures < 100; failures++) {
            corpus c;
            corpus_item item;
            arena_fail_after = failures;
            done = open_corpus(&c, good[i].text, good[i].asked) &&
                corpus_read(&c, 0, &item, &scratch, &err);
            arena_fail_after = -1;
            if (!done) assert_true(strncmp(err.text, "memory: ", 8) == 0);
            teardown(state);
            setup(state);
        }
        assert_true(done);
    }
}

/* The labels outgrow their table many times. */
static void many_names(void **state) {
    (void)state;
    enum { N = 5000 };
    char *text = malloc(N * 24 + 20), *at = text;
    corpus c;
    corpus_item item;
    assert_non_null(text);
    at += sprintf(at, "sentence\tlabel\n");
    for (int i = 0; i < 2 * N; i++) at += sprintf(at, "s\t%d\n", i % N);
    assert_true(open_corpus(&c, span_of(text), CORPUS_AUTO));
    assert_int_equal(c.labels->count, N);
    assert_true(corpus_read(&c, N + 77, &item, &scratch, &err));
    assert_int_equal(item.label_number, 77);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        TEST(are_read),
        TEST(are_refused),
        TEST(columns_by_name),
        TEST(format_names),
        TEST(words_to_tokens),
        TEST(large_texts),
        TEST(deep_texts),
        TEST(memory_may_run_out),
        TEST(many_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
