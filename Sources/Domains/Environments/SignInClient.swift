internal import AlmanacForms

/// Almanac's own client at an environment's identity provider, for browsers to sign in.
public struct SignInClient: Sendable, Equatable {
    public let id: String
    public let secret: ClientSecret
    /// The scopes to request besides `openid`. Some providers need one to include a user's groups.
    public let scopes: [String]
}

/// A client's secret, which never appears in messages and logs.
public struct ClientSecret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The secret text, to be sent to the provider only.
    public let text: String

    public init(text: String) { self.text = text }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An ID token claim that makes users operators.
public struct OperatorClaim: Sendable, Equatable {
    /// The claim's name. If no claim has that name, a path of names joined by dots.
    public let name: String
    /// The claim values that grant each scope or role.
    let values: [String: [String]]
    /// True if every user of the issuer is a viewer.
    let makesEverybodyViewer: Bool

    init(name: String, values: [String: [String]], makesEverybodyViewer: Bool = false) {
        self.name = name
        self.values = values
        self.makesEverybodyViewer = makesEverybodyViewer
    }

    /// Returns the names of the scopes that the values of a user's claim grant.
    func scopes(for found: [String]) -> Set<String> {
        let granted = values.filter { _, values in
            values.contains { value in found.contains { $0.utf8.elementsEqual(value.utf8) } }
        }
        let names = granted.map(\.key) + (makesEverybodyViewer ? [Role.viewer.rawValue] : [])
        return Set(names.flatMap { Role(rawValue: $0)?.scopes ?? [$0] })
    }
}

extension [OperatorClaim] {
    /// Returns the names of the scopes that a user's claims grant, sorted.
    ///
    /// - Parameter claims: the values of each claim by the claim's name.
    public func scopes(for claims: [String: [String]]) -> [String] {
        reduce(into: Set()) { $0.formUnion($1.scopes(for: claims[$1.name] ?? [])) }.sorted()
    }
}

/// The console's presentation of an environment, so that nobody confuses two environments.
public struct Appearance: Sendable, Equatable {
    /// The color as `#RRGGBB`; nil lets the console choose.
    public let color: String?
    /// True if the console asks for extra care with changes.
    public let needsCaution: Bool

    init(of name: EnvironmentName, color: String? = nil, needsCaution: Bool? = nil) {
        self.init(
            color: color, needsCaution: needsCaution ?? ["production", "prod", "live"].contains(name.text))
    }

    private init(color: String?, needsCaution: Bool) {
        self.color = color
        self.needsCaution = needsCaution
    }

    /// Returns a copy with other values; nil keeps a value.
    public func replacing(color: String?, needsCaution: Bool?) -> Appearance {
        Appearance(color: color ?? self.color, needsCaution: needsCaution ?? self.needsCaution)
    }

    /// Returns true if a text has the form `#RRGGBB`.
    public static func isColor(_ text: String) -> Bool { text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) != nil }
}

extension EnvironmentName {
    /// The paths of pages and other calls, which no environment may have as a name.
    private static let reserved = ["assets", "console", "environments", "notes", "ofrep", "passkeys", "sdk", "www"]

    /// The reason why the name is reserved; nil if it is free.
    public var reservation: String? {
        guard Self.reserved.contains(text) else { return nil }
        return "an environment cannot be named '\(text)', because that is a path of the web pages or of another call; "
            + "\(Self.reserved.joined(separator: ", ")) are reserved"
    }
}
