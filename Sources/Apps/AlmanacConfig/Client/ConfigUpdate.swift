/// Values that have become visible.
public struct ConfigUpdate: Sendable {
    /// The keys whose values differ from those of the update before; in the first update all keys.
    public let keys: Set<String>
    /// Those of the keys that have no value any more, neither from the server nor from the app's defaults.
    public var removedKeys: Set<String> { keys.filter { values[$0] == nil } }
    public let values: ConfigValues
}
