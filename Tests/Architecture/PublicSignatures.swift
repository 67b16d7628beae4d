/// A scanner for a module's public signatures: declarations without bodies and initial values.
struct PublicSignatures {
    private let lines: [String]
    private var scopes: [Scope] = []
    private var found: [(index: Int, signature: String)] = []

    /// The kind of braces around the scanner, which decides what is public inside.
    private enum Scope {
        /// A public protocol or extension: all its members are public unless they say otherwise.
        case allMembersPublic
        /// A public enumeration: its cases are public.
        case casesPublic
        case other
    }

    init(_ file: SourceFile) { lines = file.code }

    /// Returns the public signatures, each with the index of its first line.
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
            if depth > 0 || continues(header, after: index) {
                header.append(" ")
            } else {
                end(header, at: start)
                header = ""
            }
        }
        return found
    }

    /// Returns true if a declaration without a brace so far continues on the next line.
    private func continues(_ header: String, after index: Int) -> Bool {
        guard let end = header.lastIndex(where: { !$0.isWhitespace }) else { return false }
        if ",:&=".contains(header[end]) || header[...end].hasSuffix("->") { return true }
        let next = (lines[(index + 1)...].first { !$0.allSatisfy(\.isWhitespace) } ?? "").drop(while: \.isWhitespace)
        return next.hasPrefix("->") || next.first.map { "{:,&=".contains($0) } == true
            || ["where", "async", "throws", "rethrows"].contains(next.prefix { $0.isLetter })
    }

    private mutating func end(_ header: String, at start: Int) {
        let isPublic =
            switch scopes.last {
            case .allMembersPublic: !header.contains(/^(?:@\w+(?:\([^)]*\))?\s+)*(?:private|fileprivate|internal)\s/)
            case .casesPublic: header.isPublic || header.hasPrefix("case ") || header.hasPrefix("indirect case ")
            case .other, nil: header.isPublic
            }
        if isPublic, !header.isEmpty { found.append((start, header.withoutInitialValue)) }
    }

    private func scope(of header: String) -> Scope {
        guard header.isPublic else { return .other }
        if header.contains(/\b(?:protocol|extension)\s/) { return .allMembersPublic }
        return header.contains(/\benum\s/) ? .casesPublic : .other
    }
}

extension String {
    fileprivate var isPublic: Bool { (has("public") || has("open")) && contains(/(?:^|[^.\w])(?:public|open)\s/) }

    /// The text before the first equals sign outside parentheses, or the whole text of a type alias.
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
