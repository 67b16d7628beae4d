# shellcheck shell=bash
# CodeMirror, the editor component of notes, and its parsers of code. The modules come from a Python package that
# contains them.

codemirror_package="nicegui==3.18.0 --hash=sha256:a2bd51642312d98aab6d8b641245d796ff1b89da5829777170bcc488140c3dcd"

# Prints the path of the module, and creates it the first time. A module that exists is complete.
codemirror_module() {
    local folder draft
    folder=${checkout:?}/.build/codemirror-$(sha256sum <"${BASH_SOURCE[0]}" | cut -c1-12)
    if [[ ! -f $folder/codemirror.js ]]; then
        draft=$folder.$BASHPID
        mkdir -p -- "$draft"
        if ! take_codemirror_out "$draft" >"$draft.log" 2>&1; then
            tail -n 20 -- "$draft.log" >&2
            rm -rf -- "$draft" "$draft.log"
            printf '%s\n' "CodeMirror could not be extracted from the Python package ${codemirror_package%% *}:" \
                "that needs Debian's python3 and python3-venv, and a network the first time" >&2
            return 1
        fi
        rm -rf -- "$draft.log" "$folder"
        mv -- "$draft" "$folder"
    fi
    printf '%s\n' "$folder/codemirror.js"
}

take_codemirror_out() {
    local draft=$1
    printf '%s\n' "$codemirror_package" >"$draft/requirements.txt"
    # pip from the wheel that python3-venv contains: an environment would take six seconds to create.
    PYTHONPATH=$(compgen -G '/usr/share/python-wheels/pip-*.whl') python3 -m pip download --quiet \
        --disable-pip-version-check --no-deps --require-hashes --dest "$draft" -r "$draft/requirements.txt" || return
    python3 - "$draft" <<'PROGRAM' || return
import pathlib, re, sys, zipfile

draft = pathlib.Path(sys.argv[1])
(wheel,) = draft.glob("nicegui-*.whl")
with zipfile.ZipFile(wheel) as files:
    folder = "nicegui/elements/codemirror/dist/"
    names = files.read(folder + "index.js").decode()
    (core,) = set(re.findall(r'from"\./(index-[\w-]+\.js)"', names))
    modules = {
        name.removeprefix(folder): files.read(name).decode() for name in files.namelist() if name.endswith(".js")
    }


def exporting(name):
    (found,) = (each for each, text in modules.items() if re.search(rf"export\{{[^}}]*\b{name}\b[^}}]*\}};", text))
    return found


markdown = exporting("markdownLanguage")
texts = {name: modules[name] for name in (core, markdown)}
# Removes HTML from Markdown, where HTML would end paragraphs, and the colors of Markdown.
for name, pattern, replacement in (
    (markdown, r'import\{html as (\w+),htmlCompletionSource as (\w+)\}from"[^"]*";', r"const \1=()=>null,\2=\1;"),
    (markdown, r'import"\./[\w-]+\.js";', ""),
    (markdown, r",\(\w+,\w+\)=>[\w$]+\(\w+,0,!0\)>=0(?=\])", ""),
    (markdown, r"(?<=\))\.extend\(\w+\)(?=,Object)", ""),
    (markdown, r",\w+&&\((\w+)=\1\.extend\(\w+\(\w+\)\)\)", ""),
    (markdown, r',style:(?:\{[^}]*\}|\w+\.\w+(?:\([\w.]+\))?)', ""),
    (core, r"for\(let (\w+) in (\w+)\)\{let (\w+)=\2\[\1\];\3 instanceof \w+&&\(\3\.name=\1\)\}", ""),
    (core, r"(?<=;)\w+\(\[\{tag:.*?\}\]\);", ""),
):
    texts[name], count = re.subn(pattern, replacement, texts[name])
    if count == 0:
        sys.exit(f"nothing matches {pattern}")
# Exports what colors code.
coloring = {
    "highlightTree": r"function ([\w$]+)\(\w,\w,\w,\w=0,\w=\w\.length\)",
    "parseMixed": r"function ([\w$]+)\(\w\)\{return\(\w,\w,\w,\w\)=>new [\w$]+\(\w,\w,\w,\w,\w\)\}",
    "tags": r"([\w$]+)=\{comment:",
}
for name, pattern in coloring.items():
    (made,) = re.findall(pattern, texts[core])
    texts[core] += f"\nexport{{{made} as {name}}};"
# Restores the annotations of pure expressions, which the bundle has lost, so that esbuild drops unused code.
pure = "/*@__PURE__*/"
for name, text in texts.items():
    # An expression of members or calls needs a function around it to be marked.
    for made in (
        r"(?:[\w$]+\.define\()?\[\{tag:.*?\}\]\)?",
        r"\[[\w$]+,[\w$]+\.(?:low|decorations)\b.*?,[\w$]+\]",
        r"\[[\w$]+,[\w$]+\([\w$]+\)\]",
        r'\[\{key:"(?:Tab",run:[\w$]+\(1\)|Ctrl-Space").*?\}\]',
        r'[\w$]+\.baseTheme\(\{"\.cm-diagnostic".*?\}\)',
        r'[\w$]+\(\{"Blockquote/\.\.\.".*?\}\)',
        r"\{comment:[\w$]+,.*?\}",
    ):
        text = re.sub(rf"(?<=[\w$]=)({made})(?=[,;])", rf"{pure}(()=>(\1))()", text)
    text = re.sub(r"([\w$]+\.(?:highest|high|low|default)\()(?=[\w$]+\.[\w$]+\()", rf"\1{pure}", text)
    text = re.sub(r"(?<=[\w$]=)(?=new |Object\.freeze\(|\(\(\)=>|[A-Za-z_$][\w$]*(?:\.[A-Za-z]+)*\()", pure, text)
    text = re.sub(r'(?<=[\[,])(?=[\w$]+\.of\(\{name:")', pure, text)
    # CodeMirror's own list of languages is never used.
    text = re.sub(r'import\("\./[\w-]+\.js"\)', "Promise.reject()", text)
    (draft / name).write_text(text)
# Parsers of code are separate files, which are loaded when used. Lezer's parsers of C++, PHP and Rust are too large.
codes = {}
for name in ("css", "go", "html", "java", "json", "sql", "xml", "yaml"):
    text = modules[exporting("StandardSQL" if name == "sql" else f"{name}Language")]
    # The parser is followed by completions, snippets and indentation.
    (text, made) = re.search(r"^(.*?([\w$]+)=[\w$]+\.deserialize\(.*?tokenPrec:\d+\}\))", text, re.S).groups()
    if name == "sql":
        colors = re.search(r"[\w$]+\(\{Keyword:.*?squareBracket\}\)", modules[exporting("StandardSQL")]).group()
        made = f"{made}.configure({{props:[{colors}]}})"
    (runtime,) = set(re.findall(r'import\{[^}]*\bL as [^}]*\}from"\./([\w-]+\.js)"', text)) - {core}
    text = re.sub(rf'import\{{[^}}]*\}}from"\./(?!{core}|{runtime})[^"]*";', "", text)
    codes[name] = f"{text};\nexport const parser={made};\n"
# The log of parsers would read the environment.
text, count = re.subn(r'"undefined"!=typeof process&&.*?\.LOG\)', "false", modules[runtime])
if count != 1:
    sys.exit(f"{runtime} has no log of parsers")
codes[runtime.removesuffix(".js")] = text
for name, marker in (
    ("clike", "objectiveCpp"), ("javascript", "jsonld"), ("python", "mkPython"),
    ("ruby", "ruby"), ("shell", "shell"), ("swift", "swift"),
):
    codes[name] = modules[exporting(marker)]
(made,) = re.findall(r'=(\w+)\(\{name:"javascript"\}\)', codes["javascript"])
codes["javascript"] += f"\nexport{{{made} as mkJavaScript}};\n"
for name, text in codes.items():
    (draft / f"{name}.js").write_text(text)
loaders = ",".join(f'{name}:()=>import("./{name}.js")' for name in sorted(codes) if name.isalnum())
exported = ",".join([re.search(r"^export\{(.*)\}from", names).group(1), *coloring])
(draft / "codemirror.js").write_text(
    f'export {{{exported}}} from "./{core}";\nexport {{markdownLanguage}} from "./{markdown}";\n'
    f"export const codeModules = {{{loaders}}};\n")
PROGRAM
    rm -f -- "$draft/requirements.txt" "$draft"/*.whl
}
