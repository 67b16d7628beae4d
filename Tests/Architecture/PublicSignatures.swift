/// Finds what a module shows of its declarations: all but bodies and initial values.
struct PublicSignatures {
    private let lines: [String]
    private var scopes: [Scope] = []
    private var found: [(index: Int, signature: String)] = []

    /// Whose braces the scanner is in, as far as it decides what is public there.
    private enum Scope {
        /// A protocol or an extension that is public itself: all in it is, unless it says otherwise.
        case everythingShows
        /// An enumeration that is public itself: its cases are.
        case casesShow
        case other
    }

    init(_ file: SourceFile) {
        lines = file.code
    }

    /// The public signatures with the index of the line they start on.
    mutating func signatures() -> [(index: Int, signature: String)] {
        var header = ""
        var start = 0
        var depth = 0
        for (index, line) in lines.enumerated() {
            for character in line {
                switch character {
                case "{" where depth == 0:
                    end(header, at: start)
                    scopes.append(scope(of: header))
                    header = ""
                case "}" where depth == 0:
                    end(header, at: start)
                    _ = scopes.popLast()
                    header = ""
                case ";" where depth == 0:
                    end(header, at: start)
                    header = ""
                default:
                    if "([{".contains(character) { depth += 1 }
                    if ")]}".contains(character) { depth -= 1 }
                    if header.isEmpty {
                        if character.isWhitespace { continue }
                        start = index
                    }
                    header.append(character)
                }
            }
            if depth > 0 || goesOn(header, after: index) {
                header.append(" ")
            } else {
                end(header, at: start)
                header = ""
            }
        }
        return found
    }

    /// Whether a declaration that has not come to its brace goes on in the next line.
    private func goesOn(_ header: String, after index: Int) -> Bool {
        guard let end = header.lastIndex(where: { !$0.isWhitespace }) else { return false }
        if ",:&=".contains(header[end]) || header[...end].hasSuffix("->") { return true }
        let next = (lines[(index + 1)...].first { !$0.allSatisfy(\.isWhitespace) } ?? "").drop(while: \.isWhitespace)
        return next.hasPrefix("->") || next.first.map { "{:,&=".contains($0) } == true
            || ["where", "async", "throws", "rethrows"].contains(next.prefix { $0.isLetter })
    }

    private mutating func end(_ header: String, at start: Int) {
        let shows =
            switch scopes.last {
            case .everythingShows: !header.contains(/^(?:@\w+(?:\([^)]*\))?\s+)*(?:private|fileprivate|internal)\s/)
            case .casesShow: header.isPublic || header.hasPrefix("case ") || header.hasPrefix("indirect case ")
            case .other, nil: header.isPublic
            }
        if shows, !header.isEmpty { found.append((start, header.withoutInitialValue)) }
    }

    private func scope(of header: String) -> Scope {
        guard header.isPublic else { return .other }
        if header.contains(/\b(?:protocol|extension)\s/) { return .everythingShows }
        return header.contains(/\benum\s/) ? .casesShow : .other
    }
}

extension String {
    fileprivate var isPublic: Bool {
        (has("public") || has("open")) && contains(/\b(?:public|open)\s/)
    }

    /// The text up to the first equals sign outside parentheses; the other side of a type alias is part of it.
    fileprivate var withoutInitialValue: String {
        if contains(/\btypealias\s/) { return self }
        var depth = 0
        let end = indices.first { index in
            if "([".contains(self[index]) { depth += 1 }
            if ")]".contains(self[index]) { depth -= 1 }
            return depth == 0 && self[index...].hasPrefix(" = ")
        }
        return String(self[..<(end ?? endIndex)])
    }
}
