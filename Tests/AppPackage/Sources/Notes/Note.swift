public struct Note: Sendable {
    public let account: Account
    public let title: String

    public init(_ account: Account, title: String) {
        self.account = account
        self.title = title
    }
}

public struct Account: Sendable {
    public let name: String

    public init(name: String) {
        self.name = name
    }
}
