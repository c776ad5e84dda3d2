"""train - trains the model of a recipe on prepared text; resumes where it was stopped.

    python train.py RECIPE.json OUT [--data DIR] [--set key=value ...] [--minutes N] [--evaluate CONLLU]

A recipe (recipes/*.json):
    objective   "masked+next", "masked" or "causal"
    data        a folder of text.py prepare
    shape       of the configuration: hidden_size, num_hidden_layers, ...        (when `begin` is none)
    begin       a Hugging Face folder to begin with
    pairs       shares of the kinds of pairs (text.py); a masked model only
    repeats     the share of stretches in which a part is said again (text.py Stream); a causal model only
    stages      [{"length", "batch", "tokens"}]: one after the other; `tokens` are counted with padding
    rate, warmup, decay   peak of AdamW's rate; shares of all tokens in which it rises, and falls to a tenth
    encoder_rate          the share of the rate that all but the heads of `begin` learn with
    head_first            tokens in which only a new head learns
    learn                 what learns, as beginnings of names of parameters; all else stays as `begin` has it, to the bit
    new_mask              true: the embedding of [MASK] begins as that of [UNK] and learns, also where the others do not
    mask                  {"chance": of a token, 0.13; "mask": the share of those that become [MASK], 0.8; "words": the share of words of which
                          all tokens are picked or none, 0 (text.py prepare --words)}
    distil      {"teacher": folder, "layer": teacher's, "at": student's, "relations": weight, "heads": number,
                 "logits": weight, "kept": kept.json of text.py cut}
    attention   {"teacher": folder of a model of the same shape and vocabulary, "weight": of KL between its attention maps and the
                 model's, "heads": [[layer, head], ...], all if there is none, "sharpen": what its scores are multiplied by, 1}

OUT/state.pt is written every few minutes and is enough to go on; OUT/model is the Hugging Face folder; OUT/log.jsonl has a line
a while: tokens, losses, tokens a second, and what evaluate.py finds.
"""

import argparse
import json
import math
import multiprocessing
import os
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import networks
import packed
from evaluate import evaluate
from text import Pairs, Stream, tokenizer_of


class Batches:
    """Batches that worker processes make ahead. Each worker has a seed of its own, also after resuming."""

    def __init__(self, make, stage, seed, workers):
        self.queue = multiprocessing.Queue(maxsize=4 * workers)
        self.workers = [
            multiprocessing.Process(target=self.work, args=(make, stage, seed * 1000 + i), daemon=True) for i in range(workers)
        ]
        for worker in self.workers:
            worker.start()

    def work(self, make, stage, seed):
        torch.set_num_threads(1)
        source = make(stage['length'], seed)
        while True:
            self.queue.put(source.batch(stage['batch']))

    def next(self, device):
        return [torch.from_numpy(a).to(device, non_blocking=True) for a in self.queue.get()]

    def close(self):
        for worker in self.workers:
            worker.kill()


def by_word(draws, inside, share, generator):
    """Random numbers of tokens; in the share `share` of the words, all tokens have the same one."""
    flat, word = draws.flatten(), (~inside.flatten()).long().cumsum(0)
    ones = torch.zeros_like(flat).scatter(0, word - 1, flat)  # one of the numbers of each word
    whole = torch.rand(flat.shape, generator=generator, device=flat.device) < share
    return torch.where(whole[word - 1], ones[word - 1], flat).view_as(draws)


