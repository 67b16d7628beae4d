import AlmanacPostgreSQL
import Testing

@Suite struct StatementTests {
    @Test func `a statement's name is its first line`() {
        let statement = Statement(
            """
            -- name: find_2
            select 1
            """)
        #expect(statement.name == "find_2")
        #expect(statement.sql == "-- name: find_2\nselect 1")
    }
}
