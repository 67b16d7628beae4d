internal import AlmanacTargeting

/// The flags and segments in answers of LaunchDarkly's REST API: `GET /api/v2/flags/{project}?summary=0&env=…` and
/// `GET /api/v2/segments/{project}/{environment}`.
struct LaunchDarklyFiles {
    /// The flags in the order of the files.
    private(set) var flags: [(key: String, node: SourceNode)] = []
    private(set) var segments: [String: SourceNode] = [:]
    let environment: String
    private let places: [String: Int]

    init(_ files: [SourceFile], environment: String?) throws(ImportFailure) {
        var flags: [String: FlagValue] = [:]
        var counts: [String: (name: String, expected: Int)] = [:]
        for file in files {
            let root = SourceNode(file.content)
            for item in root["items"]?.elements ?? [root] {
                guard let key = item["key"]?.text, let isFlag = Self.isFlag(item) else {
                    throw ImportFailure(
                        file: file.name, at: item.pointer,
                        "expected flags (GET /api/v2/flags/{project}?summary=0&env=…) or segments (GET "
                            + "/api/v2/segments/{project}/{environment}) of LaunchDarkly")
                }
                let kind = isFlag ? "flags" : "segments"
                if root["items"] != nil, let total = root["totalCount"]?.integer {
                    counts[kind] = (file.name, max(total, counts[kind]?.expected ?? 0))
                }
                if let earlier = isFlag ? flags[key] : segments[key]?.value {
                    if earlier == item.value { continue }
                    throw ImportFailure(
                        file: file.name, at: item.pointer, "\(key) is in the files twice, with different contents")
                }
                if isFlag {
                    flags[key] = item.value
                    self.flags.append((key, item))
                } else {
                    segments[key] = item
                }
            }
        }
        for (kind, count) in counts.sorted(by: { $0.key < $1.key }) {
            let found = kind == "flags" ? flags.count : segments.count
            guard found < count.expected else { continue }
            throw ImportFailure(
                file: count.name,
                "expected all \(count.expected) \(kind), found \(found); fetch the other pages with &offset=\(found)")
        }
        places = self.flags.enumerated().reduce(into: [:]) { $0[$1.element.key] = $1.offset }
        self.environment = try Self.environment(environment, self.flags.map(\.node), files.first?.name ?? "")
        try checkSegments(files)
        try checkFlags(files)
    }

    func flag(_ key: String) -> SourceNode? { places[key].map { flags[$0].node } }

    /// The part of a flag for the environment.
    func settings(of flag: SourceNode) -> SourceNode? { flag["environments"]?[environment] }

    private static func isFlag(_ item: SourceNode) -> Bool? {
        if item["variations"] != nil || item["environments"] != nil { return true }
        return item["included"] != nil || item["rules"] != nil || item["unbounded"] != nil ? false : nil
    }

    private static func environment(
        _ wanted: String?, _ flags: [SourceNode], _ file: String
    ) throws(ImportFailure) -> String {
        guard !flags.isEmpty else {
            throw ImportFailure(file: file, "expected flags (GET /api/v2/flags/{project}?summary=0&env=…) too")
        }
        let names = Set(flags.flatMap { $0["environments"]?.members?.map(\.name) ?? [] }).sorted()
        if let wanted, names.contains(wanted) { return wanted }
        if wanted == nil, names.count == 1 { return names[0] }
        let list = names.prefix(20).joined(separator: ", ")
        throw ImportFailure(
            file: file,
            wanted.map { "there is no environment \($0); the files have \(list)" }
                ?? "name one of the environments with --from: \(list)")
    }

    /// Checks that no segment belongs to another environment, which its link names.
    private func checkSegments(_ files: [SourceFile]) throws(ImportFailure) {
        for (key, segment) in segments.sorted(by: { $0.key < $1.key }) {
            guard let link = segment["_links"]?["self"]?["href"]?.text else { continue }
            let parts = link.split(separator: "/")
            guard parts.count == 6, parts[2] == "segments", parts[4] != environment else { continue }
            throw ImportFailure(
                file: files.first?.name ?? "",
                "the segment \(key) is of the environment \(parts[4]); expected segments of \(environment)")
        }
    }

    /// Checks that the flags are complete. Without `summary=0`, the API leaves out their rules.
    private func checkFlags(_ files: [SourceFile]) throws(ImportFailure) {
        for (key, node) in flags {
            guard let settings = settings(of: node), settings["_summary"] != nil, settings["fallthrough"] == nil else {
                continue
            }
            throw ImportFailure(
                file: files.first?.name ?? "", at: settings.pointer,
                "\(key) has no rules; expected the answer to a request with summary=0")
        }
    }
}
