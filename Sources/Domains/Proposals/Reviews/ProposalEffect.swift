internal import AlmanacCryptography
public import AlmanacJSON

/// The digest of everything that an approval is about.
public enum ProposalEffect {
    /// Returns the digest of a proposal's effect: 64 hexadecimal digits of SHA-256.
    ///
    /// - Parameters:
    ///   - edits: The edits, in any order. Authors and rounds do not count.
    ///   - dependencies: The shared rules and flags that the changed flags read, in any order.
    ///   - splitVersion: The version of the hash of splits.
    ///   - applyAt: The time of the release in milliseconds since 1970, or nil for none.
    public static func digest(
        of edits: [ProposalEdit], dependencies: [Dependency], splitVersion: Int, applyAt: Int64?
    ) -> String {
        func optional(_ value: JSONValue?) -> JSONValue { .array(value.map { [$0.sorted] } ?? []) }
        let content: JSONValue = [
            .array(
                edits.sorted(by: ProposalEdit.precedes).map {
                    [.string($0.key), .string($0.path.text), optional($0.before), optional($0.after)]
                }),
            .array(
                dependencies.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
                    [.string($0.name), .string($0.digest)]
                }),
            .number(JSONNumber(Int64(splitVersion))), applyAt.map { .number(JSONNumber($0)) } ?? .null,
        ]
        return Hex.encode(SHA256.digest(content.serialized()))
    }

    /// Returns the digest of a value, which does not depend on the order of members.
    public static func digest(_ value: JSONValue) -> String {
        Hex.encode(SHA256.digest(value.sorted.serialized()))
    }
}

extension JSONValue {
    /// The value with the members of each object sorted by name, because their order means nothing.
    fileprivate var sorted: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                        .map { ($0.name, $0.value.sorted) }))
        default: self
        }
    }
}
