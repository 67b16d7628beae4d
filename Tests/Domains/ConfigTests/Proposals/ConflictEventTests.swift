import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

@Suite(.database(.migrated)) struct ConflictEventTests {
    @Test func `a release that puts an open proposal in conflict is told of once`() throws {
        let team = try ProposalTeam()
        try team.instance.asSuperuser(
            """
            insert into hooks (id, url, label, format, types, secret, author, author_kind)
            values ('aaaaaaaaaaaa', 'https://chat.example.com', 'Chat', 'slack', '{proposal.conflicted}', 'whsec_x',
                'ada', 'host')
            """)
        func told() throws -> [String] {
            for _ in 0..<2 { try team.instance.service.applyDueProposals() }
            return try team.instance.query(
                "test_told", "select event_id, facts ->> 'number' as number from deliveries order by id"
            ).map { row in
                let id = try row.text("event_id").split(separator: ":").dropFirst().joined(separator: ":")
                return "\(try row.text("number")) \(id)"
            }
        }
        let number = try team.propose(#"{"banner":"Winter sale"}"#)
        let other = try team.propose(#"{"theme":{"dark":true}}"#)
        try team.release(#"{"pay.limit":120}"#)
        #expect(try told() == [])
        try team.release(#"{"banner":"Winter sale","theme":{"dark":null}}"#)
        #expect(try told() == ["\(other) p\(other):2:proposal:conflicted"])
        try team.release(#"{"banner":"Autumn sale"}"#)
        #expect(try told().last == "\(number) p\(number):2:proposal:conflicted")
        try team.release(#"{"banner":"Spring sale"}"#)
        #expect(try told().count == 2)
    }
}
