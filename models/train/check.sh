#!/usr/bin/env bash
# check.sh [TEXT]: the whole recipe on 200 kB of text, in a folder of its own, in under five minutes: vocabulary, tokens, a small
# masked model, another that learns from it, one that begins as it, cut, a causal one, a fine-tuned one, evaluation, and each of them
# converted and run by headlight. It fails when a step fails, when training does not lower the loss, or when headlight's attention is not transformers'.
# PYTHON names an interpreter that has what requirements.txt lists; TEXT is ../shared/corpus/en.txt.xz.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd); top=$here/../..
python=${PYTHON:-python3}
text=${1:-$top/../shared/corpus/en.txt.xz}
[ -e "$text" ] || { echo "check.sh: $text is not there; name a text: a paragraph a line, a blank line between documents"; exit 2; }
"$python" -c 'import torch, transformers, tokenizers' || { echo "check.sh: $python -m pip install -r $here/requirements.txt"; exit 2; }
[ -x "$top/build/out/native/headlight" ] || make -C "$top" -s native
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
export TRANSFORMERS_VERBOSITY=error HF_HUB_DISABLE_PROGRESS_BARS=1
begin=$SECONDS
say() { echo "check.sh: $* ($((SECONDS - begin)) s)"; }
case $text in *.xz) xz -dc "$text" 2>/dev/null | head -c 200000 >text.txt || true ;; *) head -c 200000 "$text" >text.txt ;; esac
run() { "$python" "$here/$@"; }

run text.py vocab text.txt words --size 2000
run text.py prepare text.txt data --vocab words/vocab.txt
run text.py cut data cut --size 1500
run text.py prepare text.txt onedata --vocab cut/vocab.txt
printf '# newdoc\n# text = %s\n' "A city of people." "It had never been seen." >few.conllu
run text.py prepare few.conllu fewdata --vocab cut/vocab.txt
run text.py join onedata cutdata --more fewdata --times 3
PYTHONPATH=$here "$python" - <<'END'
import numpy as np
from text import Pairs, tokenizer_of
one, few, both = (Pairs(f'{name}data', 64, {'one': 1}, 0) for name in ('one', 'few', 'cut'))
few_sentences, few_documents = len(few.sentences) - 1, len(few.documents) - 1
assert (few_sentences, few_documents) == (2, 2), (few_sentences, few_documents)
assert len(both.sentences) == len(one.sentences) + 3 * few_sentences and len(both.documents) == len(one.documents) + 3 * few_documents
assert np.array_equal(both.sentence(len(one.sentences) - 2), one.sentence(len(one.sentences) - 2))
for i in range(3 * few_sentences):
    assert np.array_equal(both.sentence(len(one.sentences) - 1 + i), few.sentence(i % few_sentences))
assert tokenizer_of('cutdata').decode(few.sentence(0)).replace(' ', '') == 'acityofpeople.'
END
# Chinese: sentences end with their quotes and not inside a title, a word is masked as a whole, and a model of English begins with its pieces
cat >zh.txt <<'END'
《怎么办？》是一部小说。他说：「我们走吧！」她没有回答，只看着窗外的天空。

The city 城市里的人们喜欢在公园里散步。今天的天气很好……孩子们都出来了！
END
run text.py vocab zh.txt zhwords --size 300
run text.py prepare zh.txt zhdata --vocab zhwords/vocab.txt --words
PYTHONPATH=$here "$python" - <<'END'
import torch
from text import Pairs, documents_of, sentences_of, tokenizer_of
from train import masked
assert sentences_of('He said "Go." Then he left.') == ['He said "Go."', 'Then he left.']
first = list(documents_of('zh.txt'))[0]
assert first == ['《怎么办？》是一部小说。', '他说：「我们走吧！」', '她没有回答，只看着窗外的天空。'], first
tokenizer = tokenizer_of('zhdata')
ids, _, used, _, inside = (torch.from_numpy(a) for a in Pairs('zhdata', 64, {'one': 1}, 0).batch(64))
words = [''.join(tokenizer.convert_ids_to_tokens(part)) for part in torch.tensor_split(ids[0], (~inside[0]).nonzero()[:, 0]) if len(part)]
assert '小说' in words or '城市' in words or '天空' in words, words
special = torch.tensor(sorted(tokenizer.all_special_ids))
picked = masked(ids, used, inside, special, tokenizer.mask_token_id, len(tokenizer), None, 0.2, words=1.0)[1]
goes_on = inside[:, 1:] & used[:, 1:]
assert goes_on.any() and (picked[:, 1:] == picked[:, :-1])[goes_on].all()
assert 0.1 < picked[used].float().mean() < 0.35
END
run text.py bpe text.txt merges --size 1500
run text.py prepare text.txt bpedata --vocab merges
say "tokens"

