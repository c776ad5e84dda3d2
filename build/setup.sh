#!/usr/bin/env bash
# setup - installs or fetches what a build step needs: setup.sh native|wasm|node|test|browsers ...
# On Debian and Ubuntu as root it installs packages; elsewhere it says exactly what to install.
# The utf8proc source is fetched by SHA-256 into build/out/utf8proc (UTF8PROC_SRC=dir takes it from there instead).
set -euo pipefail
cd "$(dirname "$0")/.."

UTF8PROC_VERSION=2.8.0
UTF8PROC_SHA256=a0a60a79fe6f6d54e7d411facbfcc867a6e198608f2cd992490e46f04b1bcecc
UTF8PROC_TAG_URL=https://github.com/JuliaStrings/utf8proc/archive/refs/tags/v$UTF8PROC_VERSION.tar.gz

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

apt_updated=
# need COMMAND-OR-FILE PACKAGE...: makes it be there.
need() {
    local what=$1; shift
    if have "$what" || [ -e "$what" ]; then return; fi
    have apt-get || die "'$what' is missing. Install it (Debian and Ubuntu call it: $*; macOS: brew install ${*//-dev/}) and run make again."
    [ "$(id -u)" = 0 ] || die "'$what' is missing. Run: sudo apt-get install -y $*   and then make again."
    say "installing $*"
    if [ -z "$apt_updated" ]; then apt-get update -qq || die "apt-get update failed: is there a network?"; apt_updated=1; fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null \
        || die "apt-get install $* failed; install it by hand and run make again."
    have "$what" || [ -e "$what" ] || die "'$what' is still missing after installing $*."
}

# Downloads utf8proc's original tarball from Debian's source archive with an apt state of its own.
utf8proc_by_apt() {
    local tmp=$1
    have apt-get || return 1
    [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || return 1
    mkdir -p "$tmp/parts" "$tmp/lists/partial" "$tmp/cache/archives/partial"
    cat > "$tmp/parts/src.sources" <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
    local options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$tmp/parts"
        -o "Dir::State::lists=$tmp/lists" -o "Dir::Cache=$tmp/cache" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update &&
        (cd "$tmp" && apt-get "${options[@]}" source --download-only "utf8proc=$UTF8PROC_VERSION-1") || return 1
    mv "$tmp"/utf8proc_*.orig.tar.gz "$tmp/utf8proc.tar.gz"
}

utf8proc_by_url() { have curl && curl -fsSL -o "$1/utf8proc.tar.gz" "$UTF8PROC_TAG_URL"; }

utf8proc_checked() { echo "$UTF8PROC_SHA256  $1/utf8proc.tar.gz" | sha256sum -c --quiet 2>/dev/null; }

setup_utf8proc() {
    local out=build/out/utf8proc
    [ -e $out/utf8proc.c ] && return
    mkdir -p $out
    if [ -n "${UTF8PROC_SRC:-}" ]; then
        [ -e "$UTF8PROC_SRC/utf8proc.c" ] || die "UTF8PROC_SRC=$UTF8PROC_SRC has no utf8proc.c."
        cp "$UTF8PROC_SRC"/utf8proc.h "$UTF8PROC_SRC"/utf8proc_data.c "$UTF8PROC_SRC"/utf8proc.c $out/
        return
    fi
    local tmp; tmp=$(mktemp -d)
    say "fetching the source of utf8proc $UTF8PROC_VERSION"
    if { utf8proc_by_apt "$tmp" && utf8proc_checked "$tmp"; } || { utf8proc_by_url "$tmp" && utf8proc_checked "$tmp"; }; then
        tar xzf "$tmp/utf8proc.tar.gz" -C "$tmp"
        cp "$tmp"/utf8proc-*/utf8proc.h "$tmp"/utf8proc-*/utf8proc_data.c $out/
        cp "$tmp"/utf8proc-*/utf8proc.c $out/   # last: it marks the folder as complete
        rm -rf "$tmp"
    else
        rm -rf "$tmp"
        die "the source of utf8proc $UTF8PROC_VERSION could not be fetched with the right SHA-256. Get it yourself (git clone -b v$UTF8PROC_VERSION https://github.com/JuliaStrings/utf8proc) and run make UTF8PROC_SRC=that/folder."
    fi
}

setup_native() { need cc gcc libc6-dev; need sha256sum coreutils; setup_utf8proc; }
setup_node() {
    need node nodejs; need npm npm
    local major; major=$(node -p 'process.versions.node.split(".")[0]')
    [ "$major" -ge 18 ] || die "Node.js $major is too old; 18 or newer is needed."
    if [ ! -e node_modules/.headlight ] || [ package-lock.json -nt node_modules/.headlight ]; then
        say "installing the npm packages of package-lock.json"
        npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || die "npm ci failed: is the npm registry reachable?"
        touch node_modules/.headlight
    fi
}
setup_wasm() { need cc gcc libc6-dev; need emcc emscripten; setup_relaxed; setup_utf8proc; }
# headlight-relaxed.wasm is for speed only: without what it takes, the site goes without it. Makefile asks the same.
setup_relaxed() {
    grep -qs '^"*3.1.6' /usr/share/emscripten/emscripten-version.txt ||
        { say "only headlight.wasm is built: headlight-relaxed.wasm takes Debian's emscripten 3.1.6 (and clang-19)"; return; }
    if have clang-19 && have wasm-ld-19 && have llvm-ar-19; then return; fi
    if [ "$(id -u)" = 0 ] && have apt-get; then
        say "installing clang-19 lld-19 llvm-19"
        if { apt-cache show clang-19 || apt-get update -qq; } >/dev/null 2>&1 &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends clang-19 lld-19 llvm-19 >/dev/null 2>&1; then return; fi
    fi
    say "only headlight.wasm is built: headlight-relaxed.wasm takes clang-19, lld-19 and llvm-19, which are not here"
}
setup_test() {
    need clang clang
    need python3 python3
    need "$(clang --print-resource-dir)/lib/linux" libclang-rt-dev
    need /usr/include/cmocka.h libcmocka-dev
    need chromium chromium
}
# WebKitGTK's MiniBrowser comes with the library that its driver depends on.
setup_browsers() {
    need chromedriver chromium-driver
    have firefox || need firefox-esr firefox-esr
    need WebKitWebDriver webkit2gtk-driver
    need Xvfb xvfb
}

for step in "$@"; do "setup_$step"; done
