/// A statement with the parameters of one run.
public struct Call: Sendable {
    let statement: Statement
    let parameters: [Parameter]

    public init(_ statement: Statement, _ parameters: Parameter...) {
        self.init(statement, with: parameters)
    }

    public init(_ statement: Statement, with parameters: [Parameter]) {
        self.statement = statement
        self.parameters = parameters
    }
}
