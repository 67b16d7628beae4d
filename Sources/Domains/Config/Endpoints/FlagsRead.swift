public import AlmanacHTTP
public import AlmanacRevisions

/// An authorized read of the flags: the state to answer from, and the pinned major.
///
/// The read waits for the revision of `Almanac-Min-Revision`. A build pins its major with `?version=`, or with the
/// header `Almanac-Major` if it cannot choose the URL.
public struct FlagsRead {
    /// The compiled flags, not filtered by what the caller may see.
    public let flags: CompiledFlags
    public let cursor: String
    /// The entity tag of the state of all flags, which stays the same while other entries change.
    public var stateTag: String { snapshot.flagsTag.text }
    /// The pinned major, or nil if none is pinned.
    public let major: Int?
    /// True if the database is unreachable, so that a newer state may exist.
    public let isStale: Bool
    private let snapshot: Snapshot

    /// - Parameter minRevision: A revision that the response must include, besides that of `Almanac-Min-Revision`.
    public init(_ request: Request, _ context: ConfigContext, minRevision: Cursor? = nil) throws {
        self.init(try ReadRequest(request, context, required: minRevision, pin: try Self.pin(request)))
    }

    init(_ read: ReadRequest) {
        snapshot = read.snapshot
        flags = read.snapshot.flags.compiled(for: read.pin?.major)
        cursor = read.snapshot.cursor
        major = read.pin?.major
        isStale = read.isStale
    }

    /// Returns the claim for waiting until the required revisions arrive, or nil if all of them are in memory.
    public static func claim(_ request: Request, _ context: ConfigContext, minRevision: Cursor? = nil) -> WorkClaim? {
        let wanted = [minRevision, request.headers["Almanac-Min-Revision"].flatMap { Cursor($0) }].compactMap(\.self)
        if wanted.isEmpty { return nil }
        let head = context.service.store.current.snapshot.head
        return wanted.allSatisfy(head.hasReached) ? nil : WorkClaim(.revision)
    }

    /// The compiled flags of clients that pin no major.
    public var newestFlags: CompiledFlags { snapshot.flags.compiled(for: nil) }

    /// Returns the fault that keeps a flag of the newest config from the pinned major.
    public func obstacle(to key: String) -> String? {
        major.flatMap { snapshot.flags.obstacles(in: $0)[key]?.reason(toWithhold: key) }
    }

    public var lineage: String { snapshot.head.lineage }

    public var version: String { "\(snapshot.head.version)" }

    private static func pin(_ request: Request) throws(Problem) -> PinnedVersion? {
        guard let text = request.headers["Almanac-Major"] else { return nil }
        guard let version = PinnedVersion(text) else {
            throw Problem(.invalidHeader, "Almanac-Major must be a major version such as 2")
        }
        return version
    }

    public func addHeaders(to response: inout Response) {
        response.headers += snapshot
        if let major { response.headers.append(("Almanac-Major", "\(major)")) }
        if isStale { response.headers.append(("Almanac-Stale", "true")) }
    }
}