shape='"shape": {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128, "max_position_embeddings": 64}'
stages='"stages": [{"length": 32, "batch": 32, "tokens": 120000}, {"length": 64, "batch": 16, "tokens": 40000}]'
cat >teacher.json <<END
{"objective": "masked+next", "data": "data", $shape, "pairs": {"one": 0.2, "next": 0.3, "other": 0.3, "copy": 0.1, "shares": 0.05, "pronoun": 0.05}, $stages, "rate": 3e-3}
END
cat >student.json <<END
{"objective": "masked+next", "data": "cutdata", $shape, $stages, "rate": 3e-3,
 "distil": {"teacher": "teacher/model", "kept": "cut/kept.json", "layer": 1, "at": 1, "heads": 8, "relations": 1.0, "logits": 1.0}}
END
cat >further.json <<END
{"objective": "masked", "data": "data", "begin": "teacher/model", "attention": {"teacher": "teacher/model", "weight": 1.0, "heads": [[0, 1], [1, 0]]}, "encoder_rate": 0.4, "head_first": 30000, $stages, "rate": 1e-3}
END
cat >frozen.json <<END
{"objective": "masked", "data": "data", "begin": "teacher/model", "mask": {"chance": 0.14, "mask": 0.9}, "new_mask": true, $stages, "rate": 1e-3,
 "learn": ["cls.predictions.transform", "cls.predictions.bias", "bert.encoder.layer.1.attention.self.value",
           "bert.encoder.layer.1.attention.output", "bert.encoder.layer.1.intermediate", "bert.encoder.layer.1.output"]}
END
cat >smaller.json <<END
{"objective": "masked+next", "data": "cutdata", "begin": "begin", $stages, "rate": 3e-3}
END
cat >causal.json <<END
{"objective": "causal", "data": "bpedata", "shape": {"n_embd": 64, "n_layer": 2, "n_head": 4, "n_positions": 64}, $stages, "rate": 3e-3}
END
run train.py teacher.json teacher --every 20 --minutes 0.2
run train.py teacher.json teacher --every 20                      # goes on where it was stopped
run cut.py teacher/model cutdata begin --kept cut/kept.json --feed_forward 96 --positions 64
run adopt.py teacher/model zhdata begin-zh
PYTHONPATH=$here "$python" - <<'END'
import torch
import networks
from text import tokenizer_of
(old, new), names = [networks.open_masked(f) for f in ('teacher/model', 'begin-zh')], ['data', 'begin-zh']
ids = [tokenizer_of(name).convert_tokens_to_ids for name in names]
rows = [m.get_input_embeddings().weight for m in (old, new)]
for piece, other in (('[CLS]', '[CLS]'), ('t', 't'), ('.', '。')):
    assert torch.equal(rows[0][ids[0](piece)], rows[1][ids[1](other)]), piece
assert new.config.vocab_size == len(rows[1]) == len(tokenizer_of('begin-zh'))
assert torch.equal(old.bert.encoder.layer[1].attention.self.query.weight, new.bert.encoder.layer[1].attention.self.query.weight)
END
for name in student further smaller causal; do run train.py $name.json $name --every 20; done
printf '# text = %s\n' "the people of the city had never seen a thing like this before" >one.conllu
run train.py frozen.json frozen --every 20 --curve 40000 --evaluate one.conllu
say "six models"
"$python" - <<'END'
import json
for name in ('teacher', 'student', 'further', 'smaller', 'frozen', 'causal'):
    rows = [json.loads(line) for line in open(f'{name}/log.jsonl')]
    loss = [row['next_token' if name == 'causal' else 'masked'] for row in rows if 'masked' in row or 'next_token' in row]
    assert rows[-1]['tokens'] >= 160000, (name, rows[-1])
    assert len(loss) > 1 and loss[-1] < loss[0], (name, loss)
    if name == 'frozen':
        curve = [row['tokens'] for row in rows if 'pieces' in row]
        for tokens in (40000, 80000, 160000):
            assert any(tokens <= t < tokens + 2000 for t in curve), (tokens, curve)
END
# a sequence without its padding, and only some of its tokens at the end: what transformers computes, and its gradients
PYTHONPATH=$here "$python" - <<'END'
import torch
import networks, packed
from text import Pairs
model = networks.open_masked('teacher/model')
ids, types, used, *_ = (torch.from_numpy(a) for a in Pairs('data', 64, {'one': 0.5, 'next': 0.5}, 0).batch(24))
wanted = used & (torch.rand(used.shape, generator=torch.Generator().manual_seed(0)) < 0.2)
assert not used.all() and wanted.any()
weights = torch.randn(int(wanted.sum()), 64, generator=torch.Generator().manual_seed(1))
found = []
model.set_attn_implementation('eager')
whole, scores = model.bert(input_ids=ids, token_type_ids=types, attention_mask=used, output_attentions=True), []
for rows in (packed.encode(model.bert, ids, types, used, wanted, scores), whole.last_hidden_state[wanted]):
    model.zero_grad()
    (rows * weights).sum().backward()
    found.append([rows.detach(), *(p.grad for n, p in model.bert.named_parameters() if p.grad is not None)])
