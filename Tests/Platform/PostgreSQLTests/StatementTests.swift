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

    @Test func `a statement without a usable name ends the program`() async {
        await #expect(processExitsWith: .failure) { _ = Statement("select 1") }
        await #expect(processExitsWith: .failure) { _ = Statement("-- name: two words\nselect 1") }
        await #expect(processExitsWith: .failure) { _ = Statement("-- name: \nselect 1") }
    }
}
