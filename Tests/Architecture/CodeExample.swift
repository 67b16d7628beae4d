import Foundation

/// A block of Swift in a page of the documentation.
struct CodeExample: CustomStringConvertible {
    let page: String
    /// From 1.
    let line: Int
    /// Without the space at their ends, empty lines and imports.
    let lines: [String]
    /// Whether the page says just before it that it is not compiled here.
    let isSaidToBeUncompiled: Bool

    var description: String { "\(page):\(line): \(lines.first ?? "")" }

    /// The blocks of a page.
    static func all(in text: String, page: String) -> [CodeExample] {
        var examples: [CodeExample] = []
        var (block, start, before): ([String]?, Int, String) = (nil, 0, "")
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if let lines = block, line == "```" {
                let isUncompiled = before.contains("not compiled or tested by this project")
                examples.append(
                    CodeExample(page: page, line: start, lines: comparable(lines), isSaidToBeUncompiled: isUncompiled))
                (block, before) = (nil, "")
            } else if block != nil {
                block?.append(line)
            } else if line.hasPrefix("```swift") {
                (block, start) = ([], index + 1)
            } else {
                // A paragraph may have several lines.
                before = line.isEmpty && before.hasSuffix(":") ? before : line.isEmpty ? "" : before + " " + line
            }
        }
        return examples
    }

    /// Whether its lines stand in a file in a row; space doesn't count, which the formatter sets in the file.
    func stands(in lines: [String]) -> Bool { Self.dense(lines).range(of: Self.dense(self.lines)) != nil }

    private static func dense(_ lines: [String]) -> String { lines.joined().filter { !$0.isWhitespace } }

    static func comparable(_ lines: [String]) -> [String] {
        lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }
}

/// The lines of a file of examples: those that Linux compiles, and those for Apple platforms.
struct CompiledExamples {
    private(set) var here: [String] = []
    private(set) var onApple: [String] = []

    init(_ text: String) {
        var isForApple = false
        for line in CodeExample.comparable(text.components(separatedBy: "\n")) {
            if line == "#if canImport(SwiftUI)" {
                isForApple = true
            } else if line == "#endif" {
                isForApple = false
            } else if isForApple {
                onApple.append(line)
            } else {
                here.append(line)
            }
        }
    }
}
