# shellcheck shell=bash
# The pages: lays out the sources in Sources/Web for nginx. page-hosts.sh renders the hosts that serve them.
#
#   api/index.html …                  the files of the API's own host, unchanged
#   api/sdk/<version>/config.js …     the client for web pages; earlier versions stay
#   api/openapi.yaml, openapi.json    the description of the API, joined from the parts in api/openapi
#   console/index.html …              files with a fixed address, which browsers revalidate on each use
#   console/assets/<hash>/console/…   all other files, at an address derived from their content; cached for good
#   console/assets/<hash>/parts/…     chunks of modules that several of those import, or that are loaded later
#   notes/assets/<hash>/notes/text/textmerge.wasm   the merge of notes (Sources/Web/wasm)
#
# The sources are modules that browsers can run unchanged. esbuild bundles the modules that are loaded together and
# removes comments and whitespace: less than half of the bytes, and a tenth of the requests. Each file has a .br and a
# .gz beside it for nginx. The same sources give the same names and bytes.
#
# In a file with a fixed address, "@assets@" is replaced by the folder with the hash. An application with a service
# worker, sw.js, works offline: "@files@" in it is replaced by all files, "@version@" by the hash. The folder then also
# contains the page, so that the files cached by a service worker are of one version even if another is published
# meanwhile. All pages show shared/icon.svg. An application with a manifest.webmanifest gets the icon pictures that
# systems require, rendered from it.

for part in codemirror page-hosts; do
    # shellcheck source=/dev/null
    source "${BASH_SOURCE[0]%/*}/$part.sh"
done

yaml_to_json=${BASH_SOURCE[0]%/*}/yaml-to-json
fixed_addresses=(index.html sw.js manifest.webmanifest favicon.ico favicon.svg robots.txt)
icon_addresses=(icon-192.png icon-512.png icon-maskable.png)
# The number of versions retained of each application's files: the current one, and earlier ones for open pages.
kept_versions=3

# The number of newest layouts retained in $checkout/.build/pages.
kept_layouts=12

# Publishes the pages to a folder, unless the folder has the same version already.
# Arguments: the sources, the folder that nginx serves (an absolute path), TextMerge's WebAssembly module.
publish_pages() {
    stage_pages "$1" "$2" "$2.new" "$3" || return
    publish_staged_pages "$2.new" "$2"
}

# Copies the pages for a folder that nginx serves to another folder of the same file system, so that publishing them
# only renames files. Creates nothing if nginx's folder has the same version already.
# Arguments: the sources, the folder that nginx serves, the new folder, TextMerge's WebAssembly module.
stage_pages() {
    local source=$1 target=$2 staged=$3 textmerge=$4 version layout
    version=$(pages_version "$source" "$textmerge")
    rm -rf -- "$staged"
    # A publication that was killed may have left the former folder.
    [[ -d $target/api || ! -d $target/api.old ]] || mv -T -- "$target/api.old" "$target/api"
    [[ ! -e $target/.version || $(<"$target/.version") != "$version" ]] || return 0
    make_layout "$source" "$textmerge" || return
    layout=$(layout_folder "$version")
    mkdir -p -- "$staged/api" || return
    # Earlier versions of the client stay.
    [[ ! -d $target/api/sdk ]] || cp -r --preserve=mode,timestamps -- "$target/api/sdk" "$staged/api/" || return
    cp -r --preserve=mode -- "$layout/." "$staged/" || return
    printf '%s\n' "$version" >"$staged/.version"
}

# Publishes the pages of stage_pages, if there are any.
publish_staged_pages() {
    local staged=$1 target=$2 application
    [[ -d $staged ]] || return 0
    mkdir -p -- "$target"
    rm -f -- "$target/.version"
    rm -rf -- "$target/api.old"
    [[ ! -d $target/api ]] || mv -T -- "$target/api" "$target/api.old"
    mv -T -- "$staged/api" "$target/api"
    rm -rf -- "$target/api.old"
    for application in "${applications[@]}"; do
        publish_application "$staged/$application" "$target/$application"
    done
    mv -- "$staged/.version" "$target/.version"
    rm -rf -- "$staged"
}

# Joins the parts of the API's description. Each part contains members of one mapping, already indented.
join_description() {
    local folder=$1
    cat -- "$folder/info.yaml"
    printf 'paths:\n'
    cat -- "$folder"/paths/*.yaml
    printf 'components:\n'
    cat -- "$folder"/components/*.yaml
    printf '  schemas:\n'
    cat -- "$folder"/schemas/*.yaml
}

pages_version() {
    { hash_of "$1" && cat -- "${BASH_SOURCE[0]%/*}"/{codemirror,pages}.sh "$yaml_to_json" "$2"; } |
        sha256sum | cut -c 1-24
}

layout_folder() {
    printf '%s\n' "${checkout:?}/.build/pages/$1"
}

# Creates a layout, once per version of the sources, because compressing the files takes 20 s of processor time. An
# existing layout is complete. Concurrent processes wait for the first one.
# Arguments: the sources, TextMerge's WebAssembly module.
make_layout() {
    local source=$1 textmerge=$2 layout draft application
    layout=$(layout_folder "$(pages_version "$source" "$textmerge")")
    draft=$layout.new
    mkdir -p -- "${layout%/*}"
    (
        flock 9
        if [[ ! -d $layout ]]; then
            rm -rf -- "$draft"
            mkdir -- "$draft" "$draft/api"
            find "$source/api" -maxdepth 1 -type f -exec cp -t "$draft/api" -- {} +
            cp -- "$source/shared/icon.svg" "$draft/api/" || exit
            join_description "$source/api/openapi" >"$draft/api/openapi.yaml" || exit
            make_client "$source/client" "$draft/api/sdk" || exit
            "$yaml_to_json" <"$draft/api/openapi.yaml" >"$draft/api/openapi.json" || exit
            finish_files "$draft/api"
            pack_client "$draft/api/sdk" || exit
            for application in "${applications[@]}"; do
                make_application "$source" "$draft/$application" "$application" "$textmerge" || exit
            done
            mv -- "$draft" "$layout"
        fi
        touch -- "$layout"
        keep_newest "${layout%/*}" "$kept_layouts"
    ) 9>"${layout%/*}/lock"
}

client_version() {
    sed -nE 's/^ *"version": "([0-9.]+)",$/\1/p' "$1/package.json"
}

# Bundles the client for web pages: each export is one file without imports. latest.json names the files of this version.
make_client() {
    local source=$1 folder=$2 version file sum files=''
    version=$(client_version "$source")
    mkdir -p -- "$folder/$version"
    esbuild --bundle --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning \
        "--outdir=$folder/$version" "$source/config.js" "$source/flags.js" || return
    cp -- "$source"/{config,flags}.d.ts "$source/package.json" "$source/README.md" "$folder/$version/"
    for file in config flags; do
        sum=$(sha384sum <"$folder/$version/$file.js" | cut -c 1-96 | tr a-f A-F | basenc -d --base16 | base64 -w 0)
        files+="${files:+,}\"$file.js\":{\"integrity\":\"sha384-$sum\""
        files+=",\"bytes\":$(wc -c <"$folder/$version/$file.js")}"
    done
    printf '{"version":"%s","files":{%s}}\n' "$version" "$files" >"$folder/latest.json"
}

# Packs the client for npm. The same files give the same bytes.
pack_client() {
    local folder=$1 version
    version=$(basename -- "$folder"/*/)
    tar -C "$folder/$version" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --transform='s#^#package/#' \
        -cf - README.md package.json {config,flags}.js {config,flags}.d.ts | gzip -9n >"$folder/almanac-$version.tgz"
    chmod 644 "$folder/almanac-$version.tgz"
}

