#if canImport(Security)
    public import Foundation
    internal import Security

    /// A token storage in the keychain of an Apple platform.
    public struct KeychainTokenStorage: TokenStorage {
        private let service: String
        private let name: String
        private let group: AppGroup?
        private let clock: any ClientClock

        /// A group of one team's apps and extensions that share a sign-in.
        public struct AppGroup: Sendable {
            private(set) var accessGroup: String
            private(set) var folder: URL

            /// Creates a group.
            ///
            /// - Parameters:
            ///   - accessGroup: the keychain access group from the entitlements.
            ///   - folder: the container of the app group. Its lock file lets one process at a time refresh.
            public init(accessGroup: String, folder: URL) {
                self.accessGroup = accessGroup
                self.folder = folder
            }
        }

        /// Creates a storage for one keychain item.
        ///
        /// - Parameters:
        ///   - service: the service name of the app: `com.example.notes`.
        ///   - name: the account name, which distinguishes several sign-ins of one app.
        ///   - group: the group that shares the sign-in; nil for this app only.
        public init(
            service: String, name: String = "sign-in", group: AppGroup? = nil,
            clock: any ClientClock = SystemClientClock()
        ) {
            self.service = service
            self.name = name
            self.group = group
            self.clock = clock
        }

        private var item: [CFString: Any] {
            var item: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
            ]
            if let group { item[kSecAttrAccessGroup] = group.accessGroup }
            return item
        }

        /// Runs an operation under the group's lock. The wait for the lock is at most 90 s.
        public func exclusively<Result: Sendable>(_ work: @Sendable () async throws -> Result) async throws -> Result {
            guard let group else { return try await work() }
            return try await FileLock.exclusively(group.folder.appending(path: "\(service).\(name)").path, clock, work)
        }

        /// - Throws: ``SignInFailure/storage(_:)`` with the keychain's status.
        public func load() async throws -> StoredSignIn? {
            let query = item.merging([kSecReturnData: true]) { $1 }
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw Self.failure(status) }
            return try JSONDecoder().decode(StoredSignIn.self, from: data)
        }

        /// Saves or removes the item, which is readable after the first unlock and never leaves this device.
        public func save(_ signIn: StoredSignIn?) async throws {
            guard let signIn else {
                let status = SecItemDelete(item as CFDictionary)
                guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw Self.failure(status) }
                return
            }
            let value: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(signIn),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        private static func failure(_ status: OSStatus) -> SignInFailure {
            .storage("the keychain returned the error \(status)")
        }
    }
#endif
