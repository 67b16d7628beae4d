/// The lines of YAML between two lines of three hyphens, with which a Markdown file begins.
///
/// Of YAML no more than what exports of notes hold: names with texts, plain, quoted or as blocks, and lists of texts.
/// Anchors, tags and nested collections are not understood, so nothing that they could do is ever done. A plain text
/// may hold what people forget to quote: `title: Trip: day one`, `title: Bug #3`. libyaml would read all of YAML 1.1,
/// and another set of files than the page's own reader does.
struct FrontMatter {
    struct Field {
        /// As it is written; empty for lines without a name, such as comments.
        let name: String
        /// All its lines, for putting it back.
        let lines: [String]
        /// Nil where the lines are not understood.
        let value: Value?

        var key: String { name.lowercased() }
    }

    enum Value: Equatable {
        case text(String)
        case list([String])
    }

    let fields: [Field]
    /// What follows, after one empty line.
    let rest: String

    init(fields: [Field], rest: String) {
        (self.fields, self.rest) = (fields, rest)
    }

    /// Reads what a text begins with; nil where it has no front matter, or one of which nothing is understood.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.begins(bytes) else { return nil }
        var lines: [[UInt8]] = []
        var at = bytes.firstIndex(of: 10)! + 1
        while true {
            let end = bytes[at...].firstIndex(of: 10)
            var line = bytes[at..<(end ?? bytes.endIndex)]
            at = end.map { $0 + 1 } ?? bytes.endIndex
            if line.last == 13 { line = line.dropLast() }
            if Self.isBorder(line) { break }
            guard end != nil else { return nil }
            lines.append(Array(line))
        }
        var reader = FrontMatterReader(lines)
        let fields = reader.fields()
        if !fields.isEmpty, fields.allSatisfy({ $0.value == nil }) { return nil }
        // One empty line belongs to the front matter.
        if bytes[at...].starts(with: [13, 10]) { at += 2 } else if bytes[at...].first == 10 { at += 1 }
        self.init(fields: fields, rest: String(decoding: bytes[at...], as: UTF8.self))
    }

    /// Whether a file's first line is one that front matter begins with.
    static func begins(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstIndex(of: 10) else { return false }
        let line = bytes[..<end]
        return isBorder(line.last == 13 ? line.dropLast() : line)
    }

    private static func isBorder(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "---".utf8) && line.dropFirst(3).allSatisfy { $0 == 32 || $0 == 9 }
    }
}

/// Reads the lines between the borders.
private struct FrontMatterReader {
    private let lines: [[UInt8]]
    private var at = 0

    private struct NotUnderstood: Error {}

    init(_ lines: [[UInt8]]) {
        self.lines = lines
    }

    mutating func fields() -> [FrontMatter.Field] {
        var fields: [FrontMatter.Field] = []
        var names: Set<String> = []
        while at < lines.count {
            let from = at
            at += 1
            if Self.trimmed(lines[from][...]).isEmpty { continue }
            let found = Self.field(lines[from])
            var value: FrontMatter.Value?
            if let found, names.insert(found.name.lowercased()).inserted { value = self.value(found.value) }
            if value == nil { skip(from) }
            let own = lines[from..<at].map { String(decoding: $0, as: UTF8.self) }
            fields.append(FrontMatter.Field(name: found?.name ?? "", lines: own, value: value))
        }
        return fields
    }

    /// Skips the lines of a field up to the next one.
    private mutating func skip(_ from: Int) {
        at = from + 1
        while at < lines.count, Self.field(lines[at]) == nil { at += 1 }
    }

    /// The name of a line `name: value`, and its value.
    private static func field(_ line: [UInt8]) -> (name: String, value: ArraySlice<UInt8>)? {
        guard let first = line.first, isLetter(first) || first == UInt8(ascii: "_") else { return nil }
        let end = line.firstIndex { byte in
            !(isLetter(byte) || (48...57).contains(byte) || "_?. -".utf8.contains(byte))
        }
        guard let end, line[end] == UInt8(ascii: ":") else { return nil }
        let rest = line[(end + 1)...]
        guard rest.isEmpty || rest.first == 32 else { return nil }
        return (String(decoding: line[..<end], as: UTF8.self), trimmed(rest.drop { $0 == 32 }))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        while line.last == 32 || line.last == 9 { line = line.dropLast() }
        return line
    }

    /// The value of a field; nil where it is not understood.
    ///
    /// - Parameter written: behind the name.
    private mutating func value(_ written: ArraySlice<UInt8>) -> FrontMatter.Value? {
        do {
            let value: FrontMatter.Value
            if written.isEmpty {
                value = try list()
            } else if written.first == UInt8(ascii: "[") {
                value = .list(try flow(written))
            } else {
                value = .text(try scalar(written, indent: 0, isField: true))
            }
            return at < lines.count && Self.isContinuation(lines[at]) ? nil : value
        } catch {
            return nil
        }
    }

