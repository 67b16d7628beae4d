internal import Foundation

/// A settings source from the launch arguments: `-debug.overlay YES -api.timeout 2.5`, as parsed by Foundation.
///
/// A ``UserDefaultSetting`` reads launch arguments anyway. This source also overrides the defaults of other settings,
/// so an app should use it in development builds only.
public struct LaunchArgumentsSource: ImmediateSettingsSource {
    /// The text "launch arguments".
    public let name = "launch arguments"

    /// Creates a source from this process's arguments.
    public init() {}

    /// Returns the arguments by name, without the hyphen.
    public func values() -> [String: ConfigJSON] {
        UserDefaults.standard.volatileDomain(forName: UserDefaults.argumentDomain)
            .compactMapValues { ConfigJSON(propertyList: $0) }
    }
}
