internal import Foundation

/// What the program was started with: `-debug.overlay YES -api.timeout 2.5`, as Foundation reads it.
///
/// A ``UserDefaultSetting`` follows launch arguments by itself. As a source they give defaults to other settings too,
/// so an app should take them in development builds only.
public struct LaunchArgumentsSource: ImmediateSettingsSource {
    /// "launch arguments"
    public let name = "launch arguments"

    /// Takes the arguments of this process.
    public init() {}

    /// The arguments by their names, without the hyphen.
    public func values() -> [String: ConfigJSON] {
        UserDefaults.standard.volatileDomain(forName: UserDefaults.argumentDomain)
            .compactMapValues { ConfigJSON(propertyList: $0) }
    }
}
