import AlmanacCryptography
import AlmanacTimestamps
import Testing

@testable import AlmanacObjectStore

/// The examples of Amazon's page "Authenticating Requests: Using the Authorization Header (AWS Signature Version 4)".
@Suite struct SignatureV4Tests {
    struct Example: Sendable {
        let method: String
        let path: String
        var query = ""
        var headers: [(name: String, value: String)] = []
        var body = ""
        let signedHeaders: String
        let signature: String
    }

    @Test(arguments: [
        Example(
            method: "GET", path: "/test.txt", headers: [("Range", "bytes=0-9")],
            signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            method: "PUT", path: "/test%24file.text",
            headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            body: "Welcome to Amazon S3.",
            signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            method: "GET", path: "/", query: "lifecycle=", signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            method: "GET", path: "/", query: "max-keys=2&prefix=J",
            signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `a signature is that of Amazon's example`(example: Example) throws {
        let signer = SignatureV4(
            keyID: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
        let signed = signer.sign(
            example.method, path: example.path, query: example.query,
            headers: [("Host", "examplebucket.s3.amazonaws.com")] + example.headers,
            sha256: Hex.encode(SHA256.digest(Array(example.body.utf8))),
            at: try #require(Timestamp("2013-05-24T00:00:00Z")))
        #expect(
            signed.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders=\(example.signedHeaders),Signature=\(example.signature)")
    }
}
