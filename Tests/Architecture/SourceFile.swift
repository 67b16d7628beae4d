import Glibc
import RegexBuilder

/// A Swift file with its comments and texts told apart from its code.
struct SourceFile: Sendable {
    /// From the top of the repository: `Sources/Domains/HTTP/Request.swift`.
    let path: String
    /// The file's lines as they are.
    let lines: [String]
    /// The same lines with comments and the insides of texts blanked out.
    let code: [String]
    /// The comments, without a file's code, by line.
    let comments: [String]
    let literals: [Literal]
    /// The modules imported, with the index of the line.
    let imports: [(index: Int, module: String)]

    /// A text in the source.
    struct Literal: Equatable, Sendable {
        /// The line of its opening quote, from 1.
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

    /// Whether the file lies in a folder or below it.
    func isInside(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

    func finding(_ index: Int, _ message: String) -> Finding {
        Finding(path: path, line: index + 1, message: message)
    }
}

extension String {
    /// Looks for a text in this one, byte by byte: by characters it takes a minute for all files.
    func has(_ text: String) -> Bool {
        // Safe because both end with a zero byte, and a source has none within.
        unsafe withCString { unsafe strstr($0, text) != nil }
    }

    /// The lines without their ends; an end of line at the very end begins no further line.
    fileprivate var lines: [String] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
