/// The kinds of errors for clients, with the type, status and title of each (RFC 9457).
public enum ProblemKind: String, CaseIterable, Sendable {
    case invalidRequest = "invalid-request"
    case invalidParameter = "invalid-parameter"
    case invalidHeader = "invalid-header"
    case invalidKey = "invalid-key"
    case invalidTimestamp = "invalid-timestamp"
    case invalidVersion = "invalid-version"
    case invalidJSON = "invalid-json"
    case invalidContext = "invalid-context"
    case flagBroken = "flag-broken"
    case flagNotEvaluated = "flag-not-evaluated"
    case tokenNeeded = "token-needed"
    case tokenRefused = "token-refused"
    case sessionEnded = "session-ended"
    case sessionOfAnotherUser = "session-of-another-user"
    case freshSignInNeeded = "fresh-sign-in-needed"
    case signInRefused = "sign-in-refused"
    case signInExpired = "sign-in-expired"
    case scopeTooSmall = "scope-too-small"
    case keysOutOfScope = "keys-out-of-scope"
    case ownerNeeded = "owner-needed"
    case otherOwner = "other-owner"
    case approvalRequired = "approval-required"
    case bypassRequired = "bypass-required"
    case ownContribution = "own-contribution"
    case personRemoved = "person-removed"
    case passkeyRefused = "passkey-refused"
    case passkeyUnknown = "passkey-unknown"
    case invitationUsed = "invitation-used"
    case invitationExpired = "invitation-expired"
    case invitationVoid = "invitation-void"
    case notFound = "not-found"
    case environmentNotFound = "environment-not-found"
    case entryNotFound = "entry-not-found"
    case flagNotFound = "flag-not-found"
    case releaseNotFound = "release-not-found"
    case majorNotFound = "major-not-found"
    case versionNotReleased = "version-not-released"
    case noteGone = "note-gone"
    case attachmentNotHere = "attachment-not-here"
    case tokenNotFound = "token-not-found"
    case personNotFound = "person-not-found"
    case passkeyNotFound = "passkey-not-found"
    case invitationNotFound = "invitation-not-found"
    case hookNotFound = "hook-not-found"
    case proposalNotFound = "proposal-not-found"
    case reviewNotFound = "review-not-found"
    case sessionNotFound = "session-not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case entryExists = "entry-exists"
    case noteExists = "note-exists"
    case attachmentExists = "attachment-exists"
    case wrongOffset = "wrong-offset"
    case sessionWouldEnd = "session-would-end"
    case ownPerson = "own-person"
    case passkeyExists = "passkey-exists"
    case roleFromProvider = "role-from-provider"
    case majorInUse = "major-in-use"
    case proposalEmpty = "proposal-empty"
    case proposalState = "proposal-state"
    case proposalConflict = "proposal-conflict"
    case proposalRejected = "proposal-rejected"
    case proposalWaits = "proposal-waits"
    case hookDisabled = "hook-disabled"
    case differenceNotExpressible = "difference-not-expressible"
    case flagsDiffer = "flags-differ"
    case majorRetired = "major-retired"
    case revisionNotKept = "revision-not-kept"
    case resync
    case attachmentRemoved = "attachment-removed"
    case preconditionFailed = "precondition-failed"
    case preconditionRequired = "precondition-required"
    case bodyTooLarge = "body-too-large"
    case proposalTooLarge = "proposal-too-large"
    case attachmentTooLarge = "attachment-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case rangeNotSatisfiable = "range-not-satisfiable"
    case invalidValue = "invalid-value"
    case limitExceeded = "limit-exceeded"
    case invalidFlag = "invalid-flag"
    case invalidTag = "invalid-tag"
    case tooManyTags = "too-many-tags"
    case tooManyAttachments = "too-many-attachments"
    case attachmentEmpty = "attachment-empty"
    case attachmentTooLong = "attachment-too-long"
    case hashMismatch = "hash-mismatch"
    case deltaMismatch = "delta-mismatch"
    case tooManyStreams = "too-many-streams"
    case tooManyUploads = "too-many-uploads"
    case tooManyRequests = "too-many-requests"
    case internalError = "internal-error"
    case databaseAway = "database-away"
    case identityProviderAway = "identity-provider-away"
    case revisionNotReached = "revision-not-reached"
    case tookTooLong = "took-too-long"
    case overloaded
    case storeAway = "store-away"
    case storeFull = "store-full"

