import {
    attachmentID,
    attachmentOf,
    attachmentsIn,
    referenceTo,
    withAltText,
    withOtherIDs,
} from "../../../Sources/Web/notes/attachments/references.js";
import { equal } from "./checks.js";

const [one, other] = ["abcdefghijklmnopqrstuvwxyz", "234567aaaaaaaaaaaaaaaaaaaa"];

Deno.test("texts name the attachments that the cases of the server say", () => {
    const file = new URL("../../Core/FormsTests/attachment-references.json", import.meta.url);
    const cases = JSON.parse(Deno.readTextFileSync(file));
    equal(cases.length > 20, true);
    for (const { text, ids } of cases) equal([text, [...attachmentsIn(text)]], [text, ids]);
});

Deno.test("references are written, and changed in their places", () => {
    const written = referenceTo({ id: one, name: "A [small] plan.PNG" }, true);
    equal(written, `![A \\[small\\] plan](attachments/${one}.png)`);
    equal(referenceTo({ id: one, name: "Bill.pdf" }, false), `[Bill.pdf](attachments/${one}.pdf)`);
    equal(attachmentOf(`attachments/${one}.png`), one);
    equal(attachmentOf(`../attachments/${one}.png`), null);
    equal(attachmentID(new Uint8Array(16)), "a".repeat(26));
    equal(/^[a-z2-7]{26}$/.test(attachmentID(new Uint8Array(16).fill(255))), true);
    equal(withAltText(written, " Two\n`cats` ]"), `![Two \\\`cats\\\` \\]](attachments/${one}.png)`);
    equal(withAltText("not a picture", "words"), "not a picture");
    const text = `${written} attachments/${one}a attachments/${other} ${one}`;
    const expected = `![A \\[small\\] plan](attachments/${other}.png) attachments/${one}a attachments/${other} ${one}`;
    equal(withOtherIDs(text, new Map([[one, other]])), expected);
});
