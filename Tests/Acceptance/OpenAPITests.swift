internal import AlmanacTestSupport
internal import Testing

/// Tests that compare `Sources/Web/api/openapi` with the code. They need no running instance.
@Suite struct OpenAPITests {
    /// The parsed description, shared by all tests.
    private static let read = Result { try OpenAPIDocument(OpenAPIDocument.text()) }
    private let document: OpenAPIDocument

    init() throws { document = try Self.read.get() }

    @Test func `each path and each component is described once`() {
        #expect(document.doubled == [])
    }

    @Test func `every call is documented, and no call that there isn't`() throws {
        var routes: [String] = []
        for domain in ["Config", "Flags", "Hooks", "Notes", "Events", "Identity"] {
            let folder = "Sources/Domains/\(domain)/Endpoints"
            let found = try Checkout.texts(folder, ending: ".swift").flatMap { source in
                source.matches(of: /Route\(\s*"(?<method>[A-Z]+)", "(?<path>[^"]+)"/).map { "\($0.method) \($0.path)" }
            }
            #expect(!found.isEmpty, "\(folder)")
            routes += found
        }
        let documented = document.operations.map { "\($0.method) \($0.path)" }.filter { !$0.contains(" /-/") }
        #expect(documented.sorted() == routes.sorted())
    }

    @Test func `every action on notes is documented, and no action that there isn't`() throws {
        let source = try Checkout.text("Sources/Domains/Notes/Model/Action.swift")
        let kinds = source.matches(of: /\b[a-z]+Note\b/).map { String($0.output) }
        let lists = document.lines.filter { $0.contains("enum: [createNote,") }
        let documented = lists.flatMap { $0.matches(of: /\b[a-z]+Note\b/).map { String($0.output) } }
        #expect(!kinds.isEmpty)
        #expect(documented.sorted() == kinds.sorted())
    }

    @Test func `every health call is documented, and no health call that there isn't`() throws {
        let source = try Checkout.text("Sources/Domains/Serving/HealthEndpoints.swift")
        // Each server program answers these calls. The events process has a path of its own for them.
        let calls = source.matches(of: /case \["-", "(?<name>[a-z]+)"\]/)
            .flatMap { ["GET /-/\($0.name)", "GET /-/events/\($0.name)"] }
        let documented = document.operations.map { "\($0.method) \($0.path)" }.filter { $0.contains(" /-/") }
        #expect(!calls.isEmpty)
        #expect(documented.sorted() == calls.sorted())
    }

    @Test func `every kind of problem is documented, and no kind that there isn't`() throws {
        let source = try Checkout.text("Sources/Domains/HTTP/ProblemKind.swift")
        let kinds = source.split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /\ +case (\w+)(?: = "([a-z-]+)")?/).map { String($0.2 ?? $0.1) }
        }
        let documented = document.lines.compactMap { $0.wholeMatch(of: #/ *- urn:almanac:problem:([a-z-]+)/#)?.1 }
        #expect(!kinds.isEmpty)
        #expect(documented.map(String.init).sorted() == kinds.sorted())
    }

    @Test func `every operation has a name of its own`() {
        let names = document.operations.map(\.name)
        #expect(!names.contains(""))
        #expect(Set(names).count == names.count)
    }

    @Test func `every reference leads to a component, and every component is referred to`() {
        let references = document.lines.compactMap { $0.firstMatch(of: #/\$ref: '#/components/([^']+)'/#)?.1 }
        #expect(!references.isEmpty)
        #expect(Set(references.map(String.init)) == document.components)
    }

    @Test func `every parameter in a path is described, and no other`() {
        for operation in document.operations {
            let named = Set(operation.path.matches(of: /\{(\w+)\}/).map { String($0.1) })
            #expect(operation.pathParameters == named, "\(operation.method) \(operation.path)")
        }
    }
}

/// The parts of an OpenAPI document that its indentation reveals, two spaces a level.
struct OpenAPIDocument {
    struct Operation {
        let method: String
        let path: String
        /// The `operationId`.
        var name = ""
        /// The names of the parameters in the path, including those of the whole path.
        var pathParameters: Set<String>
    }

    let lines: [Substring]
    private(set) var operations: [Operation] = []
    /// The components, for example `schemas/Entry`. Security schemes are omitted, because no `$ref` names them.
    private(set) var components: Set<String> = []
    /// Paths and components that occur twice. A YAML parser would ignore one of the two.
    private(set) var doubled: [String] = []

    /// Returns the description, joined as by `join_description` in `deploy/lib/pages.sh`.
    static func text() throws -> String {
        func joined(_ folder: String) throws -> String {
            try Checkout.texts("Sources/Web/api/openapi/\(folder)", ending: ".yaml").joined()
        }
        return try Checkout.text("Sources/Web/api/openapi/info.yaml") + "paths:\n" + joined("paths")
            + "components:\n" + joined("components") + "  schemas:\n" + joined("schemas")
    }

    init(_ text: String) {
        lines = text.split(separator: "\n")
        var section = ""
        var group = ""
        var shared: Set<String> = []
        for (index, line) in lines.enumerated() {
            if let match = line.wholeMatch(of: /([a-z]\w*):.*/) {
                section = String(match.1)
            } else if section == "paths" {
                if let match = line.wholeMatch(of: #/  (/\S*):/#) {
                    group = String(match.1)
                    if operations.contains(where: { $0.path == group }) { doubled.append(group) }
                    shared = []
                } else if let match = line.wholeMatch(of: #/    (get|put|post|delete|options|head|patch|trace):/#) {
                    operations.append(Operation(method: match.1.uppercased(), path: group, pathParameters: shared))
                } else if let match = line.wholeMatch(of: #/      operationId: (\w+)/#) {
                    operations[operations.count - 1].name = String(match.1)
                } else if let name = Self.pathParameter(lines[index...]) {
                    if line.hasPrefix("        ") {
                        operations[operations.count - 1].pathParameters.insert(name)
                    } else {
                        shared.insert(name)
                    }
                }
            } else if section == "components" {
                if let match = line.wholeMatch(of: #/  (\w+):/#) {
                    group = String(match.1)
                } else if let match = line.wholeMatch(of: #/    ([A-Za-z-]+):/#), group != "securitySchemes" {
                    if !components.insert("\(group)/\(match.1)").inserted { doubled.append("\(group)/\(match.1)") }
                }
            }
        }
    }

    /// The names of the components that are path parameters.
    private static let pathComponents: [Substring: String] = [
        "environment": "environment", "key": "key", "revision": "revision", "id": "id", "proposalNumber": "number",
        "reviewID": "id",
    ]

    /// Returns the name of the path parameter that the first line begins, inline or as a reference.
    private static func pathParameter(_ lines: ArraySlice<Substring>) -> String? {
        guard let line = lines.first else { return nil }
        if let name = line.firstMatch(of: #/- \$ref: '#/components/parameters/(\w+)'/#)?.1 {
            return pathComponents[name]
        }
        guard let name = line.firstMatch(of: /- name: (\w+)$/)?.1,
            lines.dropFirst().first?.firstMatch(of: /^ *in: path$/) != nil
        else { return nil }
        return String(name)
    }
}
