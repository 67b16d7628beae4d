public import AlmanacHTTP
public import AlmanacRevisions

/// A read of the flags that may be answered: from which state, and as which major has them.
///
/// Waits as `Almanac-Min-Revision` asks. A build pins its major with `?version=`, or, where it can't choose the
/// address, with the header `Almanac-Major`.
public struct FlagsRead {
    /// What is there for whoever may see all of it.
    public let flags: CompiledFlags
    /// The cursor of the config.
    public let cursor: String
    /// The state of all flags, as validators name it: it stays while other entries change.
    public var stateTag: String { snapshot.flagsTag.text }
    /// The pinned major; nil for none.
    public let major: Int?
    /// Whether the database is away, so that there may be a newer state.
    public let isStale: Bool
    private let snapshot: Snapshot

    /// - Parameter least: a state that the answer must have reached, besides that of `Almanac-Min-Revision`.
    public init(_ request: Request, _ context: ConfigContext, least: Cursor? = nil) throws {
        self.init(try ReadRequest(request, context, required: least, pin: try Self.pin(request)))
    }

    init(_ read: ReadRequest) {
        snapshot = read.snapshot
        flags = read.snapshot.flags.compiled(for: read.pin?.major)
        cursor = read.snapshot.cursor
        major = read.pin?.major
        isStale = read.isStale
    }

    /// What a read asks of the server before it has waited for what it needs: nothing where that is here.
    public static func claim(_ request: Request, _ context: ConfigContext, least: Cursor? = nil) -> Claim? {
        let wanted = [least, request.headers["Almanac-Min-Revision"].flatMap { Cursor($0) }].compactMap(\.self)
        if wanted.isEmpty { return nil }
        let head = context.service.store.current.snapshot.head
        return wanted.allSatisfy(head.hasReached) ? nil : Claim(.revision)
    }

    /// The history that the state is of.
    public var lineage: String { snapshot.head.lineage }

    /// The newest version of the environment.
    public var version: String { "\(snapshot.head.version)" }

    private static func pin(_ request: Request) throws(Problem) -> PinnedVersion? {
        guard let text = request.headers["Almanac-Major"] else { return nil }
        guard let version = PinnedVersion(text) else {
            throw Problem(.invalidHeader, "Almanac-Major must be a major version such as 2")
        }
        return version
    }

    /// Adds what every answer says of the state that it shows.
    public func addHeaders(to response: inout Response) {
        response.headers += snapshot
        if let major { response.headers.append(("Almanac-Major", "\(major)")) }
        if isStale { response.headers.append(("Almanac-Stale", "true")) }
    }
}
