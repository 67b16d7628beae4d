internal import AlmanacTargeting

/// An attribute of a context of some kind, as a clause or a rollout names it.
struct LaunchDarklyAttribute: Hashable {
    let kind: String
    /// The name, and the names of members inside the value.
    let path: [String]

    static let defaultKind = "user"

    /// Reads a reference. A reference without a context kind is a plain name; with one, `/a/b` is a member `b` of `a`,
    /// and `~1` and `~0` are a slash and a tilde. Returns nil for a malformed reference.
    init?(_ reference: String, kind: String?) {
        self.kind = kind.flatMap { $0.isEmpty ? nil : $0 } ?? Self.defaultKind
        guard kind?.isEmpty == false, reference.hasPrefix("/") else {
            guard !reference.isEmpty else { return nil }
            path = [reference]
            return
        }
        var path: [String] = []
        for part in reference.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = Self.unescaped(part), !name.isEmpty else { return nil }
            path.append(name)
        }
        self.path = path
    }

    init(kind: String, name: String) {
        self.kind = kind
        path = [name]
    }

    var isKey: Bool { path == ["key"] }

    /// The name in reports and callers: that of the attribute, after its kind and a colon if the kind is not `user`.
    var sourceName: String {
        let plain = path.count == 1 && !path[0].hasPrefix("/")
        let name = plain ? path[0] : path.map { "/" + Self.escaped($0) }.joined()
        return kind == Self.defaultKind && !name.contains(":") ? name : "\(kind):\(name)"
    }

    private static func unescaped(_ part: Substring) -> String? {
        var name = ""
        var isEscaped = false
        for character in part.unicodeScalars {
            if isEscaped {
                guard character == "0" || character == "1" else { return nil }
                name.unicodeScalars.append(character == "0" ? "~" : "/")
                isEscaped = false
            } else if character == "~" {
                isEscaped = true
            } else {
                name.unicodeScalars.append(character)
            }
        }
        return isEscaped ? nil : name
    }

    private static func escaped(_ name: String) -> String {
        name.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
    }
}

/// The attributes that all flags and segments read, which decide about each other's places in a context: attributes of
/// users are at the top, those of other kinds in an object under the name of the kind.
struct LaunchDarklyAttributes {
    /// The kinds other than `user`.
    private var kinds: Set<String> = []
    /// The attributes of users that are read as a whole.
    private var names: Set<String> = []
    private var table = AttributeTable(unit: "key")

    /// Collects the attributes in all objects below the nodes.
    init(_ nodes: [SourceNode]) {
        var left = nodes.map(\.value)
        while let value = left.popLast() {
            switch value {
            case .array(let elements): left += elements
            case .object(let object):
                left += object.members.map(\.value)
                collect(SourceNode(value))
            default: break
            }
        }
        if !kinds.isEmpty { names.subtract(kinds) }
    }

    /// Returns the rule that reads an attribute.
    mutating func variable(_ attribute: LaunchDarklyAttribute) -> FlagValue { Logic.variable(path(attribute)) }

    mutating func path(_ attribute: LaunchDarklyAttribute) -> [String] {
        table.path(of: attribute.sourceName, preferred: preferredPath(attribute))
    }

    /// The table of the attributes that were read.
    var result: AttributeTable { table }

    private mutating func collect(_ node: SourceNode) {
        for name in ["contextKind", "rolloutContextKind"] {
            if let kind = node[name]?.text, !kind.isEmpty, kind != LaunchDarklyAttribute.defaultKind {
                kinds.insert(kind)
            }
        }
        guard let reference = node["attribute"]?.text else { return }
        if reference == "kind" {
            // Each kind that a clause compares with is read as the key of that kind.
            for kind in (node["values"]?.elements ?? []).compactMap(\.text) where kind != "user" { kinds.insert(kind) }
        }
        guard let attribute = LaunchDarklyAttribute(reference, kind: node["contextKind"]?.text),
            attribute.kind == LaunchDarklyAttribute.defaultKind, attribute.path.count == 1
        else { return }
        names.insert(attribute.path[0])
    }

    private func preferredPath(_ attribute: LaunchDarklyAttribute) -> [String] {
        let flat = attribute.path.joined(separator: "_")
        guard attribute.kind == LaunchDarklyAttribute.defaultKind else {
            return [Self.isReserved(attribute.kind) ? "_\(attribute.kind)" : attribute.kind, flat]
        }
        let first = attribute.path[0]
        if kinds.contains(first) || Self.isReserved(first) { return ["user_\(flat)"] }
        // A rule reads the length of texts and arrays too.
        guard attribute.path.count == 2, !names.contains(first), attribute.path[1] != "length" else { return [flat] }
        return attribute.path
    }

    private static func isReserved(_ name: String) -> Bool { name == "targetingKey" || name.hasPrefix("$flagd") }
}
