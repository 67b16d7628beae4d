public import Foundation

/// The defaults of a `Settings.bundle`, those of its child panes included.
public struct SettingsBundleSource: ImmediateSettingsSource {
    /// "Settings.bundle"
    public let name = "Settings.bundle"
    private let bundle: URL

    /// A pane that names itself or one above as its child is read once.
    private static let paneLimit = 100

    /// Names the bundle.
    ///
    /// - Parameter bundle: the folder with `Root.plist`.
    public init(_ bundle: URL) {
        self.bundle = bundle
    }

    /// The `DefaultValue` of each element that has one.
    ///
    /// - Throws: ``ConfigFailure/invalidValue(_:)`` for a pane that is absent or no property list of that form.
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
            // Safe because no pointer for the format is handed over.
            let list = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any],
            let specifiers = list["PreferenceSpecifiers"] as? [[String: Any]]
        else { throw .invalidValue("expected \(pane).plist with PreferenceSpecifiers in \(bundle.lastPathComponent)") }
        return specifiers
    }
}
