internal import AlmanacCryptography
internal import AlmanacHTTP
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The query of `GET /{environment}/notes`.
struct ListQuery {
    let form: Form
    let limit: Int

    enum Form {
        case list(PageToken?)
        case newest(PageToken?)
        case manifest(PageToken?)
        case trash(PageToken?)
        case since(Cursor)
        case sinceTime(Timestamp)
        case sincePage(PageToken)
        case search(NotesSearch)
    }

    /// The default and the maximum number of notes on a page.
    private static let limits = (standard: 500, max: Int64(1000))
    private static let manifestLimits = (standard: 10_000, max: Int64(10_000))

    init(_ query: Query) throws {
        let isNewest = try query.boolean("newest")
        let tags = query.all("tag")
        let isSearch = query["q"] != nil || !tags.isEmpty
        let given =
            ["since", "form", "next"].filter { query[$0] != nil } + (isSearch ? [tags.isEmpty ? "q" : "tag"] : [])
            + (isNewest ? ["newest"] : [])
        guard given.count <= 1 else {
            throw Problem(.invalidParameter, "'\(given[0])' and '\(given[1])' exclude each other")
        }
        var form = Form.list(nil)
        if isNewest { form = .newest(nil) }
        if let text = query["since"] { form = try Self.since(text) }
        if isSearch { form = .search(try NotesSearch(query["q"] ?? "", tags: tags)) }
        if let text = query["form"] {
            switch text {
            case "manifest": form = .manifest(nil)
            case "trash": form = .trash(nil)
            default: throw Problem(.invalidParameter, "'form' must be manifest or trash")
            }
        }
        if let text = query["next"] {
            guard let token = PageToken(text) else {
                throw Problem(.invalidParameter, "'next' must be the 'next' of the previous page")
            }
            form =
                switch token.form {
                case .list: .list(token)
                case .newest: .newest(token)
                case .manifest: .manifest(token)
                case .trash: .trash(token)
                case .since: .sincePage(token)
                }
        }
        self.form = form
        let limits: (standard: Int, max: Int64) = if case .manifest = form { Self.manifestLimits } else { Self.limits }
        limit = try query.integer("limit", in: 1...limits.max).map(Int.init) ?? limits.standard
    }

    private static func since(_ text: String) throws(Problem) -> Form {
        if let cursor = Cursor(text) { return .since(cursor) }
        // The "+" of a time zone that was not percent-encoded arrives as a space, and a timestamp has no other spaces.
        if let time = Timestamp(String(text.map { $0 == " " ? "+" : $0 })) { return .sinceTime(time) }
        throw Problem(
            .invalidParameter,
            "'since' must be a revision such as 43, a cursor such as 43.k3f9, "
                + "or a time such as 2020-10-17T18:43:19.000Z")
    }

    /// The part of the ETag that differs between queries on the same account state.
    var etagPart: String {
        let text =
            switch form {
            case .list(let token): "list \(token?.description ?? "")"
            case .newest(let token): "newest \(token?.description ?? "")"
            case .manifest(let token): "manifest \(token?.description ?? "")"
            case .trash(let token): "trash \(token?.description ?? "")"
            case .since(let cursor): "since \(cursor)"
            case .sinceTime(let time): "since \(time)"
            case .sincePage(let token): "since \(token)"
            case .search(let search): "search \(search.text) \(search.tags)"
            }
        return String(Hex.encode(SHA256.digest(Array("\(limit) \(text)".utf8))).prefix(16))
    }

    /// Throws if the account's history doesn't contain the query's cursor.
    func check(_ account: Account) throws(Problem) {
        switch form {
        case .since(let cursor): guard account.reaches(cursor) else { throw Self.resync }
        case .list(let token?), .newest(let token?), .manifest(let token?), .trash(let token?), .sincePage(let token):
            guard account.reaches(token.cursor) else { throw Self.resync }
        default: break
        }
    }

    /// Throws if the query has a cursor, which a user without an account can't have seen.
    func checkEmpty() throws(Problem) {
        switch form {
        case .since(let cursor) where cursor.revision > 0: throw Self.resync
        case .list(_?), .newest(_?), .manifest(_?), .trash(_?), .sincePage: throw Self.resync
        default: break
        }
    }

    static var resync: Problem {
        Problem(
            .resync,
            "the history does not reach back that far; read all notes again without 'since', and keep unsent "
                + "changes")
    }
}
