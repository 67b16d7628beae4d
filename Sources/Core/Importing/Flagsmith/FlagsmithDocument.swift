internal import AlmanacTargeting

/// An environment document of Flagsmith, which `GET /api/v1/environment-document/` returns in pages.
struct FlagsmithDocument {
    /// The environment's key, which is a part of what Flagsmith hashes.
    let key: String
    let name: String
    /// The states of the features, in the order of the files.
    private(set) var features: [(name: String, node: SourceNode)] = []
    /// The segments with their ids as texts, in the order of the files.
    private(set) var segments: [(id: String, node: SourceNode)] = []
    /// The identities with values of their own.
    private(set) var identities: [SourceNode] = []
    /// True if API calls place callers by the same key as clients that evaluate themselves.
    let usesCompositeKeys: Bool
    /// True if API calls leave out features that are off.
    let hidesDisabledFlags: Bool
    /// True if the document contains the identities with values of their own.
    let listsIdentities: Bool
    /// The pages, as they are in the files.
    private(set) var pages: [FlagValue] = []
    /// The features without a name, which cannot be kept.
    private(set) var unnamed: [Obstacle] = []

    private static let expectation =
        "expected an environment document of Flagsmith, an object with \"api_key\", \"feature_states\" and \"project\""

    /// Reads the pages of one environment.
    ///
    /// - Parameter environment: The name or the key of the environment; nil if the files have one environment.
    init(_ files: [SourceFile], environment: String?) throws(ImportFailure) {
        var pages: [(file: String, key: String, name: String, root: SourceNode)] = []
        for file in files {
            let root = SourceNode(file.content)
            guard let key = root["api_key"]?.text, root["feature_states"]?.elements != nil,
                let project = root["project"],
                project.object != nil
            else { throw ImportFailure(file: file.name, Self.expectation) }
            pages.append((file.name, key, root["name"]?.text ?? "", root))
        }
        guard let first = pages.first else { throw ImportFailure(file: "", Self.expectation) }
        if let environment {
            let known = Set(pages.map { $0.name }).sorted().joined(separator: ", ")
            pages.removeAll { $0.name != environment && $0.key != environment }
            guard !pages.isEmpty else {
                throw ImportFailure(file: first.file, "no environment \"\(environment)\"; the files have: \(known)")
            }
        }
        if let other = pages.first(where: { $0.key != pages[0].key }) {
            throw ImportFailure(
                file: other.file, "the environment \"\(other.name)\" is another one than \"\(pages[0].name)\"; name one"
            )
        }
        let root = pages[0].root
        (key, name) = (pages[0].key, pages[0].name)
        usesCompositeKeys = root["use_identity_composite_key_for_hashing"]?.value != false
        hidesDisabledFlags = (root["hide_disabled_flags"] ?? root["project"]?["hide_disabled_flags"])?.value == true
        listsIdentities = root["use_identity_overrides_in_local_eval"]?.value != false
        self.pages = pages.map { $0.root.value }
        for page in pages { try add(page.root, of: page.file) }
    }

    /// Adds a page. A feature or a segment that two pages have keeps its place and takes the later content, as in
    /// Flagsmith's clients.
    private mutating func add(_ root: SourceNode, of file: String) throws(ImportFailure) {
        var featurePlaces = Dictionary(features.enumerated().map { ($0.element.name, $0.offset) }) { $1 }
        for node in root["feature_states"]?.elements ?? [] {
            guard let name = node["feature"]?["name"]?.text else {
                unnamed.append(node.obstacle("a feature state without the name of its feature"))
                continue
            }
            if let place = featurePlaces[name] {
                features[place].node = node
            } else {
                featurePlaces[name] = features.count
                features.append((name, node))
            }
        }
        var segmentPlaces = Dictionary(segments.enumerated().map { ($0.element.id, $0.offset) }) { $1 }
        for node in try Self.elements(root["project"], "segments", of: file) {
            guard let id = node["id"], let text = id.text ?? id.integer?.description else {
                throw ImportFailure(file: file, at: node.pointer, "expected a segment with an \"id\"")
            }
            try Self.check(try Self.elements(node, "feature_states", of: file), of: file)
            if let place = segmentPlaces[text] {
                segments[place].node = node
            } else {
                segmentPlaces[text] = segments.count
                segments.append((text, node))
            }
        }
        let overrides = try Self.elements(root, "identity_overrides", of: file)
        for node in overrides { try Self.check(try Self.elements(node, "identity_features", of: file), of: file) }
        identities += overrides
    }

    private static func elements(
        _ node: SourceNode?, _ name: String, of file: String
    ) throws(ImportFailure) -> [SourceNode] {
        guard let list = node?[name] else { return [] }
        guard let elements = list.elements else {
            throw ImportFailure(file: file, at: list.pointer, "expected an array")
        }
        return elements
    }

    /// Throws a failure if a state does not name its feature, because it could be any feature's.
    private static func check(_ states: [SourceNode], of file: String) throws(ImportFailure) {
        for state in states where state["feature"]?["name"]?.text == nil {
            throw ImportFailure(file: file, at: state.pointer, "expected a feature state with the name of its feature")
        }
    }
}
