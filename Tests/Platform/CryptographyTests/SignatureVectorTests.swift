import AlmanacCryptography
import Testing

/// Checks the signed examples of the standards, which are tokens with their keys.
@Suite struct SignatureVectorTests {
    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// Checks the example of RFC 7515, appendix A.2.
    @Test func `the example of RS256 is valid`() throws {
        let modulus =
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SF"
            + "d2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo"
            + "7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkM"
            + "Ls91kzk2PAcDTW9gb54h4FRWyuXpoQ"
        let signature =
            "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdb"
            + "F9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383"
            + "LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWy"
            + "wlVmtVrBp0igcN_IoypGlUPQGe77Rw"
        let key = try PublicKey(rsaModulus: bytes(modulus), exponent: [1, 0, 1])
        try check(key, .rs256, "eyJhbGciOiJSUzI1NiJ9.\(Self.payload)", signature)
    }

    /// Checks the example of RFC 7515, appendix A.3.
    @Test func `the example of ES256 is valid`() throws {
        let key = try PublicKey(
            p256X: bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
            y: bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        try check(
            key, .es256, "eyJhbGciOiJFUzI1NiJ9.\(Self.payload)",
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
    }

    /// Checks the example of RFC 8037, appendix A.4.
    @Test func `the example of EdDSA is valid`() throws {
        let key = try PublicKey(ed25519: bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"))
        try check(
            key, .edDSA, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
            "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
    }

    private func check(
        _ key: PublicKey, _ algorithm: SignatureAlgorithm, _ message: String, _ signature: String
    ) throws {
        let (message, signature) = (Array(message.utf8), try bytes(signature))
        #expect(key.isValid(signature, of: message, by: algorithm))
        for other in SignatureAlgorithm.allCases where other != algorithm {
            #expect(!key.isValid(signature, of: message, by: other))
        }
        for position in [0, message.count / 2, message.count - 1] {
            var altered = message
            altered[position] ^= 1
            #expect(!key.isValid(signature, of: altered, by: algorithm))
        }
        for position in signature.indices {
            var altered = signature
            altered[position] ^= 0x10
            #expect(!key.isValid(altered, of: message, by: algorithm))
        }
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }
}
