internal import AlmanacTargeting

/// A reader of GO Feature Flag's files, which are objects with a flag for each key.
enum GoffReader {
    static func project(_ files: [SourceFile]) throws(ImportFailure) -> ImportedProject {
        var flags: [(key: String, node: SourceNode)] = []
        for file in files { flags += try Self.flags(of: file) }
        let counts = Dictionary(flags.map { ($0.key, 1) }, uniquingKeysWith: +)
        let keys = KeyTable(counts.keys)
        var query = GoffQuery()
        var (imported, report): ([ImportedFlag], [ReportLine]) = ([], [])
        for (source, node) in flags {
            do throws(Obstacle) {
                guard counts[source] == 1 else { throw node.obstacle("two files have this flag") }
                guard let key = keys[source] else { continue }
                query.beginFlag()
                imported.append(try GoffFlag(source, node).flag(as: key, &query))
                let clauses = query.clauses
                report.append(
                    ReportLine(
                        source: source, key: key, verdict: clauses.isEmpty ? .exact : .differs(when: clauses),
                        pointer: node.pointer))
            } catch {
                report.append(
                    ReportLine(
                        source: source, key: nil, verdict: .cannot(error.reason), pointer: error.pointer))
            }
        }
        var project = ImportedProject(
            attributes: query.attributes,
            reference: GoffReference(
                flags.filter { counts[$0.key] == 1 }.map { ($0.key, $0.node.value) },
                attributes: Array(query.attributes.paths.keys)))
        project.flags = imported
        project.report = report
        return project
    }

    /// Returns the flags of a file. At least one must look like a flag of GO Feature Flag.
    private static func flags(of file: SourceFile) throws(ImportFailure) -> [(key: String, node: SourceNode)] {
        let flags = SourceNode(file.content).members ?? []
        guard flags.contains(where: { $0.node["variations"] != nil && $0.node["defaultRule"] != nil }) else {
            throw ImportFailure(
                file: file.name,
                "expected flags of GO Feature Flag: for each key an object with variations and defaultRule")
        }
        return flags.map { ($0.name, $0.node) }
    }
}
