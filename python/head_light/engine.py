"""headlight.wasm in wasmtime: its functions by name, and bytes in and out of its memory."""

import json
from functools import lru_cache
from typing import Any, Dict, Tuple, cast

from .bundle import static
from .errors import HeadLightError


@lru_cache(maxsize=None)
def _compiled(file: str) -> Tuple[Any, Any]:
    """Wasmtime's engine and the module, for all instances."""
    try:
        import wasmtime
    except ImportError:
        raise HeadLightError("this needs wasmtime: pip install wasmtime") from None
    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, static(file))


class Engine:
    """An instance with one session; pointers are unsigned 32-bit numbers."""

    def __init__(self, file: str = "headlight.wasm") -> None:
        engine, module = _compiled(file)
        import wasmtime

        store = wasmtime.Store(engine)
        linker = wasmtime.Linker(store.engine)
        imports: Any = module.imports
        for one in imports:  # it has no files and no clock: each answers "not supported"
            results = len(one.type.results)
            linker.define_func(one.module, one.name, one.type, lambda *_, results=results: 52 if results else None)
        exports = linker.instantiate(store, module).exports(store)
        if exports.get("_initialize"):
            cast(Any, exports["_initialize"])(store)
        self.call = lambda name, *args: cast(Any, exports[name])(store, *args)
        self._memory: Any = exports["memory"]
        self._store = store
        self.session = self.call("hl_open") & 0xFFFFFFFF
        self.constants: Dict[str, Any] = json.loads(self.text(self.call("hl_constants")))

    def text(self, pointer: int) -> str:
        """The text that ends in a zero byte."""
        found = bytearray()
        size = self._memory.data_len(self._store)
        for at in range(pointer & 0xFFFFFFFF, size, 4096):
            part = self._memory.read(self._store, at, min(at + 4096, size))
            found += part
            if 0 in part:
                break
        return bytes(found[: found.index(0)]).decode()

    def check(self, value: Any) -> Any:
        """The value of a function that gives 0 for an error of the session."""
        if not value:
            raise HeadLightError(self.text(self.call("hl_error", self.session)))
        return value

    def buffer(self, size: int) -> int:
        """Memory that lasts until the next buffer."""
        return int(self.check(self.call("hl_buffer", self.session, size))) & 0xFFFFFFFF

    def put(self, content: bytes) -> int:
        start = self.buffer(len(content))
        self.write(start, content)
        return start

    def write(self, start: int, content: bytes) -> None:
        self._memory.write(self._store, content, start)

    def read(self, start: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, start, start + size))

    def close(self) -> None:
        """Forgets the session, with its model."""
        self.call("hl_close", self.session)


@lru_cache(maxsize=None)
def shared() -> Engine:
    """One for all measures."""
    return Engine()
