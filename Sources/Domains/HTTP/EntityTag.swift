internal import AlmanacPOSIX

/// The entity tags of an `If-Match` or `If-None-Match` header (RFC 9110 §8.8.3, §13.1).
public enum EntityTags: Sendable, Equatable {
    /// `*`: any current representation.
    case any
    /// The opaque parts of the tags. Weak and strong tags count as equal, because a compressing proxy weakens a tag.
    case listed([String])

    /// Parses a header's value; returns nil if it is neither `*` nor a list of tags. Elements may be empty (RFC 9110
    /// §5.6.1), and quotes may be missing, because some libraries omit them.
    public init?(_ text: String) {
        // Most clients send exactly one quoted tag, which needs no full parse.
        if let tag = Self.singleTag(text) {
            self = .listed([tag])
            return
        }
        var rest = Array(text.utf8)[...].trimmed
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [String] = []
        while !rest.isEmpty {
            if rest.starts(with: ",".utf8) {
                rest = rest.dropFirst().trimmed
                continue
            }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            let tag: ArraySlice<UInt8>
            if rest.starts(with: "\"".utf8) {
                let (quoted, others) = rest.dropFirst().splitOnce(at: UInt8(ascii: "\""))
                guard let others else { return nil }
                (tag, rest) = (quoted, others.trimmed)
                guard rest.isEmpty || rest.starts(with: ",".utf8) else { return nil }
            } else {
                let (element, others) = rest.splitOnce(at: UInt8(ascii: ","))
                (tag, rest) = (element.trimmed, others?.trimmed ?? [])
                guard !tag.isEmpty, !tag.contains(where: { " \t\"*".utf8.contains($0) }) else { return nil }
            }
            tags.append(String(decoding: tag, as: UTF8.self))
        }
        if tags.isEmpty { return nil }
        self = .listed(tags)
    }

    /// Returns the opaque part of a text that is one quoted tag, else nil.
    private static func singleTag(_ text: String) -> String? {
        let (bytes, quote) = (text.utf8.span, UInt8(ascii: "\""))
        let isWeak = bytes.count > 2 && bytes[0] == UInt8(ascii: "W") && bytes[1] == UInt8(ascii: "/")
        let (start, end) = (isWeak ? 3 : 1, bytes.count - 1)
        guard start <= end, bytes[start - 1] == quote, bytes[end] == quote,
            (start..<end).allSatisfy({ bytes[$0] != quote })
        else { return nil }
        guard let tag = try? UTF8Span(validating: bytes.extracting(start..<end)) else { return nil }
        return String(copying: tag)
    }

    /// Returns true if the tag matches.
    public func matches(_ tag: String) -> Bool {
        switch self {
        case .any: true
        case .listed(let tags): tags.contains { $0.hasSameBytes(as: tag) }
        }
    }
}

extension Headers {
    /// Returns the tags of a conditional header, or nil if it is absent; refuses a malformed header.
    public func entityTags(_ name: String) throws(Problem) -> EntityTags? {
        guard let text = list(name) else { return nil }
        guard let tags = EntityTags(text) else {
            throw Problem(.invalidHeader, "\(name) must be * or quoted entity tags, such as \"43.k3f9\"")
        }
        return tags
    }
}
