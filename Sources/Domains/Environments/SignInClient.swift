/// The client that Almanac itself is at an environment's identity provider, for browsers to sign in with.
public struct SignInClient: Sendable, Equatable {
    public let id: String
    public let secret: ClientSecret
    /// The scopes that it asks for besides `openid`: some providers need one to tell a user's groups.
    public let scopes: [String]
}

/// A client's secret, which no message and no log shows.
public struct ClientSecret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// For the provider's eyes only.
    public let text: String

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Which users are operators: those whose ID token has certain values in a claim.
public struct OperatorClaim: Sendable, Equatable {
    /// The claim's name; where there is none of that name, a path of names with dots between.
    public let name: String
    /// The values that give a scope, by scope.
    public let values: [String: [String]]

    /// The scopes that some values of the claim give.
    public func scopes(for found: [String]) -> [String] {
        values.filter { scope in scope.value.contains { value in found.contains { $0.utf8.elementsEqual(value.utf8) } }
        }
        .keys.sorted()
    }
}

/// How the console shows an environment, so that nobody takes one for another.
public struct Appearance: Sendable, Equatable {
    /// `#RRGGBB`; nil leaves it to the console.
    public let color: String?
    /// Whether what is done here is done with care.
    public let needsCaution: Bool

    init(of name: EnvironmentName, color: String? = nil, needsCaution: Bool? = nil) {
        self.color = color
        self.needsCaution = needsCaution ?? ["production", "prod", "live"].contains(name.text)
    }
}

extension EnvironmentName {
    /// Paths that pages and other calls have, where no environment can be.
    private static let reserved = ["assets", "console", "environments", "notes", "ofrep", "www"]

    /// Why no environment may have this name; nil when one may.
    public var reservation: String? {
        guard Self.reserved.contains(text) else { return nil }
        return "no environment can be called '\(text)', which is a path of the web pages or of another call; "
            + "\(Self.reserved.joined(separator: ", ")) are reserved"
    }
}
