/// What is wrong with a definition, and where.
public struct FlagFault: Error, Sendable {
    /// The JSON pointer (RFC 6901) of the fault in the set, such as `/flags/checkout/targeting/if/0`.
    public let path: String
    /// What is wrong and what was expected, for people.
    public let message: String
    /// Whether the flag can't be evaluated. One that can is refused by flagd's schema all the same.
    public let isBreaking: Bool

    init(at path: [String], _ message: String, isBreaking: Bool = true) {
        self.path = path.reduce(into: "") { $0 += "/" + FlagFault.escaped($1) }
        self.message = message
        self.isBreaking = isBreaking
    }

    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
