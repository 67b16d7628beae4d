import AlmanacJSON
import AlmanacNotes
import AlmanacTestSupport

extension SimulatedUser {
    /// Syncs all of the user's devices until a round changes nothing. Several rounds may be needed, because a device
    /// may have to receive a change before it can send its own.
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
        throw UnexpectedResult("some device has something to send after every round")
    }

    private func revision() async throws -> Int64? {
        try await read("notes?limit=1")["revision"]?.numberValue?.int64
    }
}
