import Foundation

/// A Swift file of the tests that names examples of the documentation instead of repeating them.
///
/// A line `// example: let a = 1` stands for the example `let a = 1`, or for the only one that begins so. If one
/// example begins with another, the longer one is meant. White space is ignored, so a name may join several lines of
/// code.
struct ExampleTemplate {
    let path: String
    let text: String

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the file with its examples.
    ///
    /// The compiler and the tests report lines of the documentation and of the template.
    func filled(with examples: [CodeExample]) throws(Failure) -> String {
        var filled = [Self.location(path, 1)]
        for (index, line) in lines.enumerated() {
            guard let example = try example(in: line, at: index, of: examples) else {
                filled.append(line)
                continue
            }
            let indentation = String(line.prefix { $0 == " " })
            filled.append(Self.location(example.page, example.line))
            filled += example.lines.map { $0.isEmpty ? "" : indentation + $0 }
            filled.append(Self.location(path, index + 2))
        }
        return filled.joined(separator: "\n")
    }

    /// Returns the examples that the file names.
    func examples(of examples: [CodeExample]) throws(Failure) -> [CodeExample] {
        var named: [CodeExample] = []
        for (index, line) in lines.enumerated() {
            if let example = try example(in: line, at: index, of: examples) { named.append(example) }
        }
        return named
    }

    private var lines: [String] { text.components(separatedBy: "\n") }

    private func example(in line: String, at index: Int, of examples: [CodeExample]) throws(Failure) -> CodeExample? {
        let mark = "// example: "
        let comment = line.drop { $0 == " " }
        guard comment.hasPrefix(mark) else { return nil }
        let name = comment.dropFirst(mark.count)
        let begin = name.filter { !$0.isWhitespace }
        let found = examples.filter { $0.text.hasPrefix(begin) }
        if let example = found.first(where: { $0.text == begin }) { return example }
        let longest = found.max { $0.text.utf8.count < $1.text.utf8.count }
        if let longest, found.allSatisfy({ longest.text.hasPrefix($0.text) }) { return longest }
        let problem =
            found.isEmpty
            ? "no Swift block of the documentation begins with '\(name)'; copy the first line of a block"
            : "several Swift blocks of the documentation begin with '\(name)'; add the next line of the block:"
                + found.map { "\n\($0)" }.joined()
        throw Failure(description: "\(path):\(index + 1): error: \(problem)")
    }

    private static func location(_ path: String, _ line: Int) -> String {
        "#sourceLocation(file: \"\(path)\", line: \(line))"
    }
}
