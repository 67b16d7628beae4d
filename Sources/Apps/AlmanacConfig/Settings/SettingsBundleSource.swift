public import Foundation

/// A settings source with the defaults of a `Settings.bundle` and its child panes.
public struct SettingsBundleSource: ImmediateSettingsSource {
    /// The text "Settings.bundle".
    public let name = "Settings.bundle"
    private let bundle: URL

    /// The maximum number of panes to read.
    private static let paneLimit = 100

    /// Creates a source from a bundle.
    ///
    /// - Parameter bundle: the folder that contains `Root.plist`.
    public init(_ bundle: URL) { self.bundle = bundle }

    /// Returns the `DefaultValue` of each element that has one.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` if a pane is missing or is not a property list of this form.
    public func values() throws -> [String: ConfigJSON] {
        var values: [String: ConfigJSON] = [:]
        var panes = ["Root"]
        var next = 0
        while next < panes.count, next < Self.paneLimit {
            for specifier in try specifiers(panes[next]) {
                if let key = specifier["Key"] as? String, let value = specifier["DefaultValue"] {
                    values[key] = ConfigJSON(propertyList: value)
                }
                if specifier["Type"] as? String == "PSChildPaneSpecifier", let file = specifier["File"] as? String,
                    !file.contains("/"), !panes.contains(file)
                {
                    panes.append(file)
                }
            }
            next += 1
        }
        return values
    }

    private func specifiers(_ pane: String) throws(ConfigFailure) -> [[String: Any]] {
        guard let data = try? Data(contentsOf: bundle.appending(path: "\(pane).plist")),
            // Safe because the call passes no pointer for the format.
            let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let specifiers = list["PreferenceSpecifiers"] as? [[String: Any]]
        else { throw .invalidValue("expected \(pane).plist with PreferenceSpecifiers in \(bundle.lastPathComponent)") }
        return specifiers
    }
}
