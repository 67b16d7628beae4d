internal import AlmanacTargeting

/// A value in a file of another flag system, with its place.
struct SourceNode: Sendable {
    let value: FlagValue
    /// The place as a JSON pointer (RFC 6901), which is empty for the whole file.
    let pointer: String

    init(_ value: FlagValue, at pointer: String = "") {
        self.value = value
        self.pointer = pointer
    }

    /// The member of an object, or nil if it is missing or null.
    subscript(name: String) -> SourceNode? {
        guard let member = object?[name], member != nil else { return nil }
        return SourceNode(member, at: pointer + "/" + Self.escaped(name))
    }

    var object: FlagObject? { if case .object(let object) = value { object } else { nil } }

    var text: String? { if case .string(let text) = value { text } else { nil } }

    var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }

    var number: FlagNumber? { if case .number(let number) = value { number } else { nil } }

    /// The value as a whole number, or nil for other values and numbers beyond 2⁵³.
    var integer: Int? {
        guard let double = number?.double, double == double.rounded(), double.magnitude <= 0x1p53 else { return nil }
        return Int(double)
    }

    /// The elements of an array.
    var elements: [SourceNode]? {
        guard case .array(let array) = value else { return nil }
        return array.enumerated().map { SourceNode($0.element, at: "\(pointer)/\($0.offset)") }
    }

    /// The members of an object, also those that are null.
    var members: [(name: String, node: SourceNode)]? {
        object?.members.map { ($0.name, SourceNode($0.value, at: pointer + "/" + Self.escaped($0.name))) }
    }

    func obstacle(_ reason: String) -> Obstacle { Obstacle(reason: reason, pointer: pointer) }

    /// Returns a member that is a text, or nil if there is none.
    func text(_ name: String) throws(Obstacle) -> String? { try member(name, "a text") { $0.text } }

    /// Returns a member that is a boolean, or false if there is none.
    func bool(_ name: String) throws(Obstacle) -> Bool {
        try member(name, "true or false") { $0.bool } ?? false
    }

    /// Returns a member that is a whole number, or nil if there is none.
    func integer(_ name: String) throws(Obstacle) -> Int? { try member(name, "a whole number") { $0.integer } }

    /// Returns the elements of a member, or none if it is missing.
    func list(_ name: String) throws(Obstacle) -> [SourceNode] { try member(name, "an array") { $0.elements } ?? [] }

    /// Returns the texts of an array, or none if it is missing.
    func texts(_ name: String) throws(Obstacle) -> [String] {
        var texts: [String] = []
        for element in try list(name) {
            guard let text = element.text else { throw element.obstacle("expected a text") }
            texts.append(text)
        }
        return texts
    }

    private func member<Value>(
        _ name: String, _ expected: String, _ read: (SourceNode) -> Value?
    ) throws(Obstacle) -> Value? {
        guard let member = self[name] else { return nil }
        guard let value = read(member) else { throw member.obstacle("\"\(name)\" must be \(expected)") }
        return value
    }

    private static func escaped(_ name: String) -> String {
        name.contains { $0 == "~" || $0 == "/" }
            ? name.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) } : name
    }
}

/// A part of a flag that cannot be kept.
struct Obstacle: Error {
    let reason: String
    /// The place in the file, as a JSON pointer (RFC 6901).
    let pointer: String
}
