#!/usr/bin/env python3
"""Makes the golden models and dumps of this folder with Hugging Face transformers; README.md says what they are.

    make golden                          all of it, then the check (a virtual environment in build/out, from requirements.txt)
    python make.py [NAME ...]            makes these models only
    python make.py --check [NAME ...]    writes nothing: are they peaked? is every deliberate mistake found? are ../shared/golden's the same?

The five bert-tiny-* models are not made here: they come from ../shared/golden/make.py.
"""
import argparse
import os
import sys
import warnings

sys.dont_write_bytecode = True
os.environ["HF_HUB_OFFLINE"] = "1"
import torch
import transformers

import check
import models
import produce
import record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    unknown = [n for n in options.names if n not in models.BY_NAME]
    if unknown:
        parser.error(f"no such model: {', '.join(unknown)}; there are: {', '.join(models.BY_NAME)}")
    recipes = [r for r in models.RECIPES if r.name in options.names or not options.names]
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    warnings.filterwarnings("ignore")
    with record.replaced(*record.FLOAT64_PARTS):
        return 0 if (check.all_of_it if options.check else produce.write)(recipes) else 1


if __name__ == "__main__":
    sys.exit(main())
