"""What travels to the page: attention as a safetensors file, in half precision.

The form is the one that the page and the npm package read (web/files/imported.js), so a file written
here can be opened there too.
"""

import json
import struct
from typing import Any, Dict, Mapping, Tuple

import numpy as np

#: the largest error of a weight between 0 and 1 in half precision
LOSS = 2.0**-12


def half(array: np.ndarray) -> np.ndarray:
    """float16 where that loses less than 2^-11 of any number, else float32."""
    small = array.astype(np.float16)
    loss = np.abs(small.astype(np.float32) - array).max() if array.size else 0.0
    return small if loss < 2 * LOSS else np.ascontiguousarray(array, dtype=np.float32)


def safetensors(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> bytes:
    """The bytes of a file; metadata goes in as JSON."""
    header: Dict[str, Any] = {"__metadata__": {name: json.dumps(value) for name, value in metadata.items()}}
    at = 0
    for name, array in tensors.items():
        kind = {"float16": "F16", "float32": "F32"}[array.dtype.name]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    parts = [struct.pack("<Q", len(text)), text]
    parts += [np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
              for array in tensors.values()]
    return b"".join(parts)


def lossy(tensors: Mapping[str, np.ndarray]) -> Tuple[Dict[str, np.ndarray], float]:
    """The tensors in half precision, and the largest error that any number has got."""
    small = {name: half(array) for name, array in tensors.items()}
    losses = [float(np.abs(small[name].astype(np.float32) - array).max()) for name, array in tensors.items()
              if array.size]
    return small, max(losses, default=0.0)
