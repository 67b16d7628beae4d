import Glibc
import RegexBuilder

/// A Swift file, separated into code, comments and string literals.
struct SourceFile: Sendable {
    /// The path from the repository's root: `Sources/Domains/HTTP/Request.swift`.
    let path: String
    let lines: [String]
    /// The lines with comments and the contents of literals replaced by spaces.
    let code: [String]
    /// The lines with everything but comments replaced by spaces.
    let comments: [String]
    let literals: [Literal]
    /// The imported modules, each with the index of its line.
    let imports: [(index: Int, module: String)]

    /// A string literal.
    struct Literal: Equatable, Sendable {
        /// The line of the opening quote, from 1.
        let line: Int
        let text: String
    }

    init(path: String, text: String) {
        self.path = path
        var scanner = SwiftScanner(text)
        scanner.scan()
        lines = text.lines
        code = String(decoding: scanner.code, as: UTF8.self).lines
        comments = String(decoding: scanner.comments, as: UTF8.self).lines
        literals = scanner.literals
        imports = Self.imports(in: code)
    }

    private static func imports(in code: [String]) -> [(index: Int, module: String)] {
        let kinds = /(?:typealias|struct|class|enum|protocol|let|var|func)\s+/
        let statement = Regex {
            /(?:^|;)\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+/
            Optionally(kinds)
            Capture(/\w+/)
        }
        return code.enumerated().flatMap { index, line in
            line.has("import") ? line.matches(of: statement).map { (index, String($0.output.1)) } : []
        }
    }

    /// Returns true if the file is in a folder or one of its subfolders.
    func isInside(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

    func finding(_ index: Int, _ message: String) -> Finding {
        Finding(path: path, line: index + 1, message: message)
    }
}

extension String {
    /// Returns true if the string contains a text, by comparing bytes. Comparing characters takes a minute for all
    /// files.
    func has(_ text: String) -> Bool {
        // Safe because both strings end with a zero byte, and a source file contains no other zero byte.
        unsafe withCString { unsafe strstr($0, text) != nil }
    }

    /// The lines without their line ends. A line end at the end of the text starts no further line.
    fileprivate var lines: [String] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
