import { EditorState, ensureSyntaxTree } from "codemirror";
import { codeColors, languageOf } from "../../../Sources/Web/notes/editor/code-languages.js";
import { language } from "../../../Sources/Web/notes/editor/markdown.js";
import { equal } from "./checks.js";

/** Returns the colored parts of a note, each as "text kind". @param {string} doc */
function colored(doc) {
    const state = EditorState.create({ doc, extensions: language });
    ensureSyntaxTree(state, doc.length, 5000);
    // A new state has the parsed tree.
    return codeColors(state.update({}).state, { from: 0, to: doc.length }).map(
        ({ from, to, value }) => `${doc.slice(from, to)} ${value.spec.class?.replace("cm-code-", "")}`,
    );
}

Deno.test("names and aliases of languages", () => {
    for (const names of [
        "js JavaScript",
        "ts typescript",
        "sh bash shell zsh",
        "yml yaml",
        "c c++ cpp h",
        "py Python",
    ]) {
        const [first, ...others] = names.split(" ").map(languageOf);
        equal(first !== undefined && others.every((one) => one === first), true);
    }
    equal(languageOf("js") === languageOf("ts"), false);
    equal(languageOf('js title="a.js"') === languageOf("js"), true);
    for (const name of ["", "text", "mermaid", "constructor", "{.js}"]) equal(languageOf(name), undefined);
});

/** A part of each language that has a color, by the language's name. */
const examples = {
    "c++": ["int main() { return 0; }", "return keyword"],
    cs: ['public string A = "b";', '"b" string'],
    css: ["a { color: red }", "color name"],
    go: ["func f() {}", "func keyword"],
    html: ['<a href="b">c</a>', "href name"],
    java: ["class A {}", "class keyword"],
    js: ["const a = 1; // b", "// b comment"],
    json: ['{ "a": [null] }', '"a" name'],
    kotlin: ["fun f() = 1", "fun keyword"],
    py: ["def f(): pass", "f name"],
    rb: ["def f; end", "def keyword"],
    sh: ["if true; then exit; fi", "then keyword"],
    sql: ["select 1 from t", "select keyword"],
    swift: ["let a = 1", "let keyword"],
    ts: ["interface A { b: string }", "interface keyword"],
    xml: ["<a>b</a>", "a name"],
    yml: ["a: 1 # b", "# b comment"],
};

Deno.test("code has the colors of its language", async () => {
    for (const [name, [code, part]] of Object.entries(examples)) {
        await languageOf(name)?.load();
        const found = colored(`> text\n>\n> ~~~ ${name}\n> ${code}\n> ~~~\n`);
        equal(found.includes(part) ? part : found, part);
    }
});

Deno.test("a fence is colored if it is short enough and its language is loaded", async () => {
    await languageOf("js")?.load();
    equal(colored("```js\nnull\n```"), ["null number"]);
    equal(colored("```js\nnull"), ["null number"]);
    equal(colored("```none\nnull\n```\n\n    null\n\nnull"), []);
    equal(colored("- a\n  ```js\n  null\n  ```"), ["null number"]);
    equal(colored(`\`\`\`js\nnull${" ".repeat(100_000)}\n\`\`\``), []);
});
