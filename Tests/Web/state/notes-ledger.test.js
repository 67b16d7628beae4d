import { WordLedger } from "../simulation/ledger.js";
import { equal } from "./checks.js";

Deno.test("no word is given twice, though one was not written after all and others were meanwhile", () => {
    const ledger = new WordLedger();
    const [refused, ...kept] = [ledger.newWord(), ledger.newWord(), ledger.newWord()];
    ledger.unwrite(refused);
    const next = ledger.newWord();
    equal([refused, ...kept].includes(next), false);
    equal(ledger.problem([[...kept, next].join(" ")]), null);
    equal(ledger.problem([[...kept, next, next].join(" ")])?.startsWith(`the word ${next} is there 2 times`), true);
});
