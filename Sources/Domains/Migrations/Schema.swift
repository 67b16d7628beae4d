public import AlmanacPostgreSQL

/// The schema that this release works with.
public enum Schema {
    /// The number of the newest migration that the code relies on.
    public static let required = 22

    /// Waits for a running restore, and keeps the next one waiting until the transaction ends.
    ///
    /// No deadlock can occur: a restore locks this table first, and changes of config or notes never lock it.
    public static let blockRestore = MigrationStatements.blockRestore

    /// Throws if the database's schema is older than this release needs, or too new for it.
    @discardableResult
    public static func check(_ connection: Connection) throws -> SchemaState {
        let state = try state(connection)
        guard state.newest >= required else {
            throw MigrationFailure(
                "the schema is at migration \(state.newest) and must be at \(required); run almanac migrate")
        }
        try state.refuseNewer()
        return state
    }

    /// Reads the state of the database's schema.
    ///
    /// - Parameter known: the number of the newest migration of the programs that are to work with it.
    public static func state(_ connection: Connection, known: Int = required) throws(PostgresFailure) -> SchemaState {
        var state = SchemaState(known: known)
        do {
            for row in try connection.run(MigrationStatements.numbers) {
                state.add(Int(try row.integer("number")), keeps: Int(try row.integer("keeps")))
            }
        } catch {
            guard error.state == .undefinedTable else { throw error }
        }
        return state
    }
}

/// The migrations of a schema, compared with the newest migration that programs know.
public struct SchemaState: Sendable, Equatable {
    /// The number of the newest migration; 0 if there is none.
    public private(set) var newest = 0
    private let known: Int
    /// The lowest number of a newest migration whose programs work with all migrations that are not known.
    private var keeps = 0

    /// - Parameter known: the number of the newest migration that the programs know.
    public init(known: Int = Schema.required) { self.known = known }

    /// Adds a migration of the schema.
    ///
    /// - Parameter keeps: the lowest number of a newest migration whose programs work with this one; nil in a table of
    ///   an earlier release, which stands for the number before.
    public mutating func add(_ number: Int, keeps: Int?) {
        newest = max(newest, number)
        if number > known { self.keeps = max(self.keeps, keeps ?? number - 1) }
    }

    /// The difference to the known migrations, for the operator; nil if the schema is not newer.
    public var warning: String? {
        newest > known ? "the schema is at migration \(newest), newer than this release's \(known)" : nil
    }

    /// Throws if a newer migration does not keep programs that know only older ones.
    public func refuseNewer() throws(MigrationFailure) {
        guard keeps > known else { return }
        throw MigrationFailure(
            "the schema is at migration \(newest) and works with programs from migration \(keeps) on, but this release "
                + "ends at \(known); install a release in between ('almanac version' shows schema \(keeps) or later)")
    }
}
