import Testing
import ZeroMQ

struct CurveKeyTests {
  @Test func `a key survives its text`() throws {
    let pair = try #require(CurveKeyPair.generate())
    #expect(CurveKey(z85: pair.publicKey.z85) == pair.publicKey)
    #expect(CurveKey(bytes: pair.secretKey.bytes) == pair.secretKey)
    #expect(pair.publicKey != pair.secretKey)
  }

  @Test(arguments: ["", "short", String(repeating: "\u{7F}", count: 40), String(repeating: "é", count: 20)])
  func `what is no key is refused`(text: String) {
    #expect(CurveKey(z85: text) == nil)
  }

  @Test func `a key has 32 bytes`() {
    #expect(CurveKey(bytes: [1, 2, 3]) == nil)
  }
}
