import AlmanacTestSupport
import Testing
import TextMerge

/// Checks work in steps instead of seconds, so that the tests give the same result on a slow machine.
@Suite(.serialized, .blocking) struct WorkBoundTests {
    private static let length = 1 << 20

    @Test(arguments: [
        "no letter in common", "letters on one line", "bits on one line", "letters in lines", "a million lines",
        "a million lines of one digit", "runs against alternation", "alternating patterns", "runs of other lengths",
    ])
    func `hostile texts of a mebibyte take bounded work, and the delta is exact`(name: String) throws {
        let (old, new) = WorkBoundTests.texts(name)
        var differ = Differ(from: old, to: new)
        let delta = Delta(&differ)
        // The bound allows for lines, words, and characters inside words. All characters are compared at once only in
        // small texts.
        let bound = max(Differ.stepLimit, Differ.stepsPerByteLimit * (old.utf8.count + new.utf8.count))
        #expect(differ.steps <= 3 * bound + old.utf8.count + new.utf8.count)
        #expect(try delta.apply(to: old).utf8.elementsEqual(new.utf8))
    }

    @Test func `texts with nothing in common are replaced as a whole`() {
        let delta = Delta.between(WorkBoundTests.noise("abcdefg"), WorkBoundTests.noise("stuvwxyz"))
        #expect(delta.operations.count == 2)
    }

    @Test func `one word changed in a mebibyte takes no search`() {
        let text = WorkBoundTests.noise("abcdefg ", lineLength: 80)
        let middle = text.index(text.startIndex, offsetBy: text.utf8.count / 2)
        var differ = Differ(from: text, to: text[..<middle] + "word" + text[middle...])
        #expect(Delta(&differ).operations.count == 3)
        #expect(differ.steps == 0)
    }

    @Test func `words changed all over a long line are found one by one`() throws {
        let words = (0..<40_000).map { "word\($0) " }
        let changed = words.enumerated().map { $0.offset % 1000 == 500 ? "other " : $0.element }
        let delta = Delta.between(words.joined(), changed.joined())
        #expect(delta.operations.filter { if case .insert = $0 { true } else { false } }.count == 40)
    }

    @Test func `a merge of hostile texts is exact too`() throws {
        let (theirs, mine) = WorkBoundTests.texts("letters in lines")
        let base = WorkBoundTests.noise("abc\n")
        let merged = ThreeWay.merge(base: base, theirs: theirs, mine: mine)
        #expect(try merged.fromTheirs.apply(to: theirs).utf8.elementsEqual(merged.text.utf8))
        #expect(try merged.fromMine.apply(to: mine).utf8.elementsEqual(merged.text.utf8))
    }

    private static func texts(_ name: String) -> (String, String) {
        let alphabet = "abcdefghijklmnopqrstuvwxyz    "
        switch name {
        case "no letter in common": return (noise("abcdefg"), noise("stuvwxyz"))
        case "letters on one line": return (noise(alphabet), noise(alphabet, seed: 2))
        case "bits on one line": return (noise("01"), noise("01", seed: 2))
        case "letters in lines": return (noise(alphabet, lineLength: 60), noise(alphabet, lineLength: 60, seed: 2))
        case "a million lines": return (String(repeating: "\n", count: length), noise("a", lineLength: 2))
        case "a million lines of one digit": return (noise("01\n"), noise("01\n", seed: 2))
        case "runs against alternation":
            return (String(repeating: "a", count: length), String(repeating: "ab", count: length / 2))
        case "alternating patterns":
            return (String(repeating: "abc", count: length / 3), String(repeating: "bacb", count: length / 4))
        default:
            let run = String(repeating: "a", count: length)
            return ("x" + run + "y", "z" + run.dropLast(1000) + "z")
        }
    }

    private static func noise(_ letters: String, lineLength: Int? = nil, seed: UInt64 = 1) -> String {
        var seed = Randomness(seed: seed)
        let letters = Array(letters.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        for index in 0..<length {
            let isEnd = lineLength.map { index % $0 == $0 - 1 } ?? false
            bytes.append(isEnd ? 0x0A : letters[Int(truncatingIfNeeded: seed.next() >> 33) % letters.count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
