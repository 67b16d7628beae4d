/// Keeps nothing: every run begins with the bundled document.
public struct NoLocalConfig: LocalConfigLoader {
    public init() {}

    public func load() -> LoadedConfig? { nil }

    public func save(_ document: LoadedConfig) {}
}
