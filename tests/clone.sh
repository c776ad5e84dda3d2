#!/usr/bin/env bash
# clone - clones HEAD into a folder of its own, runs there what CI runs (.ci/run), and says whether it passes, of which
# commit, and which tests were flaky. What is not committed is not in it. LOG=file: where everything that was printed goes.
set -u
cd "$(dirname "$0")/.." || exit 2
commit=$(git rev-parse HEAD) || exit 2
short=${commit:0:8}
folder=$(mktemp -d)
log=${LOG:-$(mktemp "${TMPDIR:-/tmp}/test-clone-XXXXXX.log")}
trap 'rm -rf "$folder"' EXIT
[ -z "$(git status --porcelain)" ] || echo "test-clone: there are changes that are not committed; they are not in the clone"
git clone -q --no-hardlinks . "$folder/project" && git -C "$folder/project" checkout -q "$commit" || exit 2
# corpora and vocabularies beside the checkout, which some tests use where they are there
[ ! -d ../shared ] || ln -s "$(cd ../shared && pwd -P)" "$folder/shared"
echo "test-clone: $short in $folder/project; what it prints goes to $log"
start=$(date +%s)
(cd "$folder/project" && CI=true bash .ci/run) </dev/null >"$log" 2>&1
code=$?
grep -E '^(failed|flaky): |^[a-z-]+: [0-9]+ passed, ' "$log"
[ $code = 0 ] && verdict=passes || { verdict="FAILS (exit $code)"; tail -n 20 "$log"; }
echo "test-clone: $short $verdict after $((($(date +%s) - start) / 60)) minutes; log: $log"
exit $code
