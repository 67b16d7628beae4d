internal import AlmanacEnvironments

/// Whether the environments file can be read.
struct EnvironmentsCheck {
    let finding: Finding
    /// Those of the file; none when it is broken.
    let environments: [EnvironmentSettings]

    init(_ path: String) {
        do {
            environments = try EnvironmentsFile.load(path)
            let names = environments.map(\.name.text).joined(separator: ", ")
            finding = .good("environments file", path, "is valid and has \(names)")
        } catch {
            environments = []
            finding = .failed(
                "environments file", path, error.reason,
                advice: "put the file right, as README.md describes it; workers keep the old one until then")
        }
    }
}
