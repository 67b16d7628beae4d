import Testing

/// Something that holds for every file of the repository and that the compiler does not check.
struct Rule: Sendable, CustomTestStringConvertible {
    let name: String
    /// The places of one file that break the rule.
    let check: @Sendable (SourceFile) -> [Finding]

    var testDescription: String { name }

    static let all: [Rule] = [
        cModulesStayInTheirWrappers, systemCallsStayAtTheBottom, noFoundationInSources, modulesImportDownwards,
        noPointersInPublicSignatures, uncheckedSafetyHasAProof, filesStayShort, statementsAreNamed,
    ]
}