def masked(ids, used, inside, special, mask_id, vocab, generator, chance=0.13, mask=0.8, words=0.0):
    """15 % of the tokens: 80 % of them become [MASK], 10 % another piece, 10 % stay (Devlin et al. 2019). Where a piece occurs
    again in its sequence it is picked twice as often, since it can be looked up there."""
    ordinary = used & ~torch.isin(ids, special)
    order, at = ids.masked_fill(~ordinary, -1).sort(dim=1)
    twin = torch.zeros_like(ordinary)
    twin[:, 1:] |= order[:, 1:] == order[:, :-1]
    twin[:, :-1] |= order[:, 1:] == order[:, :-1]
    repeated = torch.zeros_like(ordinary).scatter(1, at, twin) & ordinary
    draws = torch.rand(ids.shape, generator=generator, device=ids.device) / (1 + repeated.float())
    picked = ordinary & ((by_word(draws, inside, words, generator) if words else draws) < chance)
    fate = torch.rand(ids.shape, generator=generator, device=ids.device)
    random = torch.randint(len(special), vocab, ids.shape, generator=generator, device=ids.device)
    seen = torch.where(picked & (fate < mask), mask_id, ids)
    return torch.where(picked & (fate >= mask) & (fate < 0.5 + 0.5 * mask), random, seen), picked


