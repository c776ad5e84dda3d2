/* fuzz_intervene - any question about a text: refused with a sentence, or answered, each of its passes run, in valid JSON and
 * as a table; the session's own text stays what it was, or is that of the question.
 */
#include "headlight.h"

#include "base/json.h"

#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) abort();                                                                 \
    } while (0)

static const char config[] =
    "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
    "\"intermediate_size\":16,\"vocab_size\":12,\"max_position_embeddings\":8,\"type_vocab_size\":2,"
    "\"architectures\":[\"BertForMaskedLM\"]}";
static const char vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\n##d\n.\n,\n##e\n";

static hl_session *open_model(void) {
    hl_session *s = hl_open();
    MUST(s && hl_load_config(s, config, (int)strlen(config)) &&
        hl_load_vocab(s, vocab, (int)strlen(vocab)) && hl_load_random(s, HL_F32, 1));
    return s;
}

static void check_answer(hl_session *s) {
    error err = {""};
    arena work;
    arena_init(&work, &err);
    const char *text = hl_intervention_answer(s, "", 0);
    MUST(text && json_parse(&work, span_of(text), "state", "the answer", &err));
    arena_free(&work);
    text = hl_intervention_answer(s, "{\"csv\":true}", 12);
    MUST(text && strncmp(text, "kind,layer,head,", 16) == 0);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
    static hl_session *s;
    if (!s) s = open_model();
    MUST(hl_tokenize(s, "a [MASK] c", 10, NULL, -1, 0) == 5);
    int32_t state[2];
    if (!hl_intervention_begin(s, (const char *)bytes, (int)size)) {
        MUST(strchr(hl_error(s), ':'));
        MUST(!hl_intervention_state(s, state));
        return 0;
    }
    MUST(hl_token_count(s) > 0 && hl_intervention_state(s, state) && state[1] == 0);
    int half = state[0] / 2, tokens = hl_token_count(s);
    MUST(hl_intervention_step(s, half, state[0] - half));
    check_answer(s);
    MUST(hl_intervention_step(s, 0, half) && hl_token_count(s) == tokens);
    MUST(hl_intervention_state(s, state) && state[0] == state[1]);
    check_answer(s);
    return 0;
}
