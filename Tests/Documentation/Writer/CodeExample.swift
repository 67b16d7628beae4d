import Foundation

/// A block of Swift code in a documentation page or in a comment of a source file.
struct CodeExample: CustomStringConvertible {
    let page: String
    /// The number of the first line of code, from 1.
    let line: Int
    /// The code, without leading imports and without the indentation that all lines share.
    let lines: [String]
    /// The code without white space, which differs between pages.
    let text: String

    var description: String { "\(page):\(line): \(lines.first ?? "")" }

    private init(page: String, line: Int, block: [String]) {
        let code = block.drop { $0.isBlank || $0.hasTrimmedPrefix("import ") }
        let indentation = code.filter { !$0.isBlank }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        self.page = page
        self.line = line + block.count - code.count
        lines = code.map { String($0.dropFirst(indentation)) }
        text = code.joined().filter { !$0.isWhitespace }
    }

    /// Returns the Swift blocks of a page or of a source file's comments.
    static func all(in text: String, page: String) -> [CodeExample] {
        var examples: [CodeExample] = []
        var block: (line: Int, lines: [String])?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            var line = line
            if page.hasSuffix(".swift") {
                guard line.hasTrimmedPrefix("///") else {
                    block = nil
                    continue
                }
                line = String(line.drop(while: \.isWhitespace).dropFirst(3))
            }
            if let (start, lines) = block, line.trimmingCharacters(in: .whitespaces) == "```" {
                examples.append(CodeExample(page: page, line: start, block: lines))
                block = nil
            } else if block != nil {
                block?.lines.append(line)
            } else if line.hasTrimmedPrefix("```swift") {
                block = (index + 2, [])
            }
        }
        return examples
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    fileprivate func hasTrimmedPrefix(_ prefix: String) -> Bool { drop(while: \.isWhitespace).hasPrefix(prefix) }
}
