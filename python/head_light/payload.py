"""What travels to the page: attention as a safetensors file, in 16 bits a weight.

The form is the one that the page and the npm package read (web/files/imported.js), so a file written
here can be opened there too.
"""

import json
import struct
from typing import Any, Dict, Mapping, Tuple

import numpy as np

ONE = 65535
KINDS = {"float16": "F16", "float32": "F32", "uint16": "U16"}


def packed(array: np.ndarray) -> Tuple[np.ndarray, float]:
    """The numbers in 16 bits, and the largest error of one. Weights between 0 and 1 as whole 65535ths
    (error below 2^-16), others as float16; as they are where that would lose 2^-11 or more."""
    if not array.size:
        return array, 0.0
    if array.min() >= 0 and array.max() <= 1:
        small = (array * np.float32(ONE) + np.float32(0.5)).astype(np.uint16)
        back = small.astype(np.float32) / np.float32(ONE)
    else:
        with np.errstate(over="ignore"):
            small = array.astype(np.float16)
        back = small.astype(np.float32)
    loss = float(np.abs(back - array).max())
    return (small, loss) if loss < 2.0**-11 else (np.ascontiguousarray(array, dtype=np.float32), 0.0)


def safetensors(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, Any]) -> bytes:
    """The bytes of a file; metadata goes in as JSON."""
    header: Dict[str, Any] = {"__metadata__": {name: json.dumps(value) for name, value in metadata.items()}}
    at = 0
    for name, array in tensors.items():
        header[name] = {"dtype": KINDS[array.dtype.name], "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    parts = [struct.pack("<Q", len(text)), text]
    parts += [np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
              for array in tensors.values()]
    return b"".join(parts)


def all_packed(tensors: Mapping[str, np.ndarray]) -> Tuple[Dict[str, np.ndarray], float]:
    """The tensors in 16 bits where they fit, and the largest error that any number has got."""
    small = {name: packed(array) for name, array in tensors.items()}
    return {name: one for name, (one, _) in small.items()}, max((loss for _, loss in small.values()), default=0.0)