class Trainer:
    def __init__(self, recipe, out, data, device):
        self.recipe, self.out, self.device = recipe, out, device
        self.data = Path(data or recipe['data'])
        self.tokenizer = tokenizer_of(self.data)
        torch.manual_seed(recipe.get('seed', 0))
        self.model = networks.make(
            recipe.get('shape', {}), len(self.tokenizer), recipe['objective'], recipe.get('begin')
        ).to(device)
        if device.type == 'cpu':
            self.model.set_attn_implementation('eager')  # the fused one of PyTorch 2.13 is slow on its way back there
        if recipe.get('learn'):
            networks.freeze(self.model, recipe['learn'])
        self.renewed = None
        if recipe.get('new_mask'):
            self.renewed = networks.renew(self.model, self.tokenizer.mask_token_id, self.tokenizer.unk_token_id)
        self.base = networks.base_of(self.model)
        self.special = torch.tensor(sorted(self.tokenizer.all_special_ids), device=device)
        self.generator = torch.Generator(device=device).manual_seed(1)
        self.total = sum(stage['tokens'] for stage in recipe['stages'])
        self.seen = self.steps = 0
        self.teach()
        self.optimiser = torch.optim.AdamW(self.groups(), lr=recipe['rate'], betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.restore()

    # ---- what it learns from ----

    def teach(self):
        recipe, self.watch, self.teacher, self.shown = self.recipe, None, None, None
        distil = recipe.get('distil')
        if distil:
            self.teacher = networks.open_masked(distil['teacher']).to(self.device).eval().requires_grad_(False)
            kept = json.loads(Path(distil['kept']).read_text()) if distil.get('kept') else range(len(self.tokenizer))
            self.kept = torch.tensor(list(kept), device=self.device)
            self.watch = networks.Watch(self.model, [distil['at']])
            self.watched = networks.Watch(self.teacher, [distil['layer']])
        if recipe.get('attention'):
            if distil:
                raise ValueError('attention: not together with distil, whose forward pass keeps no scores')
            self.shown = networks.encoder(recipe['attention']['teacher']).to(self.device)
            counts = self.base.config.num_hidden_layers, self.base.config.num_attention_heads
            self.heads = recipe['attention'].get('heads') or list(np.ndindex(counts))
            self.shown.encoder.layer = self.shown.encoder.layer[: 1 + max(layer for layer, _ in self.heads)]

    def groups(self):
        """No weight decay of biases and gains; the encoder of a model that was trained before has a lower rate."""
        slow = self.recipe.get('encoder_rate', 1.0)
        groups = {}
        for name, p in self.model.named_parameters():
            if not p.requires_grad:
                continue
            own = not name.startswith(('cls.', 'lm_head.'))
            groups.setdefault((own, p.ndim > 1 and p is not self.renewed), []).append(p)
        return [
            {'params': params, 'share': slow if own else 1.0, 'own': own, 'weight_decay': 0.01 if wide else 0.0}
            for (own, wide), params in groups.items()
        ]

    def rate(self):
        done, recipe = self.seen / self.total, self.recipe
        up, down = recipe.get('warmup', 0.03), recipe.get('decay', 0.9)
        share = min(done / up, 1.0) if done < up else 1.0
        if done > 1 - down:
            share *= 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (done - 1 + down) / down))
        only_head = self.seen < recipe.get('head_first', 0)
        for group in self.optimiser.param_groups:
            group['lr'] = 0.0 if only_head and group['own'] else recipe['rate'] * share * group['share']

    # ---- one step ----

    def losses(self, ids, types, used, labels, inside):
        if self.recipe['objective'] == 'causal':
            hidden = self.base(input_ids=ids).last_hidden_state[:, :-1]
            logits = self.model.lm_head(hidden)
            return {'next_token': F.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten())}
        seen, picked = masked(
            ids, used, inside, self.special, self.tokenizer.mask_token_id, len(self.tokenizer), self.generator,
            **self.recipe.get('mask', {}),
        )
        inputs = {'token_type_ids': types, 'attention_mask': used}
        heads, scores = self.model.cls, []
        if self.watch is None:
            wanted = picked.clone()
            wanted[:, 0] = True
            hidden = packed.encode(self.base, seen, types, used, wanted, scores)
            asked = picked[wanted]
            found, first = hidden[asked], hidden[~asked]  # [CLS] is never picked
        else:
            output = self.base(input_ids=seen, **inputs)
            found, first = output.last_hidden_state[picked], output.last_hidden_state[:, 0]
        logits = (heads.predictions if hasattr(heads, 'predictions') else heads)(found).float()
        losses = {'masked': F.cross_entropy(logits, ids[picked])}
        if self.recipe['objective'] == 'masked+next' and (labels >= 0).any():
            pooled = self.base.pooler(first[:, None])
            losses['next'] = F.cross_entropy(heads.seq_relationship(pooled).float(), labels, ignore_index=-100)
        if self.teacher is not None:
            losses |= self.distilled(seen, inputs, used, picked, logits)
        if self.shown is not None:
            losses['attention'] = self.apart(scores, seen, types, used)
        return losses

    def apart(self, scores, seen, types, used):
        """How far the attention maps of some heads are from those of the teacher's: the mean over these heads, weighted."""
        shown, wanted = [], torch.zeros_like(used)
        with torch.no_grad():
            packed.encode(self.shown, seen, types, used, wanted, shown)
        mine, its = (torch.stack([of[layer][:, head] for layer, head in self.heads], 1).float() for of in (scores, shown))
        given = self.recipe['attention']
        return given['weight'] * networks.divergence(mine, given.get('sharpen', 1.0) * its, used)

    def distilled(self, seen, inputs, used, picked, logits):
        distil, losses = self.recipe['distil'], {}
        with torch.no_grad():
            output = networks.base_of(self.teacher)(input_ids=self.kept[seen], **inputs)
            said = self.teacher.cls.predictions(output.last_hidden_state[picked])[:, self.kept].float()
        if distil.get('logits'):
            losses['logits'] = distil['logits'] * F.kl_div(
                logits.log_softmax(-1), said.log_softmax(-1), log_target=True, reduction='batchmean'
            )
        for name in ('query', 'key', 'value') if distil.get('relations') else ():
            mine = self.watch.relations(distil['at'], name, distil['heads'])
            other = self.watched.relations(distil['layer'], name, distil['heads'])
            losses[name] = distil['relations'] * networks.divergence(mine, other, used)
        return losses

    def step(self, batch):
        self.model.train()
        self.rate()
        with torch.autocast(self.device.type, torch.bfloat16):
            losses = self.losses(*batch)
        loss = sum(losses.values())
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        if torch.isfinite(loss):
            self.optimiser.step()
        self.seen += batch[0].numel()
        self.steps += 1
        return {name: float(value.detach()) for name, value in losses.items()}

    # ---- keeping ----

    def store(self):
        part = self.out / 'state.part'
        torch.save({'model': self.model.state_dict(), 'optimiser': self.optimiser.state_dict(), 'seen': self.seen,
                    'steps': self.steps}, part)
        os.replace(part, self.out / 'state.pt')
        networks.save(self.model, self.out / 'model', self.data)

    def restore(self):
        path = self.out / 'state.pt'
        if path.exists():
            state = torch.load(path, map_location=self.device, weights_only=True)
            self.model.load_state_dict(state['model'])
            self.optimiser.load_state_dict(state['optimiser'])
            self.seen, self.steps = state['seen'], state['steps']
            print(f'goes on after {self.seen} tokens')

    def stage(self):
        """The stage that it is in, and where that ends; none: all is done."""
        end = 0
        for stage in self.recipe['stages']:
            end += stage['tokens']
            if self.seen < end:
                return stage, end
        return None, end


