import Foundation

/// A block of Swift in a page of the documentation.
struct CodeExample: CustomStringConvertible {
    let page: String
    /// From 1.
    let line: Int
    let lines: [String]

    var description: String { "\(page):\(line): \(lines.first ?? "")" }

    /// The blocks of a page, or of the comments of a file.
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

    /// Whether its lines stand in a file in a row; space doesn't count, which the formatter sets in the file.
    func stands(in lines: [String]) -> Bool { Self.dense(lines).range(of: Self.dense(self.lines)) != nil }

    private static func dense(_ lines: [String]) -> String { lines.joined().filter { !$0.isWhitespace } }

    /// Without the space at their ends, empty lines, imports and conditions of the compiler.
    static func comparable(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("#if ") && $0 != "#endif"
        }
    }
}
