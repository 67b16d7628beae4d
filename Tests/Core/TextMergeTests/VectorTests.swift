import Foundation
import Testing
import TextMerge

/// Runs the vectors that every engine must pass, here natively. Sources/Web/wasm/vectors.mjs runs them in WebAssembly.
@Suite struct VectorTests {
    private struct Vector: Decodable {
        let kind: String
        let base: Written?
        let theirs: Written?
        let mine: Written?
        let old: Written?
        let new: Written?
        let delta: Delta?
        let fromTheirs: Delta?
        let fromMine: Delta?
        let text: String?
        let failure: String?
    }

    /// A text, or a piece of text with its number of repetitions.
    private struct Written: Decodable {
        let text: String

        private struct Repeated: Decodable {
            let text: String
            let times: Int
        }

        init(from decoder: any Decoder) throws {
            if let text = try? String(from: decoder) {
                self.text = text
            } else {
                let repeated = try Repeated(from: decoder)
                text = String(repeating: repeated.text, count: repeated.times)
            }
        }
    }

    /// A delta as a string or as the canonical array.
    private enum Delta: Decodable {
        case string(String)
        case elements([DeltaElement])

        init(from decoder: any Decoder) throws {
            if let string = try? String(from: decoder) {
                self = .string(string)
                return
            }
            var array = try decoder.unkeyedContainer()
            var elements: [DeltaElement] = []
            while !array.isAtEnd {
                if let number = try? array.decode(Int.self) {
                    elements.append(.integer(number))
                } else {
                    elements.append(.text(try array.decode(String.self)))
                }
            }
            self = .elements(elements)
        }

        var elements: [DeltaElement]? { if case .elements(let elements) = self { elements } else { nil } }
        var string: String? { if case .string(let string) = self { string } else { nil } }
    }

    private static func vectors() throws -> [Vector] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("vectors.json")
        return try JSONDecoder().decode([Vector].self, from: try Data(contentsOf: file))
    }

    @Test func `the library gives what the vectors say`() throws {
        let vectors = try VectorTests.vectors()
        #expect(vectors.count > 60)
        for vector in vectors {
            switch vector.kind {
            case "merge":
                let (theirs, mine) = (try #require(vector.theirs), try #require(vector.mine))
                let merged = ThreeWay.merge(base: try #require(vector.base).text, theirs: theirs.text, mine: mine.text)
                #expect(merged.fromTheirs.elements == vector.fromTheirs?.elements, "\(vector)")
                #expect(merged.fromMine.elements == vector.fromMine?.elements, "\(vector)")
                #expect(try merged.fromMine.apply(to: mine.text).units == merged.text.units)
                if let text = vector.text { #expect(merged.text.units == text.units, "\(vector)") }
            case "diff":
                let delta = TextMerge.Delta.between(try #require(vector.old).text, try #require(vector.new).text)
                #expect(delta.elements == vector.delta?.elements, "\(vector)")
            default:
                let base = try #require(vector.base).text
                let string = try #require(vector.delta?.string)
                do throws(DeltaFailure) {
                    let text = try EncodedDelta(string).apply(to: base)
                    #expect(text.units == vector.text?.units, "\(vector)")
                } catch {
                    #expect(error.description == vector.failure, "\(vector)")
                }
            }
        }
    }
}
