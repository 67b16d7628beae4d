import Foundation

/// A block of Swift code in a documentation page.
struct CodeExample: CustomStringConvertible {
    let page: String
    /// The line of the block's opening fence, from 1.
    let line: Int
    let lines: [String]

    var description: String { "\(page):\(line): \(lines.first ?? "")" }

    /// Returns the Swift blocks of a page, or of a source file's comments.
    static func all(in text: String, page: String) -> [CodeExample] {
        var examples: [CodeExample] = []
        var (block, start): ([String]?, Int) = (nil, 0)
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            var line = line.trimmingCharacters(in: .whitespaces)
            if page.hasSuffix(".swift") {
                guard line.hasPrefix("///") else {
                    block = nil
                    continue
                }
                line = line.dropFirst(3).trimmingCharacters(in: .whitespaces)
            }
            if let lines = block, line == "```" {
                examples.append(CodeExample(page: page, line: start, lines: comparable(lines)))
                block = nil
            } else if block != nil {
                block?.append(line)
            } else if line.hasPrefix("```swift") {
                (block, start) = ([], index + 1)
            }
        }
        return examples
    }

    /// Returns true if the block's lines follow each other in a file. White space is ignored, because the formatter
    /// sets it in the file.
    func isContained(in lines: [String]) -> Bool {
        Self.withoutWhitespace(lines).range(of: Self.withoutWhitespace(self.lines)) != nil
    }

    private static func withoutWhitespace(_ lines: [String]) -> String { lines.joined().filter { !$0.isWhitespace } }

    /// Returns the trimmed lines without empty lines, imports and compiler conditions.
    static func comparable(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("#if ") && $0 != "#endif"
        }
    }
}
