/// A refusal of a domain that knows no HTTP. Its `Endpoints` conform it, in the one table that says which problem each
/// refusal is told as.
public protocol ProblemRepresentable: Error {
    var problem: Problem { get }
}
