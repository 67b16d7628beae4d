import { outlineOf } from "../../../Sources/Web/notes/editor/outline.js";
import { equal } from "./checks.js";

Deno.test("an outline has the headings of a note as a reader sees them", () => {
    const text = "text\n\n### A *b* [c](https://d) `e`\n\nTwo\n---\n\n```\n# code\n```\n#### \n#no\n";
    equal(outlineOf(text), [
        { level: 2, text: "A b c e", from: 6 },
        { level: 1, text: "Two", from: text.indexOf("Two") },
        { level: 3, text: "", from: text.indexOf("#### ") },
    ]);
    equal(outlineOf(""), []);
});
