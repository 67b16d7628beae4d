public import AlmanacJSON

extension ProposalEffect {
    /// A shared rule or a flag that a changed flag reads.
    public struct Dependency: Sendable {
        /// The kind and the name, such as `rule beta` and `flag checkout`.
        public let name: String
        /// The digest of the present definition; empty if it is missing.
        public let digest: String

        public init(name: String, digest: String) {
            self.name = name
            self.digest = digest
        }
    }

    /// Returns each shared rule and flag that the changed flags read, also through others. Names are compared by bytes.
    ///
    /// - Parameters:
    ///   - changed: The changed flags in their state after the release.
    ///   - flags: The present definitions of all flags by key.
    ///   - rules: The present shared rules.
    public static func dependencies(
        of changed: [EntryState], flags: [String: JSONValue], rules: JSONObject
    ) -> [Dependency] {
        var found: [Dependency] = []
        var names: Set<[UInt8]> = []
        var pending = changed.filter { $0.kind != .value }.map(\.value)
        while let value = pending.popLast() {
            switch value {
            case .array(let elements): pending += elements
            case .object(let object):
                for member in object.members {
                    // The arguments of an operator are rules too.
                    pending.append(member.value)
                    guard member.name == "$ref" || member.name == "almanac.flag",
                        let name = member.value.stringValue ?? member.value.arrayValue?.first?.stringValue
                    else { continue }
                    let isRule = member.name == "$ref"
                    let title = (isRule ? "rule " : "flag ") + name
                    guard names.insert(Array(title.utf8)).inserted else { continue }
                    let target = isRule ? rules[name] : flags[name]
                    found.append(Dependency(name: title, digest: target.map { digest($0) } ?? ""))
                    if let target { pending.append(target) }
                }
            default: continue
            }
        }
        return found
    }
}
