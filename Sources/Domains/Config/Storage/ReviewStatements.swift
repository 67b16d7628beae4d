internal import AlmanacForms
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacPostgreSQL
internal import AlmanacProposals
internal import AlmanacTimestamps

enum ReviewStatements {
    /// Reads reviews, each with the scopes that the reviewer has now, and with `is_maker` if the reviewer made, rotated
    /// or owned a token that wrote an edit.
    ///
    /// - Parameter onlyVerdicts: True to leave out comments and withdrawn verdicts.
    static func reviews(of numbers: [Int64], onlyVerdicts: Bool) -> Call {
        Call(reviews, .bigintArray(numbers), .boolean(onlyVerdicts))
    }

    private static let reviews = Statement(
        """
        -- name: proposal_reviews_read
        select r.number, r.id, r.verdict, r.message, r.round, r.effect, r.part, r.reviewer, r.issuer, r.subject,
            r.reviewed_at, r.withdrawn_at, r.keys, case
                when p.removed_at is not null then null
                when r.token_id is null then p.scopes
                else (
                    select t.scopes from api_tokens t where t.id = r.token_id and t.revoked_at is null
                        and (t.expires_at is null or t.expires_at > clock_timestamp())
                        and t.owner_issuer = r.issuer and t.owner_subject = r.subject)
            end as scopes, \(isMaker("r.number", "r.issuer", "r.subject")) as is_maker
        from proposal_reviews r left join people p on p.issuer = r.issuer and p.subject = r.subject
        where r.number = any ($1) and (not $2 or r.verdict <> 'comment' and r.withdrawn_at is null) order by r.id
        """)

    /// Returns SQL that is true if a person made, rotated or owned a token that wrote an edit of a proposal.
    private static func isMaker(_ number: String, _ issuer: String, _ subject: String) -> String {
        """
        exists (
            select from (
                select e.token_id from proposal_edits e where e.number = \(number) and e.token_id is not null
                union
                select a ->> 'token_id' from proposal_edits e, jsonb_array_elements(e.earlier_authors) a
                where e.number = \(number) and a ->> 'token_id' is not null
            ) written, lateral token_makers(written.token_id) maker
            where maker.subject = \(subject) and coalesce(maker.issuer, \(issuer)) = \(issuer))
        """
    }

    /// Selects true if a person made, rotated or owned a token that wrote an edit of a proposal.
    static func isMaker(_ person: ReviewPerson, of number: Int64) -> Call {
        Call(isMaker, .bigint(number), .text(person.issuer), .text(person.subject))
    }

    private static let isMaker = Statement(
        """
        -- name: proposal_edits_maker
        select \(isMaker("$1", "$2", "$3")) as is_maker
        """)

    /// Inserts a review, and withdraws the earlier verdict of the same person.
    static func insert(
        _ verdict: ProposalReview.Verdict, message: String, by reviewer: ReviewPerson, _ author: Author,
        keys: KeySelection, of proposal: Proposal, effect: String, part: VersionPart?
    ) -> Call {
        Call(
            insertReview, .bigint(proposal.number), .text(verdict.rawValue), .text(message),
            .integer(Int32(proposal.round)), .text(effect), .text(part?.name), .text(author.name),
            .text(reviewer.issuer), .text(reviewer.subject), .textArray(keys.names), .text(author.tokenID))
    }

    private static let insertReview = Statement(
        """
        -- name: proposal_reviews_insert
        with earlier as (
            update proposal_reviews set withdrawn_at = date_trunc('milliseconds', clock_timestamp())
            where number = $1 and $2 <> 'comment' and verdict <> 'comment' and issuer = $8 and subject = $9
                and withdrawn_at is null
        )
        insert into proposal_reviews (number, verdict, message, round, effect, part, reviewer, issuer, subject, keys,
            token_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """)

    /// The people who may approve edits of others and made no token that wrote an edit of a proposal, with their
    /// scopes. People whose tokens alone have scopes are not among them.
    static func approvers(of number: Int64) -> Call { Call(approvers, .bigint(number)) }

    private static let approvers = Statement(
        """
        -- name: proposal_approvers
        select issuer, subject, coalesce(name, subject) as name, scopes from people
        where removed_at is null and array_to_string(scopes, ' ') ~ '(^| )config:approve'
            and not \(isMaker("$1", "people.issuer", "people.subject"))
        order by name, issuer, subject limit 200
        """)

    /// Withdraws a review. Affects no row if the proposal has no such review that is not withdrawn.
    static func withdraw(_ review: Int64, of number: Int64) -> Call {
        Call(withdraw, .bigint(number), .bigint(review))
    }

    private static let withdraw = Statement(
        """
        -- name: proposal_reviews_withdraw
        update proposal_reviews set withdrawn_at = date_trunc('milliseconds', clock_timestamp())
        where number = $1 and id = $2 and withdrawn_at is null
        returning id
        """)
}
