# shellcheck shell=bash
# Functions that build a Swift library as WebAssembly with the toolchain alone: Embedded Swift and a runtime in C.
#
# The caller sets `here` to this folder and `work` to a folder for objects, to which source paths are relative.

toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")

# Copies sources into the work folder and lists them in a fixed order, so that modules do not depend on the machine.
take_sources() { # NAME FOLDER FILE...
  cp -r "$2" "$work/$1"
  cp "${@:3}" "$work/$1"
  cd "$work" || return
  mapfile -t files < <(find "$1" -name '*.swift' | LC_ALL=C sort)
}

translate() { # MODULE OBJECT OPTION...
  local feature flags=()
  for feature in ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault; do
    flags+=(-enable-upcoming-feature "$feature")
  done
  swiftc -target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -swift-version 6 -parse-as-library \
    -package-name almanac -module-name "$1" -strict-memory-safety "${flags[@]}" \
    -warnings-as-errors -Werror EmbeddedRestrictions -O "${@:3}" -Xfrontend -disable-stack-protector \
    -c "${files[@]}" -o "$2"
}

compile() { # SOURCE OBJECT OPTION...
  "$toolchain/clang" --target=wasm32-unknown-none-wasm -O2 -mbulk-memory -fno-builtin -ffreestanding "${@:3}" \
    -c "$here/$1" -o "$work/$2"
}

link() { # MODULE OBJECT... OPTION...
  "$toolchain/wasm-ld" "${@:2}" -o "$1" --gc-sections --strip-all --stack-first -z stack-size=262144
}
