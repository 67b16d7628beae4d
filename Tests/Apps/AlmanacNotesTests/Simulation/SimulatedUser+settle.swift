import AlmanacJSON
import AlmanacNotes
import AlmanacTestSupport

extension SimulatedUser {
    /// Lets all of the user's devices sync until a round has changed nothing: what one device receives may be what it
    /// waited for to send.
    func settle(_ stores: [NotesStore]) async throws {
        for _ in 0..<10 {
            let before = try await revision()
            var hasUnsent = false
            for store in stores {
                try await store.sync()
                if await store.hasUnsentChanges { hasUnsent = true }
            }
            if !hasUnsent, try await revision() == before { return }
        }
        throw Surprise("some device has something to send after every round")
    }

    private func revision() async throws -> Int64? {
        try await read("notes?limit=1")["revision"]?.numberValue?.int64
    }
}
