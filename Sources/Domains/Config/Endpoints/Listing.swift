internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON

/// A call of `GET /{environment}/config` with `form` (all entries as summaries) or `q` (a search for a text).
struct Listing {
    private let isSummary: Bool
    private let pattern: SearchPattern?
    /// The key after which a search continues.
    private let start: String?

    /// Parses a query. Returns nil if it has none of the parameters `form`, `q` and `after`.
    init?(_ query: Query) throws {
        guard query["form"] != nil || query["q"] != nil || query["after"] != nil else { return nil }
        guard query["since"] == nil, query["revision"] == nil, query["at"] == nil else {
            throw Problem(
                .invalidParameter, "'form' and 'q' show the newest entries; leave out 'since', 'revision' and 'at'")
        }
        guard [nil, "summary"].contains(query["form"]) else {
            throw Problem(.invalidParameter, "'form' must be 'summary'")
        }
        isSummary = query["form"] != nil
        start = try query["after"].map { try EntryKey.checked($0) }
        guard let text = query["q"] else {
            guard start == nil else { throw Problem(.invalidParameter, "'after' continues a search and needs 'q'") }
            pattern = nil
            return
        }
        pattern = SearchPattern(text)
        guard pattern != nil else {
            throw Problem(.invalidParameter, "'q' must have 1 to \(SearchPattern.maxScalars) characters")
        }
    }

    func answer(_ request: Request, _ context: ConfigContext, _ seesFlags: Bool) throws -> Response {
        let read = try ReadRequest(request, context, seesFlags: seesFlags)
        // Only readers of the config see names. The tag contains a digest of the names, which change without a release.
        let names = seesFlags && isSummary ? context.authenticator.namesDigest : nil
        let suffix = names.map { "-\($0)" } ?? ""
        guard let pattern else {
            return try read.answer(ReadRequest.Metadata(form: "-summary\(suffix)")) {
                guard let names else { return read.view.representation(.summary) }
                return read.view.summary(namesDigest: names) { $0.name(by: context.authenticator) }
            }
        }
        var end: String?
        var response = try read.answer(ReadRequest.Metadata(form: isSummary ? "-summary-q\(suffix)" : "-q")) {
            let found = find(pattern, in: read.view, upTo: context.service.searchBudgetBytes) { author in
                names == nil ? nil : author?.name(by: context.authenticator) ?? .null
            }
            end = found.end
            return Representation.array(found.documents)
        }
        if let end { response.headers.append(("Almanac-Search-End", end)) }
        return response
    }

    /// Returns the matching entries, and the last searched key if the search stopped at the step limit.
    ///
    /// - Parameter name: returns the name of an author for a summary; nil leaves the name out.
    private func find(
        _ pattern: SearchPattern, in view: SnapshotView, upTo maxSteps: Int, name: (ReleaseAuthor?) -> JSONValue?
    ) -> (documents: [[UInt8]], end: String?) {
        var documents: [[UInt8]] = []
        var steps = 0
        var rest = start.map { view.live(after: $0) } ?? view.live[...]
        while let entry = rest.popFirst() {
            let value = entry.value ?? []
            if pattern.occurs(key: entry.key, description: entry.description, value: value, &steps) {
                let document = isSummary ? EntryJSON.summary(entry, authorName: name(entry.author)) : entry.json
                steps += document.count
                documents.append(document)
            }
            if steps >= maxSteps, !rest.isEmpty { return (documents, entry.key) }
        }
        return (documents, nil)
    }
}