# Creates an application's files in an empty or new folder: those with a fixed address, and assets/<hash>.
make_application() {
    local source=$1 folder=$2 application=$3 textmerge=$4 new=$2/assets/.new hash files=''
    mkdir -p -- "$new"
    copy_pictures "$source" "$application" "$new"
    build_modules "$source" "$application" "$new" || return
    [[ $application != notes ]] || install -D -m 644 -- "$textmerge" "$new/notes/text/textmerge.wasm"
    mkdir -- "$folder/fixed"
    copy_fixed "$source/$application" "$folder/fixed"
    preload_modules "$folder/fixed/index.html" "$new"
    hash=$({ hash_of "$new" && hash_of "$folder/fixed"; } | sha256sum | cut -c 1-12)
    replace_text "$folder/fixed" "s#@assets@#/assets/$hash#g"
    if [[ -e $folder/fixed/sw.js ]]; then
        cp -- "$folder/fixed/index.html" "$new/$application/"
        files=$(list_for_service_worker "$new" "/assets/$hash")
        replace_text "$folder/fixed" "s#\"@files@\"#$files#; s#@version@#$hash#"
    fi
    finish_files "$folder"
    mv -- "$new" "$folder/assets/$hash"
}

# Moves an application to the folder that nginx serves. A page is moved after the files that it loads.
publish_application() {
    local layout=$1 folder=$2 assets file
    for assets in "$layout/assets"/*; do
        publish_assets "$assets" "$folder/assets/${assets##*/}"
    done
    for file in "${fixed_addresses[@]}" "${icon_addresses[@]}"; do
        if [[ -e $layout/fixed/$file ]]; then
            publish_file "$layout/fixed/$file" "$folder/$file"
        else
            rm -f -- "$folder/$file"{,.br,.gz}
        fi
    done
    keep_newest "$folder/assets" "$kept_versions"
}

publish_assets() {
    local assets=$1 folder=$2
    if [[ ! -d $folder ]]; then
        mkdir -p -- "${folder%/*}"
        mv -T -- "$assets" "$folder"
    fi
    # keep_newest sorts versions by their times.
    touch -- "$folder"
}

# Replaces a file and its compressed forms, each atomically.
publish_file() {
    local ending
    for ending in '' .br .gz; do
        mv -T -- "$1$ending" "$2$ending"
    done
}

