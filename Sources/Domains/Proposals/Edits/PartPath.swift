/// A part of an entry that an edit changes.
///
/// The text of a path is empty for a whole value, or `description`, `kind`, or a place in a flag's definition: `state`,
/// `defaultVariant`, `targeting`, `variants/<name>`, `metadata/<name>`. In the shared settings of flags it is
/// `$evaluators/<name>` or `fractional`. Other members are `definition/<name>`. Names are escaped as in JSON Pointer
/// (RFC 6901).
///
/// Names are compared by their UTF-8 bytes: a composed and a decomposed `é` are two names.
public enum PartPath: Hashable, Sendable {
    case whole
    case description
    case kind
    /// A member of a definition.
    case member(String)
    /// A member of an object in a definition.
    case part(of: String, String)

    /// The most bytes of a path as a text.
    public static let maxBytes = 1024

    /// The path as a text.
    public var text: String {
        switch self {
        case .whole: ""
        case .description: "description"
        case .kind: "kind"
        case .member(let name): Self.isKnown(name) ? name : "definition/" + Self.escaped(name)
        case .part(let group, let name): group + "/" + Self.escaped(name)
        }
    }

    /// Reads a path. Returns nil if the text is none.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maxBytes else { return nil }
        // A name may begin with a combining mark, which would be one character with the slash.
        let parts = text.unicodeScalars.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        switch (parts[0], parts.count) {
        case ("", 1): self = .whole
        case ("description", 1): self = .description
        case ("kind", 1): self = .kind
        case (let name, 1) where Self.isKnown(name): self = .member(name)
        case ("definition", 2):
            guard let name = Self.unescaped(parts[1]), !Self.isKnown(name) else { return nil }
            self = .member(name)
        case (let group, 2) where Self.groups.contains(group):
            guard let name = Self.unescaped(parts[1]) else { return nil }
            self = .part(of: group, name)
        default: return nil
        }
    }

    public static func == (left: PartPath, right: PartPath) -> Bool {
        switch (left, right) {
        case (.whole, .whole), (.description, .description), (.kind, .kind): true
        case (.member(let left), .member(let right)): left.utf8.elementsEqual(right.utf8)
        case (.part(let group, let left), .part(let other, let right)):
            left.utf8.elementsEqual(right.utf8) && group.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }

    /// True for a place in a definition, which only a present entry of that kind has.
    var isInDefinition: Bool {
        switch self {
        case .whole, .description, .kind: false
        case .member, .part: true
        }
    }

    private static let kinds: [EntryState.Kind] = [.flag, .flagSet]
    private static let groups = kinds.flatMap(\.grouping)
    private static let singles = kinds.flatMap(\.single)

    /// Returns true for a member whose path is its name.
    private static func isKnown(_ name: String) -> Bool { singles.contains(name) }

    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func unescaped(_ text: String) -> String? {
        var name = ""
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch scalar {
            case "/": return nil
            case "~":
                switch scalars.next() {
                case "0": name += "~"
                case "1": name += "/"
                default: return nil
                }
            default: name.unicodeScalars.append(scalar)
            }
        }
        return name
    }
}
