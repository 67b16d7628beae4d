// swift-format-ignore-file
// The config of production, version 2.3.1.
// Written by 'almanac config generate swift'; not to be edited.

import AlmanacConfig
import Foundation

nonisolated extension ConfigKeys {
    /// The major that these keys are of, for the version in `ConfigOptions`.
    static let major = "2"

    /// Behind the button.
    /// In sRGB.
    ///
    /// `app.background.color`
    static let appBackgroundColor = ConfigKey("app.background.color", default: ConfigColor("#FFB6C1")!)

    /// `app.fun_button.text`
    static let appFunButtonText = ConfigKey("app.fun_button.text", default: "Meeeeoowwww! 😸 \"\\(now)\"\u{a}")

    /// `app.fun_button.url`
    static let appFunButtonUrl = ConfigKey("app.fun_button.url", default: URL(string: "https://www.example.com/a?b=c")!)

    /// `app.is_new`
    static let appIsNew = ConfigKey("app.is_new", default: true)

    /// The value of "app.limits.back-off".
    struct AppLimitsBackOff: Codable, Hashable, Sendable {
        var one: Int
        var steps: [Double]

        private enum CodingKeys: String, CodingKey {
            case one
            case steps
        }
    }

    /// The value of "app.limits.hosts".
    struct AppLimitsHosts: Codable, Hashable, Sendable {
        var name: String
        var port: Int?

        private enum CodingKeys: String, CodingKey {
            case name
            case port
        }
    }

    /// The value of "app.limits".
    struct AppLimits: Codable, Hashable, Sendable {
        var max: Int
        var backOff: AppLimitsBackOff
        var hosts: [AppLimitsHosts]

        private enum CodingKeys: String, CodingKey {
            case max
            case backOff = "back-off"
            case hosts
        }
    }

    /// How often.
    ///
    /// `app.limits`
    static let appLimits = ConfigKey(
        "app.limits",
        default: try! ConfigJSON(
            json: #"{"max":3,"back-off":{"one":1,"steps":[1,2.5]},"hosts":[{"name":"a","port":80},{"name":"b"}]}"#.utf8
        ).decoded(as: AppLimits.self))

    /// `app.mixed`
    static let appMixed = ConfigKey(
        "app.mixed",
        default: try! ConfigJSON(
            json: #"[1,"two",{"three":null}]"#.utf8
        ).decoded(as: [ConfigJSON].self))

    /// `app.nulls`
    static let appNulls = ConfigKey(
        "app.nulls",
        default: try! ConfigJSON(
            json: #"[1,null]"#.utf8
        ))

    /// `app.retries`
    static let appRetries = ConfigKey("app.retries", default: 3)

    /// `app.timeout`
    ///
    /// Builds of major 1 see another value, because they know the key with another type.
    static let appTimeout = ConfigKey("app.timeout", default: 30.0)

    /// Almost the same.
    ///
    /// `app_timeout`
    static let appTimeout2 = ConfigKey(
        "app_timeout",
        default: try! ConfigJSON(
            json: #"[]"#.utf8
        ).decoded(as: [ConfigJSON].self))

    /// `default`
    static let `default` = ConfigKey("default", default: "d")

    /// The value of "string".
    struct String2: Codable, Hashable, Sendable {
        var a: Int

        private enum CodingKeys: String, CodingKey {
            case a
        }
    }

    /// `string`
    static let string = ConfigKey(
        "string",
        default: try! ConfigJSON(
            json: #"{"a":1}"#.utf8
        ).decoded(as: String2.self))
}
