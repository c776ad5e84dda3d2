"""A stand-in for wasmtime: the same .wasm, run by Node.js (wasm_stand_in.mjs). It has the calls of wasmtime that
head_light/engine.py makes, so that measures and indexes are tested where wasmtime is not installed."""

import base64
import json
import shutil
import subprocess
import tempfile
import types
import weakref
from pathlib import Path

NODE = shutil.which("node")


def _end(process):
    process.stdin.close()
    process.stdout.close()
    process.wait()


class Instance:
    """A process with one instance."""

    def __init__(self, path, functions=()):
        self.functions = functions
        script = Path(__file__).with_suffix(".mjs")
        self.process = subprocess.Popen([NODE, script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        weakref.finalize(self, _end, self.process)

    def _say(self, what):
        self.process.stdin.write(json.dumps(what).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, do, *given):
        self._say({"do": do, "given": given})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if "import" not in answer:
                break
            self._say({"value": self.functions[answer["import"]](*answer["args"])})
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def exports(self, store):
        names = self.ask("instantiate")
        functions = {name: lambda store, *given, name=name: self.ask("call", name, *given) for name in names}
        return {**functions, "memory": Memory(self)}


class Memory:
    def __init__(self, instance):
        self.instance = instance

    def data_len(self, store):
        return self.instance.ask("size")

    def read(self, store, start, end):
        return bytearray(base64.b64decode(self.instance.ask("read", start, end)))

    def write(self, store, content, start):
        return self.instance.ask("write", base64.b64encode(content).decode(), start)


class Engine:
    pass


class Store:
    def __init__(self, engine):
        self.engine = engine


class Module:
    def __init__(self, engine, content):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name, "module.wasm")
        self.path.write_bytes(content)
        kind = types.SimpleNamespace(results=[None])  # what a function without results gives is not looked at
        listed = Instance(self.path).ask("imports")
        self.imports = [types.SimpleNamespace(module=module, name=name, type=kind) for module, name in listed]


class Linker:
    def __init__(self, engine):
        self.functions = []

    def define_func(self, module, name, kind, function):
        self.functions.append(function)

    def instantiate(self, store, module):
        assert len(self.functions) == len(module.imports)
        return Instance(module.path, self.functions)