    public var status: Int {
        switch self {
        case .invalidRequest, .invalidParameter, .invalidHeader, .invalidKey, .invalidTimestamp, .invalidVersion,
            .invalidJSON, .invalidContext, .flagBroken, .flagNotEvaluated:
            400
        case .tokenNeeded, .tokenRefused, .sessionEnded, .sessionOfAnotherUser: 401
        case .scopeTooSmall, .keysOutOfScope, .ownerNeeded, .otherOwner, .approvalRequired, .bypassRequired,
            .ownContribution, .personRemoved, .freshSignInNeeded, .signInRefused, .signInExpired, .passkeyRefused,
            .passkeyUnknown, .invitationUsed, .invitationExpired, .invitationVoid:
            403
        case .notFound, .environmentNotFound, .entryNotFound, .flagNotFound, .releaseNotFound, .majorNotFound,
            .versionNotReleased, .noteGone, .attachmentNotHere, .tokenNotFound, .personNotFound,
            .passkeyNotFound, .invitationNotFound, .hookNotFound, .proposalNotFound, .reviewNotFound,
            .sessionNotFound:
            404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .entryExists, .noteExists, .attachmentExists, .wrongOffset, .sessionWouldEnd, .ownPerson,
            .passkeyExists, .roleFromProvider, .majorInUse, .proposalEmpty, .proposalState, .proposalConflict,
            .proposalRejected,
            .proposalWaits, .hookDisabled, .differenceNotExpressible, .flagsDiffer:
            409
        case .majorRetired, .revisionNotKept, .resync, .attachmentRemoved: 410
        case .preconditionFailed: 412
        case .bodyTooLarge, .attachmentTooLarge, .proposalTooLarge: 413
        case .unsupportedMediaType: 415
        case .rangeNotSatisfiable: 416
        case .invalidValue, .limitExceeded, .invalidFlag, .invalidTag, .tooManyTags, .tooManyAttachments,
            .attachmentEmpty, .attachmentTooLong, .hashMismatch, .deltaMismatch:
            422
        case .preconditionRequired: 428
        case .tooManyStreams, .tooManyUploads, .tooManyRequests: 429
        case .internalError: 500
        case .databaseAway, .identityProviderAway, .revisionNotReached, .tookTooLong, .overloaded, .storeAway: 503
        case .storeFull: 507
        }
    }

    /// True if a status of 500 or above is no fault of the server: the caller requested something that may never exist.
    public var isCallerFault: Bool { self == .revisionNotReached }

