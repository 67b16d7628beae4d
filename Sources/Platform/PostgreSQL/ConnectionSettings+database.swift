extension ConnectionSettings {
    /// The same login in another database of the same server.
    public func inDatabase(_ name: String) -> ConnectionSettings {
        var settings = self
        settings.database = name
        return settings
    }
}
