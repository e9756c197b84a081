import Links
import Testing

@testable import LinkPreviews

struct AccessTests {
  @Test func `tokens are found by their whole text, with what they may ask`() throws {
    let tokens = try AccessTokens(
      """
      # who may ask
      chat 0123456789abcdef
      forum\tfedcba9876543210 rate=5 per-host=2

      """)
    #expect(tokens.holders.map(\.name) == ["chat", "forum"])
    #expect(tokens.holder(of: "0123456789abcdef")?.name == "chat")
    #expect(tokens.holder(of: "fedcba9876543210")?.perSecond == 5)
    for wrong in ["", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF"] {
      #expect(tokens.holder(of: wrong) == nil)
    }
  }

  @Test(arguments: [
    "chat short", "chat", "chat 0123456789abcdef rate=x", "a 0123456789abcdef\na 0123456789abcdef",
  ])
  func `a line that is wrong is named`(_ text: String) {
    #expect(throws: AccessTokens.Fault.self) { try AccessTokens(text) }
  }

  @Test func `more than its rate is refused, and it is said when to ask again`() throws {
    let holder = try AccessTokens("chat 0123456789abcdef rate=1 per-host=2").holders[0]
    var rates = AccessRates()
    for _ in 0..<10 { #expect(rates.asks(holder, at: 0) == nil) }
    #expect(rates.asks(holder, at: 0)?.retryAfter == 1)
    #expect(rates.asks(holder, at: 1_000) == nil)
    for _ in 0..<2 { #expect(rates.fetches("a.test", for: holder, at: 0) == nil) }
    #expect(rates.fetches("a.test", for: holder, at: 0)?.status == 429)
    #expect(rates.fetches("b.test", for: holder, at: 0) == nil)
  }

  @Test func `a denied host is denied with what ends in it`() throws {
    let denied = DeniedHosts(["example.org", "10.0.0.1", "fd00:0::1", "# no"])
    func denies(_ host: String) throws -> Bool { denied.contains(try WebURL("http://\(host)/").host) }
    for host in ["example.org", "a.b.example.org", "example.org:8080", "10.0.0.1:80", "[fd00::1]"] {
      #expect(try denies(host))
    }
    for host in ["example.com", "anexample.org", "org", "10.0.0.11", "[fd00::2]"] {
      #expect(try !denies(host))
    }
  }
}
