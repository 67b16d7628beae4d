/// A scanner that separates the comments, literals and code of a Swift file, with only the grammar needed for that.
struct SwiftScanner {
    /// The source with comments and the contents of literals replaced by spaces.
    private(set) var code: [UInt8]
    /// The source with everything but comments replaced by spaces.
    private(set) var comments: [UInt8]
    private(set) var literals: [SourceFile.Literal] = []
    private let source: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) {
        source = Array(text.utf8)
        code = source.map { $0 == newline ? newline : space }
        comments = code
    }

    mutating func scan() { scanCode(upToClosingParenthesis: false) }

    private mutating func scanCode(upToClosingParenthesis: Bool) {
        var depth = 0
        while position < source.count {
            if starts("//") {
                while position < source.count, source[position] != newline { takeComment() }
            } else if starts("/*") {
                scanBlockComment()
            } else if let hashes = hashesBeforeQuote() {
                scanLiteral(hashes: hashes)
            } else {
                if source[position] == UInt8(ascii: "(") { depth += 1 }
                if source[position] == UInt8(ascii: ")") {
                    depth -= 1
                    if upToClosingParenthesis, depth < 0 { return }
                }
                takeCode()
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if starts("/*") {
                depth += 1
                takeComment()
            } else if starts("*/") {
                depth -= 1
                takeComment()
            }
            takeComment()
        } while depth > 0 && position < source.count
    }

    private mutating func scanLiteral(hashes: Int) {
        let firstLine = line
        for _ in 0..<hashes { takeCode() }
        let quote = starts("\"\"\"") ? "\"\"\"" : "\""
        let end = quote + String(repeating: "#", count: hashes)
        let interpolation = "\\" + String(repeating: "#", count: hashes) + "("
        for _ in quote.utf8 { takeCode() }
        var text: [UInt8] = []
        while position < source.count {
            if starts(end) {
                for _ in end.utf8 { takeCode() }
                break
            }
            if starts(interpolation) {
                for _ in interpolation.utf8 { skip() }
                scanCode(upToClosingParenthesis: true)
                skip()
            } else if hashes == 0, source[position] == UInt8(ascii: "\\"), position + 1 < source.count {
                text += source[position...position + 1]
                skip()
                skip()
            } else if quote == "\"", source[position] == newline {
                break
            } else {
                text.append(source[position])
                skip()
            }
        }
        literals.append(SourceFile.Literal(line: firstLine, text: String(decoding: text, as: UTF8.self)))
    }

    private func hashesBeforeQuote() -> Int? {
        var end = position
        while end < source.count, source[end] == UInt8(ascii: "#") { end += 1 }
        return end < source.count && source[end] == UInt8(ascii: "\"") ? end - position : nil
    }

    private func starts(_ text: String) -> Bool {
        // The first byte differs in most places, so its check saves time in this frequent call.
        position < source.count && source[position] == text.utf8.first && source[position...].starts(with: text.utf8)
    }

    private mutating func takeCode() {
        if position < source.count { code[position] = source[position] }
        skip()
    }

    private mutating func takeComment() {
        if position < source.count { comments[position] = source[position] }
        skip()
    }

    private mutating func skip() {
        if position < source.count, source[position] == newline { line += 1 }
        position += 1
    }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
