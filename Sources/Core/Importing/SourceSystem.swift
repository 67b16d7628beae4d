public import AlmanacTargeting

/// A flag system whose files can be read.
public enum SourceSystem: String, Sendable, CaseIterable {
    case unleash, launchdarkly, firebase, goff, flipt, configcat, growthbook, flagsmith

    /// Reads files of the system, and translates them to flags and entries.
    ///
    /// - Parameters:
    ///   - files: The parsed files, in any order.
    ///   - environment: The name of the system's own environment, where files have several; nil if the files have one.
    /// - Throws: ``ImportFailure`` if a file is not one of the system. A flag that cannot be kept is no failure: the
    ///   report of the project names it.
    public func project(_ files: [SourceFile], environment: String?) throws(ImportFailure) -> ImportedProject {
        var project: ImportedProject
        do throws(ImportFailure) {
            project = try read(files, environment: environment)
        } catch {
            throw error.naming(otherThan: self, files)
        }
        project.environment = project.environment ?? environment
        project.origin = ImportOrigin(rawValue, environment: project.environment)
        return project.withoutFaults()
    }

    private func read(_ files: [SourceFile], environment: String?) throws(ImportFailure) -> ImportedProject {
        switch self {
        case .unleash: return try UnleashReader.project(files, environment: environment)
        case .flagsmith:
            var reader = try FlagsmithReader(files, environment: environment)
            return reader.project()
        case .firebase: return try FirebaseReader.project(files)
        case .launchdarkly: return try LaunchDarklyReader.project(files, environment: environment)
        case .configcat: return try ConfigCatReader.project(files)
        case .growthbook: return try GrowthBookReader.project(files)
        case .goff: return try GoffReader.project(files)
        case .flipt: return try FliptReader.project(files, environment: environment)
        }
    }

    /// The name as its maker writes it.
    public var title: String {
        switch self {
        case .unleash: "Unleash"
        case .launchdarkly: "LaunchDarkly"
        case .firebase: "Firebase"
        case .goff: "GO Feature Flag"
        case .flipt: "Flipt"
        case .configcat: "ConfigCat"
        case .growthbook: "GrowthBook"
        case .flagsmith: "Flagsmith"
        }
    }

    /// Returns the system whose files look like this one.
    public static func resembling(_ content: FlagValue) -> SourceSystem? {
        guard case .object(let file) = content else { return nil }
        func has(_ names: String...) -> Bool { names.allSatisfy { file[$0] != nil } }
        if has("feature_states") { return .flagsmith }
        if has("p", "f") || has("f", "s") { return .configcat }
        if has("parameters") { return .firebase }
        if case .array(let items)? = file["items"], case .object(let item)? = items.first,
            item["variations"] != nil || item["environments"] != nil
        {
            return .launchdarkly
        }
        if case .array? = file["features"] { return .unleash }
        if case .object? = file["features"] { return .growthbook }
        if case .array? = file["flags"] { return .flipt }
        if case .object(let flags)? = file["flags"], case .object(let flag)? = flags.members.first?.value,
            flag["fallthrough"] != nil || flag["offVariation"] != nil
        {
            return .launchdarkly
        }
        if case .object(let flag)? = file.members.first?.value, flag["variations"] != nil, flag["defaultRule"] != nil {
            return .goff
        }
        return nil
    }
}

extension ImportFailure {
    /// Returns the failure with the system that a file looks like, if it is another one.
    fileprivate func naming(otherThan system: SourceSystem, _ files: [SourceFile]) -> ImportFailure {
        for file in files {
            guard let other = SourceSystem.resembling(file.content), other != system else { continue }
            return ImportFailure(
                description: "\(description); \(file.name) looks like a file of \(other.title) (\(other.rawValue))")
        }
        return self
    }
}
