"""What a figure holds, read back."""

import json
import struct

import numpy as np


def opened(shown):
    """What travels: the metadata and the tensors of a figure."""
    content = shown.content
    (size,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + size])
    metadata = {name: json.loads(value) for name, value in header.pop("__metadata__").items()}
    kinds = {"U16": np.uint16, "F16": np.float16, "F32": np.float32}
    tensors = {}
    for name, one in header.items():
        begin, end = (8 + size + at for at in one["data_offsets"])
        array = np.frombuffer(content[begin:end], kinds[one["dtype"]]).reshape(one["shape"])
        tensors[name] = array / np.float32(65535) if one["dtype"] == "U16" else array.astype(np.float32)
    return metadata, tensors
