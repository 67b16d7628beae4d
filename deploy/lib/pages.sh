# shellcheck shell=bash
# The pages: Sources/Web, as it is edited, laid out as nginx serves it; and the hosts that they are on.
#
#   api/index.html …                  the files of the API's own host, as they are
#   console/index.html …              what has a fixed address, which browsers ask for anew each time
#   console/assets/<hash>/console/…   all else, at an address made of its content, which browsers keep for good
#   console/assets/<hash>/parts/…     pieces of modules that several of those need, or that are loaded later
#   notes/assets/<hash>/notes/text/textmerge.wasm   the merge of notes (Sources/Web/wasm)
#
# The sources are modules that browsers can run as they are. esbuild puts those together that are loaded together and
# leaves out what only readers need: less than half of the bytes, and a tenth of the requests. Beside each file lie its .br
# and .gz for nginx. The same sources give the same names and bytes.
#
# In a file with a fixed address, "@assets@" becomes the folder with the hash. An application with a service worker,
# sw.js, works without a network: "@files@" there becomes all of its files, "@version@" the hash, and the page lies in
# that folder too, so that the files that a service worker keeps are of one version whatever is laid out meanwhile. An
# application with a manifest.webmanifest gets pictures of its icon.svg, as systems want them that install it.

# shellcheck source=/dev/null
source "${BASH_SOURCE[0]%/*}/codemirror.sh"

applications=(console notes)
fixed_addresses=(index.html sw.js manifest.webmanifest favicon.ico favicon.svg robots.txt)
icon_addresses=(icon-192.png icon-512.png icon-maskable.png)
# Of each application's files: the present version, and those before it, for pages that are still open.
kept_versions=3

# The number of layouts that stay in $checkout/.build/pages, the newest ones.
kept_layouts=12

# Serves the pages in a folder. A folder that has the same version already is left alone.
# Arguments: the sources, the folder that nginx serves (an absolute path), TextMerge's WebAssembly module.
lay_out_pages() {
    local source=$1 target=$2 textmerge=$3 version layout application
    version=$({ hash_of "$source" && cat -- "${BASH_SOURCE[0]%/*}"/{codemirror,pages}.sh "$textmerge"; } | sha256sum | cut -c 1-24)
    [[ ! -e $target/.version || $(<"$target/.version") != "$version" ]] || return 0
    layout=${checkout:?}/.build/pages/$version
    make_layout "$source" "$layout" "$textmerge" || return
    rm -f -- "$target/.version"
    publish_api "$layout/api" "$target/api"
    for application in "${applications[@]}"; do
        publish_application "$layout/$application" "$target/$application"
    done
    printf '%s\n' "$version" >"$target/.version"
}

# Puts the description of the API together: its parts are members of a mapping each, in their indentation.
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

# Makes a layout, once for each version of the sources, since compressing its files takes 20 s of a processor. A layout
# that exists is complete. If several processes want the same one, the first makes it while the others wait.
make_layout() {
    local source=$1 layout=$2 textmerge=$3 draft=$2.new application
    mkdir -p -- "${layout%/*}"
    (
        flock 9
        if [[ ! -d $layout ]]; then
            rm -rf -- "$draft"
            mkdir -- "$draft" "$draft/api"
            find "$source/api" -maxdepth 1 -type f -exec cp -t "$draft/api" -- {} +
            join_description "$source/api/openapi" >"$draft/api/openapi.yaml" || exit
            finish_files "$draft/api"
            for application in "${applications[@]}"; do
                make_application "$source" "$draft/$application" "$application" "$textmerge" || exit
            done
            mv -- "$draft" "$layout"
        fi
        touch -- "$layout"
        keep_newest "${layout%/*}" "$kept_layouts"
    ) 9>"${layout%/*}/lock"
}

publish_api() {
    local layout=$1 folder=$2
    rm -rf -- "$folder.new"
    mkdir -p -- "${folder%/*}"
    cp -r --preserve=mode -- "$layout" "$folder.new"
    rm -rf -- "$folder"
    mv -- "$folder.new" "$folder"
}

# Makes an application's files in an empty or new folder: those with a fixed address, and assets/<hash>.
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
    fill_in "$folder/fixed" "s#@assets@#/assets/$hash#g"
    if [[ -e $folder/fixed/sw.js ]]; then
        cp -- "$folder/fixed/index.html" "$new/$application/"
        files=$(list_for_service_worker "$new" "/assets/$hash")
        fill_in "$folder/fixed" "s#\"@files@\"#$files#; s#@version@#$hash#"
    fi
    finish_files "$folder"
    mv -- "$new" "$folder/assets/$hash"
}

