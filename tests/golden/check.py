"""What the golden data are checked for: see README.md, "Checks". Nothing is written."""
import json
from pathlib import Path

import torch
from safetensors.torch import load_file

import mistakes
import models
import produce
import record
import texts

SHARED = Path(__file__).resolve().parents[2].parent / "shared/golden"
LEAST = 20  # tolerances by which a mistake must show
WITNESSED = {"bert-tiny-random": "BertForPreTraining", "bert-tiny-legacy": "BertForPreTraining", "bert-tiny-bare": "BertModel",
             "distilbert-tiny": "DistilBertForMaskedLM", "roberta-tiny": "RobertaForMaskedLM",
             "electra-tiny-discriminator": "ElectraForPreTraining", "electra-tiny-generator": "ElectraForMaskedLM",
             "albert-tiny": "AlbertForMaskedLM", "gpt2-tiny": "GPT2LMHeadModel"}


class Checks:
    def __init__(self):
        self.failed = 0

    def expect(self, true, sentence):
        if not true:
            self.failed += 1
            print(f"FAILED: {sentence}", flush=True)


def floats(out):
    return {n: x for n, x in out.items() if n not in produce.IDS}


def passes(recipe, model, tokenizer):
    """(case, tensors) of every input."""
    recorder = record.Recorder(model)
    for case in produce.cases_of(recipe, tokenizer, model.config):
        yield case, recorder.run(case["input_ids"], case["token_type_ids"]), recorder


# ---------------------------------------------------------------- weights and masks

def expected_mask(config, layer, count):
    place = torch.arange(count)
    away = place[:, None] - place[None, :]
    if config.model_type in models.CAUSAL:
        window = config.sliding_window if config.model_type == "mistral" else None
        return (away >= 0) & (away < (window or count))
    local = config.model_type == "modernbert" and layer % 3 != 0
    return away.abs() <= config.local_attention // 2 if local else torch.ones(count, count, dtype=torch.bool)


def peaked(checks, recipe):
    """Rows are neither even nor single-minded; no bias is 0, no gain 1; a query sees the keys that the README says it sees."""
    model, rows = produce.opened(recipe), {}
    for name, p in model.named_parameters():
        if name.endswith("bias") and p.ndim == 1:
            checks.expect((p != 0).all(), f"{recipe.name}: a bias of {name} is 0")
        elif p.ndim == 1:
            checks.expect((p != 1).all(), f"{recipe.name}: a gain of {name} is 1")
    for case, out, recorder in passes(recipe, model, texts.TOKENIZERS[recipe.family]()):
        for layer, seen in recorder.seen.items():
            probs, count = out[f"layer.{layer}.probs"], len(case["input_ids"])
            wanted = expected_mask(model.config, layer, count)
            checks.expect(seen is None or torch.equal(seen, wanted), f"{recipe.name}: layer {layer} has another mask")
            checks.expect((probs[:, ~wanted] == 0).all(), f"{recipe.name}: layer {layer} looks behind its mask")
            rows.setdefault(layer, []).append(probs.amax(-1)[:, wanted.sum(-1) > 1].flatten())
    means = [torch.cat(r).mean().item() for r in rows.values()]
    checks.expect(all(0.25 <= m <= 0.75 for m in means), f"{recipe.name}: largest weights of {means}")
    return means


# ---------------------------------------------------------------- mistakes

def distance(reference, wrong):
    """(tolerances, tensor) where the mistake shows best, and where it shows best in the attention weights."""
    found = [((wrong[n] - x).abs().max().item() / produce.TOLERANCE[produce.kind(n)], produce.kind(n))
             for n, x in floats(reference).items()]
    return max(found), max([f for f in found if f[1] == "probs"], default=(0.0, "probs"))


def dumped(recipe, model):
    """(input, tensor) -> value, of what the dumps hold."""
    tokenizer, found = texts.TOKENIZERS[recipe.family](), {}
    for case, out, _ in passes(recipe, model, tokenizer):
        found.update({f"{case['name']}.{n}": x for n, x in floats(produce.to_keep(recipe, case, out)).items()})
    return found


def measured(mistake, recipe, reference):
    model = produce.opened(recipe)
    with record.replaced(*(mistake.make(model) or [])):
        return distance(reference, dumped(recipe, model))


