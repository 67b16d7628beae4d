// swift-format-ignore-file
// The flags of production.
// Written by 'almanac flags generate swift'; not to be edited.

import AlmanacFlags

nonisolated extension FlagKeys {
    /// `2fa`
    static let value2fa = FlagKey<Bool>("2fa", default: true)

    /// `Type`
    static let type = FlagKey<Int>("Type", default: 3)

    /// `__`
    static let value = FlagKey<Bool>("__", default: true)

    /// `default`
    static let `default` = FlagKey<String>("default", default: "a \"b\" \\(c)\u{a}")

    /// `empty`
    static let empty = FlagKey<FlagData>("empty", default: [:])

    /// The value of "flag-key".
    struct FlagKey2: Codable, Hashable, Sendable {
        var flagData: String

        private enum CodingKeys: String, CodingKey {
            case flagData = "flag-data"
        }
    }

    /// `flag-key`
    static let flagKey = FlagKey<FlagKey2>("flag-key", default: .init(flagData: "#FFF"))

    /// `init`
    static let `init` = FlagKey<String>("init", default: "")

    /// The value of "limits.back-off".
    struct LimitsBackOff: Codable, Hashable, Sendable {
        var `let`: Int
        var steps: [Double]

        private enum CodingKeys: String, CodingKey {
            case `let` = "let"
            case steps
        }
    }

    /// The value of "limits.hosts".
    struct LimitsHosts: Codable, Hashable, Sendable {
        var name: String
        var port: Int?
        var `inout`: Bool?

        private enum CodingKeys: String, CodingKey {
            case name
            case port
            case `inout` = "inout"
        }
    }

    /// The value of "limits".
    struct Limits: Codable, Hashable, Sendable {
        var max: Int
        var backOff: LimitsBackOff
        var none: FlagData?
        var hosts: [LimitsHosts]

        private enum CodingKeys: String, CodingKey {
            case max
            case backOff = "back-off"
            case none
            case hosts
        }
    }

    /// How often.
    ///
    /// `limits`
    static let limits = FlagKey<Limits>(
        "limits",
        default: .init(max: 3, backOff: .init(let: 1, steps: [1.0, 2.5]), none: nil, hosts: [.init(name: "a", port: 80), .init(name: "b", `inout`: true)]))

    /// The value of "mixed".
    struct Mixed: Codable, Hashable, Sendable {
        var all: [FlagData]
        var empty: [FlagData]

        private enum CodingKeys: String, CodingKey {
            case all
            case empty
        }
    }

    /// `mixed`
    static let mixed = FlagKey<Mixed>("mixed", default: .init(all: [1, "two", [.null], ["a": 1.0]], empty: []))

    /// Two steps
    /// in one.
    ///
    /// `new-basket`
    static let newBasket = FlagKey<Bool>("new-basket", default: false)

    /// `new.basket`
    static let newBasket2 = FlagKey<Bool>("new.basket", default: true)

    /// `new_basket`
    static let newBasket3 = FlagKey<Bool>("new_basket", default: false)

    /// `ratio`
    static let ratio = FlagKey<Double>("ratio", default: 1.0)

    /// `retries`
    static let retries = FlagKey<Int>("retries", default: -1)

    /// `self`
    static let `self` = FlagKey<String>("self", default: "https://example.com")

    /// `share`
    static let share = FlagKey<Double>("share", default: 2.5e-3)
}