def make_source(recipe, data, end_id):
    def make(length, seed):
        if recipe['objective'] == 'causal':
            return Stream(data, length, end_id, seed, recipe.get('repeats', 0.0))
        return Pairs(data, length, recipe.get('pairs', {'one': 0.3, 'next': 0.35, 'other': 0.35}), seed)

    return make


def train(trainer, minutes, conllu, every, workers, curve):
    begun = said = time.time()
    make = make_source(trainer.recipe, trainer.data, trainer.tokenizer.eos_token_id or 0)
    sums, count, last, early = {}, 0, trainer.seen, trainer.steps + 30  # an early line, to see that it learns
    while curve <= trainer.seen:
        curve *= 2
    while (time.time() - begun) / 60 < minutes:
        stage, end = trainer.stage()
        if stage is None:
            break
        batches = Batches(make, stage, trainer.steps + 1, workers)
        while trainer.seen < end and (time.time() - begun) / 60 < minutes:
            for name, value in trainer.step(batches.next(trainer.device)).items():
                sums[name] = sums.get(name, 0.0) + value
            count += 1
            if time.time() - said > every or trainer.steps == early or trainer.seen >= curve:
                curve *= 2 if trainer.seen >= curve else 1
                report(trainer, sums, count, (trainer.seen - last) / (time.time() - said), conllu)
                sums, count, last, said = {}, 0, trainer.seen, time.time()
        batches.close()
    report(trainer, sums, max(count, 1), (trainer.seen - last) / max(time.time() - said, 1e-9), conllu)


def report(trainer, sums, count, speed, conllu):
    line = {'tokens': trainer.seen, 'steps': trainer.steps, 'tokens_per_s': round(speed)}
    line |= {name: round(total / count, 4) for name, total in sums.items()}
    if conllu and trainer.recipe['objective'] != 'causal':
        line |= evaluate(trainer.model, trainer.tokenizer, conllu)
    print(json.dumps(line), flush=True)
    with open(trainer.out / 'log.jsonl', 'a') as file:
        file.write(json.dumps(line) + '\n')
    trainer.store()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('recipe', type=Path)
    parser.add_argument('out', type=Path)
    parser.add_argument('--data', type=Path)
    parser.add_argument('--set', nargs='*', default=[], help='key=JSON, in place of what the recipe has')
    parser.add_argument('--minutes', type=float, default=math.inf)
    parser.add_argument('--every', type=float, default=300, help='seconds between two lines of the log')
    parser.add_argument('--curve', type=float, default=math.inf, help='tokens after which there is a line of the log, and at each doubling')
    parser.add_argument('--evaluate', type=Path)
    parser.add_argument('--workers', type=int, default=max(1, (os.cpu_count() or 2) - 1))
    given = parser.parse_args()
    recipe = json.loads(given.recipe.read_text())
    for one in given.set:
        key, _, value = one.partition('=')
        if key not in recipe:
            parser.error(f'--set {key}: the recipe has no such key; it has {", ".join(recipe)}')
        recipe[key] = json.loads(value)
    given.out.mkdir(parents=True, exist_ok=True)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    torch.set_float32_matmul_precision('high')
    trainer = Trainer(recipe, given.out, given.data, device)
    print(f'{networks.size_of(trainer.model) / 1e6:.1f} M parameters on {device}, {trainer.total / 1e6:.0f} M tokens in all')
    train(trainer, given.minutes, given.evaluate, given.every, given.workers, given.curve)


if __name__ == '__main__':
    main()
