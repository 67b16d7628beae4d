import { WordLog } from "../simulation/write-log.js";
import { equal } from "./checks.js";

Deno.test("no word is given twice, though one was not written after all and others were meanwhile", () => {
    const log = new WordLog();
    const [refused, ...kept] = [log.newWord(), log.newWord(), log.newWord()];
    log.unwrite(refused);
    const next = log.newWord();
    equal([refused, ...kept].includes(next), false);
    equal(log.problem([[...kept, next].join(" ")]), null);
    equal(log.problem([[...kept, next, next].join(" ")])?.startsWith(`the word ${next} occurs 2 times`), true);
});