# Copies the files with a fixed address, and renders the icons for the manifest. Systems may crop the maskable icon, so
# it has a margin of its background colour.
copy_fixed() {
    local source=$1 new=$2 file icon=${1%/*}/shared/icon.svg color
    for file in "${fixed_addresses[@]}"; do
        [[ ! -e $source/$file ]] || cp -- "$source/$file" "$new/"
    done
    [[ -e $source/manifest.webmanifest ]] || return 0
    color=$(grep -o 'fill="#[0-9a-f]*"' "$icon" | sed -n '1s/.*"\(.*\)"/\1/p')
    rsvg-convert -w 192 -h 192 "$icon" -o "$new/icon-192.png"
    rsvg-convert -w 512 -h 512 "$icon" -o "$new/icon-512.png"
    rsvg-convert -w 480 -h 480 --page-width 512 --page-height 512 --left 16 --top 16 -b "$color" \
        "$icon" -o "$new/icon-maskable.png"
}

# Replaces text in the files of a folder.
replace_text() {
    find "$1" -type f ! -name '*.png' -exec env LC_ALL=C sed -i -e "$2" {} +
}

# Prints a list of JavaScript strings: the address of each file, and its SHA-256.
list_for_service_worker() {
    local folder=$1 address=$2 file sum list=''
    while IFS= read -r file; do
        sum=$(sha256sum <"$folder/$file" | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | base64)
        list+=${list:+, }\"$address/$file\ sha256-$sum\"
    done < <(cd -- "$folder" && find . -type f -printf '%P\n' | LC_ALL=C sort)
    printf '%s\n' "$list"
}

# Copies pictures and other files that are neither modules nor style sheets, and have no fixed address.
copy_pictures() {
    local source=$1 application=$2 new=$3 file
    (
        cd -- "$source" || exit
        find . \( -path "./$application/*" -o -path './shared/*' \) -type f \
            ! -name '*.js' ! -name '*.css' ! -name '*.d.ts' \
            -exec cp --parents -t "$new" -- {} +
    )
    for file in "${fixed_addresses[@]}"; do
        rm -f -- "$new/$application/$file"
    done
}

# Bundles the modules and style sheets that pages name, with their imports. A worker is one file, because the page waits
# for it first; it duplicates the code shared with the page. The same holds for a script that is no module.
build_modules() {
    local source=$1 application=$2 new=$3 named alone bundle splitting
    mapfile -t alone < <(sed -nE 's#.*(<script src| content)="@assets@/([a-z0-9./-]+\.js)".*#\2#p' \
        "$source/$application"/*.html | sort -u)
    mapfile -t named < <(sed -nE '/(<script src| content)="[^"]*\.js"/d; s#.*"@assets@/([a-z0-9./-]+\.(js|css))".*#\1#p' \
        "$source/$application"/*.html | sort -u)
    ((${#named[@]} > 0)) || return 0
    bundle=(esbuild --bundle --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning --outbase=. "--outdir=$new")
    # Injecting the page's script into all lazily loaded modules keeps it in one chunk, instead of one for each set of
    # modules with shared code. A service worker needs time for each file.
    splitting=(--splitting '--chunk-names=parts/[name]-[hash]' "--inject:$application/main.js")
    if [[ $application == notes ]]; then
        bundle+=("--alias:codemirror=$(codemirror_module)") || return
    fi
    (
        cd -- "$source" || exit
        ((${#alone[@]} == 0)) || "${bundle[@]}" "${alone[@]}" || exit
        "${bundle[@]}" "${splitting[@]}" "${named[@]}"
    )
}

# Adds preload links to a page for the modules that its script imports, so that they load with the script.
preload_modules() {
    local page=$1 new=$2 script imported lines=''
    while IFS= read -r imported; do
        lines+="<link rel=\"modulepreload\" href=\"@assets@/$imported\">\\n"
    done < <(
        sed -nE 's#.*<script type="module".* src="@assets@/([a-z0-9./-]+)".*#\1#p' "$page" | while IFS= read -r script; do
            grep -oE '(from|import)"\.[^"]+"' "$new/$script" | cut -d'"' -f2 | while IFS= read -r imported; do
                realpath -m --relative-to=/ -- "/${script%/*}/$imported"
            done
        done | LC_ALL=C sort -u
    )
    sed -i "0,/<script type=\"module\"/s##$lines&#" "$page"
}

# Prints a hash of twelve digits over the names and contents of a folder's files.
hash_of() {
    (cd -- "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum | sha256sum | cut -c 1-12)
}

finish_files() {
    chmod -R u=rwX,go=rX -- "$1"
    # Files are compressed in parallel, because one after the other would take seconds.
    find "$1" -type f -print0 | xargs -0 -r -n 8 -P "$(nproc)" sh -c 'brotli --best -- "$@" && gzip -9nk -- "$@"' -
}

# Removes all folders in a folder except the newest ones. Arguments: the folder, the number to retain.
keep_newest() {
    local folder=$1 count=$2 old
    find "$folder" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\n' | sort -rn | tail -n "+$((count + 1))" |
        cut -d' ' -f2- | while IFS= read -r old; do rm -rf -- "$old"; done
}