    /// A short summary, the same for every occurrence.
    public var title: String {
        switch self {
        case .invalidRequest: "The request is malformed"
        case .invalidParameter: "A query parameter is not valid"
        case .invalidHeader: "A header is not valid"
        case .invalidKey: "The key is not valid"
        case .invalidTimestamp: "The timestamp is not valid"
        case .invalidVersion: "The version is not valid"
        case .invalidJSON: "The body is not valid JSON"
        case .invalidContext: "The evaluation context is not valid"
        case .flagBroken: "The flag's definition cannot be evaluated"
        case .flagNotEvaluated: "The flag has no value"
        case .tokenNeeded: "A token is needed"
        case .tokenRefused: "The token is not accepted"
        case .sessionEnded: "The session has ended"
        case .sessionOfAnotherUser: "Another user has signed in"
        case .freshSignInNeeded: "A recent sign-in is needed"
        case .signInRefused: "The sign-in is not accepted"
        case .signInExpired: "The sign-in has expired or was used before"
        case .scopeTooSmall: "The token lacks a scope for this call"
        case .keysOutOfScope: "The token may not change these keys"
        case .ownerNeeded: "The token has no owner"
        case .otherOwner: "The owner is another person"
        case .approvalRequired: "The release needs approvals"
        case .bypassRequired: "The call needs a reason to go around approvals"
        case .ownContribution: "Nobody may approve their own change"
        case .personRemoved: "The person was removed"
        case .passkeyRefused: "The passkey is not accepted"
        case .passkeyUnknown: "The passkey is not known"
        case .invitationUsed: "The invitation was used before"
        case .invitationExpired: "The invitation has expired"
        case .invitationVoid: "The invitation is void"
        case .notFound: "There is no resource at this address"
        case .environmentNotFound: "There is no such environment"
        case .entryNotFound: "There is no such entry"
        case .flagNotFound: "There is no such flag"
        case .releaseNotFound: "There is no such release"
        case .majorNotFound: "There is no such major version"
        case .versionNotReleased: "The environment has not released this version"
        case .noteGone: "There is no such note"
        case .attachmentNotHere: "The attachment's bytes are not here"
        case .tokenNotFound: "There is no such token"
        case .personNotFound: "There is no such person"
        case .passkeyNotFound: "There is no such passkey"
        case .invitationNotFound: "There is no such invitation"
        case .hookNotFound: "There is no such hook"
        case .proposalNotFound: "There is no such proposal"
        case .reviewNotFound: "There is no such review"
        case .sessionNotFound: "There is no such session"
        case .methodNotAllowed: "The method is not allowed here"
        case .notAcceptable: "The requested media type is not available"
        case .entryExists: "The entry exists already"
        case .noteExists: "The note exists already"
        case .attachmentExists: "The attachment exists already"
        case .wrongOffset: "The upload continues at another offset"
        case .sessionWouldEnd: "The sign-in would end another session"
        case .ownPerson: "You cannot change yourself"
        case .passkeyExists: "The passkey is registered already"
        case .roleFromProvider: "The identity provider decides the role"
        case .majorInUse: "The major version is in use"
        case .proposalEmpty: "The proposal would change nothing"
        case .proposalState: "The state of the proposal does not permit this"
        case .proposalConflict: "Others released other values"
        case .proposalRejected: "The proposal is rejected"
        case .proposalWaits: "The proposal builds on one that is not applied"
        case .hookDisabled: "The hook is disabled"
        case .differenceNotExpressible: "A merge patch cannot express the difference"
        case .flagsDiffer: "This form cannot contain the differing flags"
        case .majorRetired: "The major version has been retired"
        case .revisionNotKept: "The history does not reach back that far"
        case .resync: "The whole state must be read again"
        case .attachmentRemoved: "The attachment was removed"
        case .preconditionFailed: "The precondition is not met"
        case .preconditionRequired: "A precondition is needed"
        case .bodyTooLarge: "The body is too large"
        case .proposalTooLarge: "The proposal is too large"
        case .attachmentTooLarge: "The attachment is too large"
        case .unsupportedMediaType: "The media type is not supported"
        case .rangeNotSatisfiable: "The range lies outside of the file"
        case .invalidValue: "The content is not valid"
        case .limitExceeded: "A limit is exceeded"
        case .invalidFlag: "A flag's definition is not valid"
        case .invalidTag: "A tag of a note is not valid"
        case .tooManyTags: "The note has too many tags"
        case .tooManyAttachments: "The note names too many attachments"
        case .attachmentEmpty: "The attachment has no bytes"
        case .attachmentTooLong: "The piece exceeds the declared length"
        case .hashMismatch: "The bytes do not have the declared hash"
        case .deltaMismatch: "The delta does not fit its base text"
        case .tooManyStreams: "The account has too many streams open"
        case .tooManyUploads: "The account has too many unfinished uploads"
        case .tooManyRequests: "Too many requests"
        case .internalError: "The server failed to handle the request"
        case .databaseAway: "The database is unreachable"
        case .identityProviderAway: "The identity provider is unreachable"
        case .revisionNotReached: "The revision has not arrived yet"
        case .tookTooLong: "The request took too long"
        case .overloaded: "The server is overloaded"
        case .storeAway: "The store of attachments is unreachable"
        case .storeFull: "The store of attachments is full"
        }
    }
}
