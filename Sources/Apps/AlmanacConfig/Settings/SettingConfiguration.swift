/// How one setting behaves. ``readonly(_:default:)``, ``transient(_:default:releaseLocked:)`` and
/// ``userDefault(_:default:releaseLocked:suite:)`` make the usual ones; an app can make others.
public protocol SettingConfiguration<Value>: Sendable {
    associatedtype Value: Codable & Sendable

    var key: String { get }
    /// Holds until a source gives another one.
    var defaultValue: Value { get }
    /// Where a value lies that the app or its user has set; nil for a setting that can't be set.
    var storage: (any SettingStorage)? { get }
    /// Whether a release build ignores and refuses values that were set.
    var releaseLocked: Bool { get }
}
