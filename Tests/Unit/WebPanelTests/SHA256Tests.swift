import Testing

@testable import WebPanel

@Suite("SHA-256") struct SHA256Tests {
    @Test(
        "The digests are those of FIPS 180-4 and its examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func digest(text: String, digest: String) { #expect(SHA256.hexadecimal(text) == digest) }

    @Test("The authentication of a message is that of RFC 4231, and that of another program for a key as long as a hash")
    func authentication() {
        let text = "what do ya want for nothing?"
        #expect(SHA256.authentication(of: text, by: "Jefe") == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let hash = SHA256.hexadecimal("token")
        #expect(Credential.proof(of: hash, for: "challenge") == "657dbba4e5758f5adbe6ae7690275f16723cf0e49cfd626a13b24d73c89c4146")
        #expect(Credential.key(from: hash, for: "challenge") == "b2c860b64bf8f842fd2d7c9b0f1bf541c8865e3284e1cd6f77132299de29c18f")
    }
}