    private static func isContinuation(_ line: [UInt8]) -> Bool {
        let rest = line.drop { $0 == 32 || $0 == 9 }
        if rest.count < line.count { return !rest.isEmpty }
        return rest.first == UInt8(ascii: "-") && (rest.count == 1 || rest.dropFirst().first == 32)
    }

    /// The items of a list; an empty text where there are none.
    private mutating func list() throws -> FrontMatter.Value {
        var items: [String] = []
        var indent: Int?
        while at < lines.count {
            let spaces = lines[at].prefix { $0 == 32 }.count
            let line = lines[at].dropFirst(spaces)
            guard line.first == UInt8(ascii: "-"), line.count == 1 || line.dropFirst().first == 32 else { break }
            guard indent ?? spaces == spaces else { throw NotUnderstood() }
            indent = spaces
            at += 1
            items.append(try scalar(Self.trimmed(line.dropFirst().drop { $0 == 32 }), indent: spaces))
        }
        return indent == nil ? .text("") : .list(items)
    }

    /// The items of a list in brackets, which may go on over several lines.
    private mutating func flow(_ first: ArraySlice<UInt8>) throws -> [String] {
        var text = Array(first)
        while text.last != UInt8(ascii: "]"), at < lines.count, Self.field(lines[at]) == nil {
            text += [32] + Self.trimmed(lines[at][...])
            at += 1
        }
        var items: [String] = []
        var rest = text.dropFirst()
        while true {
            let item = try Self.flowItem(&rest)
            let isLast = rest.popFirst() == UInt8(ascii: "]")
            if isLast ? !rest.isEmpty : item.isEmpty { throw NotUnderstood() }
            if let first = item.first {
                let isQuoted = "'\"".utf8.contains(first)
                items.append(try isQuoted ? scalar(item, indent: 0) : Self.plain(item, isField: false))
            }
            if isLast { return items }
        }
    }

    /// Takes an item in quotes or without off the front, so that the comma or bracket behind it comes next.
    private static func flowItem(_ rest: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        rest = rest.drop { $0 == 32 || $0 == 9 }
        let item: ArraySlice<UInt8>
        if let quote = rest.first, "'\"".utf8.contains(quote) {
            item = try quoted(rest, quote)
            rest = rest[item.endIndex...].drop { $0 == 32 || $0 == 9 }
        } else {
            item = rest.prefix { !",[]{}".utf8.contains($0) }
            rest = rest[item.endIndex...]
        }
        guard rest.first == UInt8(ascii: ",") || rest.first == UInt8(ascii: "]") else { throw NotUnderstood() }
        return trimmed(item)
    }

    /// The text in quotes that other text begins with, its quotes included.
    private static func quoted(_ text: ArraySlice<UInt8>, _ quote: UInt8) throws -> ArraySlice<UInt8> {
        var index = text.startIndex + 1
        while index < text.endIndex {
            if quote == UInt8(ascii: "\""), text[index] == UInt8(ascii: "\\") {
                index += 1
            } else if text[index] == quote {
                let isDoubled = quote == UInt8(ascii: "'") && text[(index + 1)...].first == quote
                if !isDoubled { return text[...index] }
                index += 1
            }
            index += 1
        }
        throw NotUnderstood()
    }

    /// - Parameter isField: and not an item of a list, where a colon makes a nested collection.
    private mutating func scalar(
        _ text: ArraySlice<UInt8>, indent: Int, isField: Bool = false
    ) throws -> String {
        guard let first = text.first else { return "" }
        switch first {
        case UInt8(ascii: "|"), UInt8(ascii: ">"):
            guard let header = BlockHeader(text) else { throw NotUnderstood() }
            return block(header, outer: indent)
        case UInt8(ascii: "'"): return try Self.single(text)
        case UInt8(ascii: "\""): return try Self.double(text)
        default: return try Self.plain(text, isField: isField)
        }
    }

    /// `|`, `>-`, `|2+`.
    private struct BlockHeader {
        let isFolded: Bool
        var indent: Int?
        var chomping: UInt8?

        init?(_ text: ArraySlice<UInt8>) {
            isFolded = text.first == UInt8(ascii: ">")
            for byte in text.dropFirst() {
                switch byte {
                case 49...57 where indent == nil: indent = Int(byte) - 48
                case UInt8(ascii: "+") where chomping == nil, UInt8(ascii: "-") where chomping == nil: chomping = byte
                default: return nil
                }
            }
        }
    }

