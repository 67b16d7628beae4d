public import AlmanacEnvironments
public import AlmanacPostgreSQL
internal import Synchronization

/// A cache of an environment's appearance in the console: the values that an administrator has set, or else those of
/// the environments file.
public final class AppearanceStore: Sendable {
    private let initial: Appearance
    private let pool: Pool
    /// The values of the last read; the file's values until the first read.
    private let known: Mutex<Appearance>

    public init(_ settings: EnvironmentSettings, pool: Pool) {
        initial = settings.appearance
        self.pool = pool
        known = Mutex(settings.appearance)
    }

    var current: Appearance { known.withLock { $0 } }

    /// Reads the values again.
    public func refresh() throws {
        let row = try pool.withConnection { try $0.run(Self.read).first }
        let read = initial.replacing(
            color: try row?.optionalText("color"), needsCaution: try row?.optionalBoolean("caution"))
        known.withLock { $0 = read }
    }

    /// Stores an administrator's values, records them in the audit log and notifies the workers.
    ///
    /// - Parameters:
    ///   - color: the colour as `#RRGGBB`; nil for the file's colour.
    ///   - needsCaution: true if the console asks for extra care with changes; nil for the file's value.
    func set(color: String?, needsCaution: Bool?, by author: Author) throws {
        try pool.withConnection { connection in
            try connection.run(
                Self.write, with: [.text(color), .boolean(needsCaution)] + AuditStatements.parameters(of: author))
            try connection.run(TokenStatements.announce)
        }
        // The change is committed even if the refresh fails; the worker then refreshes later.
        try? refresh()
    }

    private static let read = Statement(
        """
        -- name: appearance_read
        select color, caution from environment_appearance
        """)

    private static let write = Statement(
        """
        -- name: appearance_write
        with written as (
            insert into environment_appearance (color, caution) values ($1, $2)
            on conflict (singleton) do update set color = excluded.color, caution = excluded.caution
            returning color, caution
        )
        insert into audit_log (action, details, \(AuditStatements.authorColumns))
        select 'environment.change', to_jsonb(written), $3, $4, $5 from written
        """)
}