def find_mistakes(checks, recipes):
    chosen = {r.name: r for r in recipes}
    references = {}
    print("\n| mistake | models | shows at least | in | in `probs` |\n|---|---|---|---|---|")
    for mistake in mistakes.MISTAKES:
        rows = []
        for name in mistake.models:
            if name in chosen:
                references.setdefault(name, dumped(chosen[name], produce.opened(chosen[name])))
                rows.append((*measured(mistake, chosen[name], references[name]), name))
        if rows:
            (best, tensor), _, weakest = min(rows)
            in_probs = min(probs for _, (probs, _), _ in rows)
            print(f"| {mistake.name} | {', '.join(n for _, _, n in rows)} | {best:,.0f} × | `{tensor}` | {in_probs:,.0f} × |", flush=True)
            checks.expect(best >= LEAST, f"\"{mistake.name}\" shows {best:.1f} tolerances only, in {weakest}")


# ---------------------------------------------------------------- witnesses

def same_as_dumps(checks, label, model, dumps):
    """A model of transformers against dumps that are there. Returns the largest difference in parts of a tolerance."""
    recorder, worst = record.Recorder(model), 0.0
    for case in json.loads((dumps / "inputs.json").read_text())["inputs"]:
        out = recorder.run(case["input_ids"], case["token_type_ids"])
        for name, x in load_file(dumps / case["file"]).items():
            tensor, _, head = name.rstrip("]").partition("[")
            ours = out[tensor][int(head)] if head else out[tensor]
            if tensor in produce.IDS:
                checks.expect(torch.equal(ours, x), f"{label}: {name} of {case['name']}")
            elif tensor != "layer_norm":
                worst = max(worst, (ours - x.double()).abs().max().item() / produce.TOLERANCE[produce.kind(name)])
    checks.expect(worst < 0.1, f"{label}: {worst:.2f} of a tolerance away from its dumps")
    return worst


def witness(checks):
    """The independent forward passes of ../shared/golden (plain torch operations) against transformers."""
    import transformers
    if not SHARED.exists():
        return print(f"skipped: {SHARED} is not there")
    for name, cls in WITNESSED.items():
        model = getattr(transformers, cls).from_pretrained(SHARED / "models" / name, dtype=torch.float64,
                                                           attn_implementation=record.NAME)
        worst = same_as_dumps(checks, f"../shared/golden/{name}", model, SHARED / "dumps" / name)
        print(f"../shared/golden/{name}: transformers differs by {worst:.4f} of a tolerance")


def both_forms(checks, recipe):
    """config.published.json means the same model."""
    import transformers
    config = recipe.cls.config_class.from_json_file(produce.MODELS / recipe.name / "config.published.json")
    model = recipe.cls.from_pretrained(produce.MODELS / recipe.name, config=config, dtype=torch.float64,
                                       attn_implementation=record.NAME)
    same_as_dumps(checks, f"{recipe.name} with config.published.json", model, produce.DUMPS / recipe.name)


def listed(checks):
    rows = json.loads((produce.HERE / "models.json").read_text())["models"]
    names = {row["name"] for row in rows if not row["name"].startswith("bert-tiny-")}
    checks.expect(names == set(models.BY_NAME), f"models.json and models.py differ in {names ^ set(models.BY_NAME)}")


def float32_fits(checks, recipes):
    """transformers in float32 is well within the tolerances, or nobody could be."""
    for name, row in produce.measure(recipes).items():
        checks.expect(row["float32_error"] <= row["tolerance"] / 3, f"{name}: float32 is off by {row['float32_error']}")


def all_of_it(recipes):
    checks = Checks()
    listed(checks)
    for recipe in recipes:
        worst = same_as_dumps(checks, recipe.name, produce.opened(recipe), produce.DUMPS / recipe.name)
        means = peaked(checks, recipe)
        if recipe.published:
            both_forms(checks, recipe)
        print(f"{recipe.name}: recomputed to {worst:.4f} of a tolerance; largest weights on average "
              f"{', '.join(f'{m:.2f}' for m in means)} (a layer each)", flush=True)
    float32_fits(checks, recipes)
    witness(checks)
    find_mistakes(checks, recipes)
    print(f"\n{'all checks pass' if not checks.failed else f'{checks.failed} checks failed'}")
    return not checks.failed
