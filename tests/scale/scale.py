"""The programs of docs/scale.md as printed: each gives the bytes of one machine, also with the model in another folder and
the parts in another order. What is not installed (GNU parallel, dask, ray) is named and left out; for Slurm, which
takes machines of its own, a stand-in does what sbatch's manual says of the options that are used. And what docs/files.md
says of other programs that read the answers.

    python tests/scale/scale.py        with an interpreter that has tests/scale/requirements.txt
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "build/out/native"
MODEL = ROOT / "models/mini4-en"
SHARDS = 3
TEXTS = 60

SBATCH = r"""#!/usr/bin/env python3
import os, re, subprocess, sys
given, array, wrap, after = sys.argv[1:], None, None, None
while given and given[0].startswith("--"):
    name, _, value = given.pop(0).partition("=")
    if name == "--array": array = re.fullmatch(r"1-(\d+)", value).group(1)
    elif name == "--dependency": after = re.fullmatch(r"afterok:(\d+)", value).group(1)
    elif name == "--wrap": wrap = value or given.pop(0)
    else: assert name == "--parsable", name
if after is not None and open(f"state.{after}").read() != "0": sys.exit("DependencyNeverSatisfied")
command = ["sh", "-c", wrap] if wrap else ["sh", *given]
status = 0
for i in reversed(range(1, int(array) + 1)) if array else [None]:
    more = {"SLURM_ARRAY_TASK_ID": str(i), "SLURM_ARRAY_TASK_COUNT": array} if array else {}
    status = subprocess.run(command, env={**os.environ, **more}, stdout=sys.stderr).returncode or status
number = "17"
open(f"state.{number}", "w").write(str(status))
print(number)
"""


def programs():
    """The code of the document, by the name of the file that each says it is."""
    text = (ROOT / "docs/scale.md").read_text("utf-8")
    found = {}
    for code in re.findall(r"```(?:sh|python)\n(.*?)```", text, re.S):
        name = re.search(r"^(?:# |\"\"\")(\w+\.(?:sh|py)) MODEL", code, re.M)
        found[name.group(1)] = code
    assert sorted(found) == ["dask_study.py", "lines.sh", "parallel.sh", "ray_study.py", "shard.sh", "slurm.sh"], sorted(found)
    return found


def lacking():
    """Program -> what it takes and is not there."""
    out = {}
    for name, module in (("dask_study.py", "distributed"), ("ray_study.py", "ray")):
        if not importlib.util.find_spec(module):
            out[name] = module
    if not shutil.which("parallel"):
        out["parallel.sh"] = "GNU parallel"
    return out


def run(*command, at):
    path = f"{NATIVE}{os.pathsep}{at}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run([str(one) for one in command], cwd=at, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr[-2000:]}"
    return done.stdout


def shape_of(name, value):
    """What each program of docs/files.md is to have read."""
    return {
        "pandas": lambda: (value["layer"].max(), value["q"].dtype.kind, "local" in set(value["role"])),
        "safetensors": lambda: (len(value), set(value[f"line.{TEXTS}.sieves"].sizes), value["line.1.sieves"].shape),
        "datasets": lambda: (len(value), value[TEXTS - 1]["line"], value[0]["tokens"][0]["token"]),
    }[name]()


READ = {
    "pandas": (5, "f", True),
    "safetensors": (TEXTS, {"sieve", "layer", "head"}, (5, 6, 12)),
    "datasets": (TEXTS, TEXTS, "[CLS]"),
}


def read_elsewhere(corpus, at):
    (at / "run.jsonl").write_text(run("headlight", "run", MODEL, "--lines", corpus, at=at), "utf-8")
    (at / "roles.csv").write_text(run("headlight", "study", "roles", MODEL, corpus, "--csv", at=at), "utf-8")
    run("headlight", "measure", MODEL, "sieves", "--lines", corpus, "--dump", "sieves.safetensors", at=at)
    codes = re.findall(r"```python\n(import (\w+).*?)```", (ROOT / "docs/files.md").read_text("utf-8"), re.S)
    assert [name for _, name in codes] == list(READ), codes
    for code, name in codes:
        takes = re.search(r"import (.*)", code).group(1).replace(".numpy", "").split(", ")
        absent = [one for one in takes if not importlib.util.find_spec(one)]
        if absent:
            print(f"scale: what docs/files.md has for {name} is not run, which takes {', '.join(absent)}")
            continue
        found = {}
        os.chdir(at)
        exec(code, found)
        value = found[re.search(r"^(\w+) =", code, re.M).group(1)]
        assert shape_of(name, value) == READ[name], (name, shape_of(name, value))
        print(f"scale: {', '.join(takes)} read it")


def main():
    code, without = programs(), lacking()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        corpus = top / "corpus.txt"
        corpus.write_text("".join((ROOT / "corpora/texts.txt").open(encoding="utf-8").readlines()[:TEXTS]), "utf-8")
        elsewhere = top / "other place" / MODEL.name
        shutil.copytree(MODEL, elsewhere)
        one = run("headlight", "study", "roles", MODEL, corpus, at=top)
        for name, model in (("parallel.sh", elsewhere), ("slurm.sh", elsewhere), ("dask_study.py", elsewhere), ("ray_study.py", elsewhere)):
            if name in without:
                print(f"scale: {name} is not run, which takes {without[name]}")
                continue
            at = top / name.partition(".")[0]
            at.mkdir()
            for file in (name, "shard.sh"):
                (at / file).write_text(code[file], "utf-8")
            (at / "sbatch").write_text(SBATCH, "utf-8")
            (at / "sbatch").chmod(0o755)
            run(sys.executable if name.endswith("py") else "sh", name, model, corpus, SHARDS, at=at)
            assert (at / "answer.json").read_text("utf-8") == one, f"{name}: not the bytes of one machine"
            if name == "slurm.sh":
                backwards = [f"part.{i}" for i in range(SHARDS, 0, -1)]
                assert run("headlight", "study", "merge", *backwards, at=at) == one
            print(f"scale: {name}: the bytes of one machine from {SHARDS} shards")
        (top / "lines.sh").write_text(code["lines.sh"], "utf-8")
        run("sh", "lines.sh", MODEL, corpus, at=top)
        rows = (top / "table.csv").read_text("utf-8").splitlines()
        assert rows[0] == "line,pattern,layer,head,value" and rows[-1].startswith(f"{TEXTS},")
        print(f"scale: lines.sh: {len(rows) - 1} rows of {TEXTS} texts")
        read_elsewhere(corpus, top)


main()