    private mutating func block(_ header: BlockHeader, outer: Int) -> String {
        var indent = header.indent.map { outer + $0 }
        var found: [ArraySlice<UInt8>] = []
        while at < lines.count {
            let line = lines[at]
            let spaces = line.prefix { $0 == 32 }.count
            if spaces == line.count, indent.map({ spaces <= $0 }) ?? true {
                found.append([])
            } else {
                if indent == nil, spaces <= outer { break }
                let margin = indent ?? spaces
                if spaces < margin { break }
                indent = margin
                found.append(line[margin...])
            }
            at += 1
        }
        let trailing = found.reversed().prefix { $0.isEmpty }.count
        found.removeLast(trailing)
        var text = header.isFolded ? Self.folded(found) : Array(found.joined(separator: [10]))
        if header.chomping == UInt8(ascii: "+") {
            text += [UInt8](repeating: 10, count: found.isEmpty ? trailing : trailing + 1)
        } else if header.chomping == nil, !found.isEmpty {
            text.append(10)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Lines of a folded block: single line breaks become spaces, except around lines that are indented further.
    private static func folded(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        var text: [UInt8] = []
        var empty = 0
        var before: ArraySlice<UInt8>?
        func isIndented(_ line: ArraySlice<UInt8>) -> Bool { line.first == 32 || line.first == 9 }
        for line in lines {
            if line.isEmpty {
                empty += 1
                continue
            }
            if let before {
                let breaks = isIndented(line) || isIndented(before) ? empty + 1 : empty
                text += breaks == 0 ? [32] : [UInt8](repeating: 10, count: breaks)
            } else {
                text += [UInt8](repeating: 10, count: empty)
            }
            text += line
            before = line
            empty = 0
        }
        return text
    }

    private static func single(_ text: ArraySlice<UInt8>) throws -> String {
        let quote = UInt8(ascii: "'")
        guard text.count >= 2, text.last == quote else { throw NotUnderstood() }
        let inner = text.dropFirst().dropLast()
        var read: [UInt8] = []
        var index = inner.startIndex
        while index < inner.endIndex {
            read.append(inner[index])
            if inner[index] == quote {
                index += 1
                guard index < inner.endIndex, inner[index] == quote else { throw NotUnderstood() }
            }
            index += 1
        }
        return String(decoding: read, as: UTF8.self)
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
        UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{B}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "r"): "\r",
        UInt8(ascii: "e"): "\u{1B}", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
        UInt8(ascii: " "): " ", UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{A0}",
        UInt8(ascii: "L"): "\u{2028}", UInt8(ascii: "P"): "\u{2029}",
    ]

    private static func double(_ text: ArraySlice<UInt8>) throws -> String {
        guard text.count >= 2, text.last == UInt8(ascii: "\"") else { throw NotUnderstood() }
        var rest = text.dropFirst().dropLast()
        var read: [UInt8] = []
        // The first half of a surrogate pair, which `\ud83d\ude00` writes in two escapes.
        var lead: UInt32?
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                guard byte != UInt8(ascii: "\""), lead == nil else { throw NotUnderstood() }
                read.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { throw NotUnderstood() }
            var code: UInt32
            let lengths: [UInt8: Int] = [UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8]
            if let digits = lengths[letter] {
                let hexadecimal = rest.prefix(digits)
                guard hexadecimal.count == digits, hexadecimal.allSatisfy("0123456789abcdefABCDEF".utf8.contains),
                    let number = UInt32(String(decoding: hexadecimal, as: UTF8.self), radix: 16)
                else { throw NotUnderstood() }
                code = number
                rest = rest.dropFirst(digits)
            } else {
                guard let scalar = escapes[letter] else { throw NotUnderstood() }
                code = scalar.value
            }
            if let first = lead {
                guard (0xDC00...0xDFFF).contains(code) else { throw NotUnderstood() }
                code = 0x10000 + (first - 0xD800) << 10 + (code - 0xDC00)
                lead = nil
            } else if (0xD800...0xDBFF).contains(code) {
                lead = code
                continue
            }
            guard let scalar = Unicode.Scalar(code) else { throw NotUnderstood() }
            read += UTF8.encode(scalar)!
        }
        guard lead == nil else { throw NotUnderstood() }
        return String(decoding: read, as: UTF8.self)
    }

    private static func plain(_ text: ArraySlice<UInt8>, isField: Bool) throws -> String {
        let (space, colon) = (UInt8(32), UInt8(ascii: ":"))
        guard let first = text.first, !"[]{},&*!|>'\"%@`".utf8.contains(first) else { throw NotUnderstood() }
        if "-?:".utf8.contains(first), text.count == 1 || text.dropFirst().first == space { throw NotUnderstood() }
        if text.contains(9) { throw NotUnderstood() }
        if !isField, text.last == colon || zip(text, text.dropFirst()).contains(where: { $0 == colon && $1 == space }) {
            throw NotUnderstood()
        }
        let read = String(decoding: text, as: UTF8.self)
        // One exporter takes the quotes away from texts with a hyphen in front, and leaves those inside doubled.
        return first == UInt8(ascii: "-") ? read.replacing("''", with: "'") : read
    }
}