worst = max(float((a - b).abs().max() / (1 + b.abs().max())) for a, b in zip(*found, strict=True))
print(f'packed: largest difference of rows and gradients {worst:.2g}')
assert worst < 1e-5, worst
for mine, its in zip(scores, whole.attentions, strict=True):
    assert float((mine.softmax(-1) - its).detach()[used[:, None].expand(-1, 4, -1)].abs().max()) < 1e-5
END
# attention of some heads as a teacher's: nothing apart from itself, and another head's change is not theirs
PYTHONPATH=$here "$python" - <<'END'
import json
from pathlib import Path
import torch
from train import Trainer, make_source
recipe = json.loads(Path('further.json').read_text()) | {'objective': 'masked'}
batch = [torch.from_numpy(a) for a in make_source(recipe, Path('data'), 0)(64, 0).batch(8)]
def apart(heads, sharpen=1.0):
    recipe['attention'] = {'teacher': 'teacher/model', 'weight': 2.0, 'heads': heads, 'sharpen': sharpen}
    trainer = Trainer(recipe, Path('nowhere'), None, torch.device('cpu'))
    trainer.model.bert.encoder.layer[1].attention.self.query.weight.data[16:32] *= 3  # head 1 of layer 1
    return float(trainer.losses(*batch)['attention'].detach())
assert abs(apart([[0, 1], [1, 0]])) < 1e-5
assert apart([[0, 1], [1, 1]]) > 1e-3 and apart([[0, 1]], 2.0) > 1e-3
END
# what the frozen model was not to learn: every attention map is that of the model it began as
run maps.py teacher/model frozen/model one.conllu | tee maps.txt
test "$(grep -c '"largest": 0.0,' maps.txt)" = 2
# between two models: layer 0 of one, layer 1 half way
run mix.py further/model frozen/model between --share 0.5 --of bert.embeddings=0 bert.encoder.layer.0.=0
run maps.py further/model between one.conllu | tee maps.txt
test "$(grep -c '"largest": 0.0,' maps.txt)" = 1

printf 'sentence\tlabel\n' >train.tsv
for i in $(seq 60); do printf 'the good %s day\t1\nthe bad %s day\t0\n' "$i" "$i"; done >>train.tsv
run finetune.py sentiment teacher/model tuned --train train.tsv --dev train.tsv --epochs 12 --rate 2e-3 | tee tuned.txt
tail -n 1 tuned.txt | grep -q '"accuracy": 1.0'
for i in $(seq 60); do
    printf '1\tThe\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tthings\t_\tNOUN\t_\t_\t_\t_\t_\t_\n3\tstand\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n'
done >tags.conllu
run finetune.py speech teacher/model tagged --train tags.conllu --dev tags.conllu --epochs 4 --rate 3e-3
run finetune.py speech tagged --dev tags.conllu | grep -q '"accuracy": 1.0'
run evaluate.py teacher/model one.conllu
say "fine-tuned, evaluated"

for name in begin-zh teacher/model student/model further/model smaller/model causal/model tuned tagged; do
    "$top/build/out/native/headlight" convert $name $name-q8 --store q8 >/dev/null
    run agrees.py "$top/build/out/native/headlight" $name $name-q8
done
headlight=$top/build/out/native/headlight
run causal.py "$headlight" causal/model one.conllu --again 20 >heads.txt
cat heads.txt
test "$(grep -cE '^(next|sink|previous|induction)' heads.txt)" = 5
# a model of seconds has none of what the default must have: bars.py says so, measure by measure, and ends with 1
if run bars.py "$headlight" smaller/model one.conllu "$top/corpora/sentences.conllu" --limit 20 >bars.txt; then exit 1; fi
cat bars.txt
test "$(grep -cE '^(ok  |NOT )' bars.txt)" -ge 10
# a translation of seconds says nothing right; but headlight reads its folder, and says of its heads what is said here
run translate.py data numbers --held 40
run translate.py train numbers --held 40 --steps 40 2>/dev/null
run translate.py evaluate numbers numbers/model --aligned 40 2>/dev/null | tee aligned.txt
paste numbers/held.de numbers/held.en numbers/held.align >held.tsv
"$headlight" study alignment numbers/model held.tsv --columns 1,2,3 --store f32 >aligned.json
"$python" - <<'END'
import json
found = json.load(open('aligned.json'))['aer']
said = {row.split()[0] + row.split()[1]: float(row.split()[2]) for row in open('aligned.txt') if row.startswith(('says', 'reads'))}
for shift, rates in zip(('says', 'reads'), found, strict=True):
    for i, rate in enumerate(rates):
        assert abs(rate - said[f'{shift}L{i // 4}H{i % 4}']) < 1e-4, (shift, i)
END
"$headlight" convert frozen/model frozen-q8 --store q8 >/dev/null
"$headlight" run frozen-q8 "the people of [MASK]" >whole.txt
run parts.py frozen-q8 frozen.json
test ! -e frozen-q8/model.safetensors
"$headlight" run frozen-q8 "the people of [MASK]" | cmp - whole.txt
say "done"
