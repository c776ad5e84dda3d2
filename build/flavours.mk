# flavours.mk - the .wasm files, headlight*.wasm below build/out/wasm. Makefile includes it; build/bundle.mjs says which of
# them goes into which product. What a file gets stands in build/exports, a name of headlight.h in each line: page, what
# a visit begins with (no studies, which would be a third of it, and not all measures); studies, what their workers take
# beside it; full, what makes it all of headlight.h, indexes of a corpus too, which is the packages' file; two, what
# headlight_two.h has, of the file that a model of two stacks alone fetches.

EMCC := emcc
# Relaxed SIMD takes a newer compiler than emcc 3.1.6 brings: it then drives clang 19. emcc's own Binaryen cannot read what that
# writes (-O1 leaves it alone, so that the linker has to leave the names out); npm's makes it 1.5 to 2.7 kB smaller, packed.
EMCC_19 := EM_LLVM_ROOT=/usr/bin EM_LLVM_ADD_VERSION=19 EM_CLANG_ADD_VERSION=19 $(EMCC)
WASM_OPT := node_modules/.bin/wasm-opt -Os $(addprefix --enable-,simd relaxed-simd bulk-memory bulk-memory-opt sign-ext nontrapping-float-to-int mutable-globals threads)
# As build/setup.sh has it.
HAS_RELAXED := $(shell grep -qs '^"*3.1.6' /usr/share/emscripten/emscripten-version.txt && command -v clang-19 && command -v wasm-ld-19)

