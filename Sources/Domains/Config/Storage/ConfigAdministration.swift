public import AlmanacPostgreSQL

/// The work of a schema's owner on an environment's config outside of releases.
public struct ConfigAdministration {
    private let connection: Connection

    public init(_ connection: Connection) {
        self.connection = connection
    }

    /// Gives the history a new lineage, so that cursors from before are answered with the whole state.
    ///
    /// - Returns: the new lineage.
    public func renewLineage() throws(PostgresFailure) -> String {
        let lineage = try connection.run(HeadStatements.renewLineage).single("config_head").text("lineage")
        try connection.run(HeadStatements.announce)
        return lineage
    }
}