# Copies an application to where nginx serves it. The files that a page asks for are there before the page is.
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
        rm -rf -- "${folder%/*}/.new"
        mkdir -p -- "${folder%/*}"
        cp -r --preserve=mode -- "$assets" "${folder%/*}/.new"
        mv -- "${folder%/*}/.new" "$folder"
    fi
    # The order of times is that of versions.
    touch -- "$folder"
}

# Replaces a file and its compressed forms, each at once.
publish_file() {
    local ending
    for ending in '' .br .gz; do
        cp --preserve=mode -- "$1$ending" "$2.new"
        mv -- "$2.new" "$2$ending"
    done
}

# What has a fixed address, and the pictures that a manifest names. Where a system cuts the icon out in a form of its
# own, its middle is on a ground of its own colour.
copy_fixed() {
    local source=$1 new=$2 file icon=$1/icon.svg color
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

# In the texts of a folder.
fill_in() {
    find "$1" -type f ! -name '*.png' -exec env LC_ALL=C sed -i -e "$2" {} +
}

# As strings of JavaScript: the address of each file, and what its bytes come to.
list_for_service_worker() {
    local folder=$1 address=$2 file sum list=''
    while IFS= read -r file; do
        sum=$(sha256sum <"$folder/$file" | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | base64)
        list+=${list:+, }\"$address/$file\ sha256-$sum\"
    done < <(cd -- "$folder" && find . -type f -printf '%P\n' | LC_ALL=C sort)
    printf '%s\n' "$list"
}

# What is neither a module nor a style sheet nor at a fixed address: pictures and the like.
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

# The modules and style sheets that pages name, with all that these import. A worker is one file, since it is a page's
# first wait; what it shares with the page is there twice. So is a script that is no module.
build_modules() {
    local source=$1 application=$2 new=$3 named alone bundle splitting
    mapfile -t alone < <(sed -nE 's#.*(<script src| content)="@assets@/([a-z0-9./-]+\.js)".*#\2#p' \
        "$source/$application"/*.html | sort -u)
    mapfile -t named < <(sed -nE '/(<script src| content)="[^"]*\.js"/d; s#.*"@assets@/([a-z0-9./-]+\.(js|css))".*#\1#p' \
        "$source/$application"/*.html | sort -u)
    ((${#named[@]} > 0)) || return 0
    bundle=(esbuild --bundle --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning --outbase=. "--outdir=$new")
    # As if all that is loaded later imported the page's script, so that this is one file, and not one for each set of
    # parts that have something of it in common. A service worker takes a while for each.
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

# Has a page ask at once for the modules that its script imports, instead of after having read it.
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

# Twelve digits, of the names and the contents.
hash_of() {
    (cd -- "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0r sha256sum | sha256sum | cut -c 1-12)
}

finish_files() {
    chmod -R u=rwX,go=rX -- "$1"
    # One file after the other takes seconds, and most processors have others beside them.
    find "$1" -type f -print0 | xargs -0 -r -n 8 -P "$(nproc)" sh -c 'brotli --best -- "$@" && zopfli "$@"' -
}

# Removes all folders in a folder except the newest ones. Arguments: the folder, the number of those that stay.
keep_newest() {
    local folder=$1 count=$2 old
    find "$folder" -mindepth 1 -maxdepth 1 -type d -printf '%T@ %p\n' | sort -rn | tail -n "+$((count + 1))" |
        cut -d' ' -f2- | while IFS= read -r old; do rm -rf -- "$old"; done
}

# Of each application the name of its host, or "off"; for a service that is being started, what the settings say.
declare -A page_hosts

take_page_hosts() {
    page_hosts=([console]=$1 [notes]=$2)
}

page_host_is_valid() {
    [[ $1 == off || $1 =~ ^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$ ]]
}

served_applications() {
    local application
    for application in "${applications[@]}"; do
        [[ ${page_hosts[$application]:-off} == off ]] || printf '%s\n' "$application"
    done
}

# The servers of the pages for nginx: the template, the folder with the pages, further lines for each, and what each
# listens on.
render_page_hosts() {
    local template=$1 www=$2 also=$3 application listen='' text
    shift 3
    for address in "$@"; do
        listen+="${listen:+$'\n    '}listen $address ssl http2;"
    done
    for application in $(served_applications); do
        text=$(<"$template")
        text=${text//@application@/"$application"}
        text=${text//@host@/"${page_hosts[$application]}"}
        text=${text//@listen@/"$listen"}
        text=${text//"    @also@"$'\n'/"${also:+"    $also"$'\n'}"}
        printf '\n%s\n' "${text//@www@/"$www"}"
    done
}