# Hot code: -O3, or -O2 where that is as fast and smaller (a pass of base width takes as long), or without unrolled loops where
# those are larger and no faster (a pass and a text of the page, within 1 %). All other files: -Oz, since what they spend
# their time in are the row functions that they call.
WASM_WARM := src/measure/walk.c src/study/kinds/probe.c $(addprefix src/math/,product.c product16.c)
WASM_ROLLED := $(addprefix src/,math/gemm.c math/gemm_q8.c text/models/plain.c text/models/vocab.c text/tokenizer.c)
WASM_FAST := $(filter-out $(WASM_WARM) $(WASM_ROLLED) $(addprefix src/math/,cluster.c rows_naive.c special.c stats.c),$(wildcard src/math/*.c)) src/model/attention.c $(addprefix src/search/,nearest.c hash.c) $(addprefix src/text/,added.c models/wordpiece.c unicode/unicode.c)
$(foreach file,$(WASM_FAST),$(eval LEVEL_$(file) := -O3))
$(foreach file,$(WASM_WARM),$(eval LEVEL_$(file) := -O2))
$(foreach file,$(WASM_ROLLED),$(eval LEVEL_$(file) := -O2 -fno-unroll-loops))
WASM_LEVEL = $(or $(LEVEL_$<),-Oz)

# Objects, by what is different in them: -few leaves out the families that few open, with their parts of a block
# (HEADLIGHT_FEW): whoever opens such a model asks the file with everything (web/engine/engine.js); -page, besides, what
# only studies and the command line ask (HEADLIGHT_PAGE);
# -two has models of two stacks (arch.h), which the others leave out (HEADLIGHT_ONE_STACK): what has nothing to do with models is the same;
# -threads is for several threads on a memory that they share, of which only team.c knows: nothing else allocates, so the C
# library can be the usual one.
own = $(sort $(filter-out $(2),$(1)) $(addsuffix $(3),$(filter $(2),$(1))))
OBJECTS_whole := $(SOURCES:src/%.c=%)
FEW_OWN := $(shell grep -lE 'HEADLIGHT_FEW|OF_WHOLE|arch_visible|arch_grows|HAS_PIECES' $(SOURCES)) # arch.h
PAGE_OWN := $(shell grep -lE 'HEADLIGHT_PAGE|CAN_PATCH|change_patches|input_from' $(SOURCES)) # input.h
OBJECTS_few := $(call own,$(OBJECTS_whole),$(FEW_OWN:src/%.c=%),-few)
OBJECTS_page := $(call own,$(OBJECTS_few),$(foreach name,$(PAGE_OWN:src/%.c=%),$(name) $(name)-few),-page)
TWO_OWN := $(filter-out base/% math/%,$(OBJECTS_whole))
OBJECTS_two := $(call own,$(OBJECTS_whole),$(TWO_OWN),-two)
OBJECTS_whole_threads := $(call own,$(OBJECTS_whole),base/team,-threads)
OBJECTS_page_threads := $(call own,$(OBJECTS_page),base/team,-threads)

EXPORT_FILES := $(addprefix build/exports/,page studies full two)
exports = $(shell sed 's/^/_/' $(addprefix build/exports/,$(1)) | paste -sd,)
EXPORTS_page := $(call exports,page)
EXPORTS_studies := $(call exports,page studies)
EXPORTS_full := $(call exports,page studies full)
EXPORTS_two := $(call exports,page studies full two)

COMPILE_wasm := $(EMCC) $(CFLAGS_COMMON) -DHEADLIGHT_ONE_STACK -msimd128
COMPILE_relaxed := $(EMCC_19) $(CFLAGS_COMMON) -DHEADLIGHT_ONE_STACK -msimd128 -mrelaxed-simd -Wno-version-check
WASM_LINK := --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=1MB
MEMORY_threads := -Wl,--shared-memory,--import-memory,--no-check-features
LINK_wasm = $(EMCC) -O3 $(1) -o $@ $(2)
LINK_relaxed = $(EMCC_19) -O1 $(1) -o $(OUT)/relaxed/$(@F) $(2) -sWASM_BIGINT -Wno-version-check -Wl,--strip-all,--compress-relocations && $(WASM_OPT) $(OUT)/relaxed/$(@F) -o $@

# A compiler's objects, in a folder of its name.
define compiler
$(OUT)/$(1)/%-page.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) -DHEADLIGHT_PAGE $$(WASM_LEVEL) -c $$< -o $$@
$(OUT)/$(1)/%-few.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) -DHEADLIGHT_FEW $$(WASM_LEVEL) -c $$< -o $$@
$(OUT)/$(1)/%-few-page.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) -DHEADLIGHT_FEW -DHEADLIGHT_PAGE $$(WASM_LEVEL) -c $$< -o $$@
$(OUT)/$(1)/%-two.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) -UHEADLIGHT_ONE_STACK -DHEADLIGHT_TWO $$(WASM_LEVEL) -c $$< -o $$@
$(OUT)/$(1)/%-threads.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) -Os -matomics -mbulk-memory -c $$< -o $$@
$(OUT)/$(1)/%.o: src/%.c Makefile build/flavours.mk | $(UNICODE_DATA)
	@mkdir -p $$(@D)
	$$(COMPILE_$(1)) $$(WASM_LEVEL) -c $$< -o $$@
endef
$(foreach folder,wasm relaxed,$(eval $(call compiler,$(folder))))

# A flavour: its name, compiler, objects, exports, memory.
define flavour
WASM_FILES += $(OUT)/wasm/$(1).wasm
$(OUT)/wasm/$(1).wasm: $(patsubst %,$(OUT)/$(2)/%.o,$(OBJECTS_$(3))) $(EXPORT_FILES) | node_modules/.headlight
	$$(call LINK_$(2),$$(filter %.o,$$^),$$(WASM_LINK) -sEXPORTED_FUNCTIONS=$$(EXPORTS_$(4)) $$(MEMORY_$(5)))
endef
$(eval $(call flavour,headlight-page,wasm,page,page))
$(eval $(call flavour,headlight-threads,wasm,page_threads,page,threads))
$(eval $(call flavour,headlight,wasm,few,studies))
$(eval $(call flavour,headlight-full,wasm,whole,full))
$(eval $(call flavour,headlight-two,wasm,two,two))
$(eval $(call flavour,headlight-full-threads,wasm,whole_threads,full,threads))
ifneq ($(HAS_RELAXED),)
$(eval $(call flavour,headlight-page-relaxed,relaxed,page,page))
$(eval $(call flavour,headlight-relaxed-threads,relaxed,page_threads,page,threads))
$(eval $(call flavour,headlight-relaxed,relaxed,few,studies))
$(eval $(call flavour,headlight-full-relaxed,relaxed,whole,full))
$(eval $(call flavour,headlight-two-relaxed,relaxed,two,two))
$(eval $(call flavour,headlight-full-relaxed-threads,relaxed,whole_threads,full,threads))
endif
wasm-files: $(WASM_FILES)
