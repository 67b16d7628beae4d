/// A fault of a definition, with its place.
public struct FlagFault: Error, Sendable {
    /// The JSON pointer (RFC 6901) of the fault in the set, such as `/flags/checkout/targeting/if/0`.
    public let path: String
    /// The error message for people: the fault or the expectation.
    public let message: String
    /// True if the flag can't be evaluated. Otherwise, only flagd's schema refuses the definition.
    public let preventsEvaluation: Bool

    init(at path: [String], _ message: String, preventsEvaluation: Bool = true) {
        self.path = path.reduce(into: "") { $0 += "/" + FlagFault.escaped($1) }
        self.message = message
        self.preventsEvaluation = preventsEvaluation
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
