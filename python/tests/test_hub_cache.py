"""The npm package and huggingface_hub keep models in one cache: what either has downloaded the other does not ask for
again. A folder of this machine is served as the hub serves it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from conftest import ROOT

pytest.importorskip("huggingface_hub")
NODE = shutil.which("node")
FOLDER = ROOT / "tests/golden/models/bert-tiny-random"
COMMIT = "c0ffee" * 6 + "c0ff"
PYTHON = """
import sys
from huggingface_hub import hf_hub_download, snapshot_download
names = sys.argv[2:]
print(snapshot_download(sys.argv[1], allow_patterns=names))
for name in names:
    hf_hub_download(sys.argv[1], name)
"""
LOAD = """
import {readFileSync} from 'node:fs';
const {load} = await import(process.argv[2] + 'web/package/node.js');
const wasmBytes = readFileSync(process.argv[2] + 'build/out/wasm/headlight-full.wasm');
const model = await load(process.argv[3], {wasmBytes});
console.log((await model.run('a b')).tokens.length, model.info.warnings.join());
await model.dispose();
"""


def told(name):
    content = (FOLDER / name).read_bytes()
    sha1 = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    lfs = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest(), "pointerSize": 134}
    return {"rfilename": name, "size": len(content), "blobId": sha1, **({"lfs": lfs} if name.endswith("safetensors") else {})}


def branch(said):
    """The same as another question of the hub has it."""
    lfs = said.get("lfs")
    large = {"lfs": {"oid": lfs["sha256"], "size": lfs["size"], "pointerSize": 134}} if lfs else {}
    return {"type": "file", "path": said["rfilename"], "size": said["size"], "oid": said["blobId"], **large}


@pytest.fixture
def hub(tmp_path):
    """The files that are asked for, and the environment that names the hub and an empty cache."""
    files = {one.name: told(one.name) for one in FOLDER.iterdir()}
    asked = []

    class Hub(BaseHTTPRequestHandler):
        def answer(self, status, content, **headers):
            self.send_response(status)
            for name, value in {"Content-Length": len(content), **headers}.items():
                self.send_header(name.replace("_", "-"), str(value))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        def do_GET(self):
            path = self.path.partition("?")[0]
            name = path.rpartition("/")[2]
            if path.startswith("/gpt2/") or path.startswith("/api/models/gpt2"):
                return self.answer(307, b"", Location=self.path.replace("gpt2", "openai/gpt2", 1))
            if "/tree/" in path:
                return self.answer(200, json.dumps([branch(one) for one in files.values()]).encode(), Content_Type="application/json")
            if path.startswith("/api/"):
                body = {"id": "openai/gpt2", "sha": COMMIT, "siblings": list(files.values()), "tags": [], "downloads": 0}
                return self.answer(200, json.dumps(body).encode(), Content_Type="application/json")
            if "/resolve/" not in path or name not in files:
                return self.answer(404, b"", X_Error_Code="EntryNotFound")
            if self.command == "GET":
                asked.append(name)
            said = files[name]
            etag = said.get("lfs", {}).get("sha256", said["blobId"])
            marks = {"ETag": f'"{etag}"', "X_Repo_Commit": COMMIT, "X_Linked_Size": said["size"], "X_Linked_Etag": f'"{etag}"'}
            return self.answer(200, (FOLDER / name).read_bytes(), **marks)

        do_HEAD = do_GET

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "TRANSFORMERS"))}
    env.update(HF_ENDPOINT=f"http://127.0.0.1:{server.server_port}", HF_HOME=str(tmp_path), HF_HUB_DISABLE_XET="1")
    yield asked, env
    server.shutdown()
    server.server_close()


def by_python(env, name, *files):
    command = [sys.executable, "-c", PYTHON, name, *files]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def by_node(env, name, tmp_path):
    script = tmp_path / "load.mjs"
    script.write_text(LOAD, "utf-8")
    command = [NODE, str(script), f"{ROOT}/", name]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


READ = ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]


@pytest.mark.skipif(not NODE, reason="node is not installed")
@pytest.mark.parametrize("name", ["org/name", "gpt2"])
def test_one_cache(hub, tmp_path, name):
    asked, env = hub
    by_python(env, name, *READ)
    assert sorted(set(asked)) == READ
    asked.clear()
    assert by_node(env, name, tmp_path) == "4"
    assert asked == []
    assert by_node({**env, "HF_HUB_OFFLINE": "1"}, name, tmp_path) == "4"

    shutil.rmtree(tmp_path / "hub")
    by_node(env, name, tmp_path)
    assert sorted(asked) == READ
    asked.clear()
    snapshot = by_python(env, name, *READ)
    assert asked == []
    assert by_python({**env, "HF_HUB_OFFLINE": "1"}, name, *READ) == snapshot
    for one in READ:
        assert (tmp_path / "hub" / snapshot / one).read_bytes() == (FOLDER / one).read_bytes()
