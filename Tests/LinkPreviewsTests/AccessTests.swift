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
    "chat short", "chat", "chat 0123456789abcdef rate=x", "chat 0123456789abcdef rate=0",
    "chat 0123456789abcdef rate=1e19", "chat 0123456789abcdef per-host=1e-9", "chat 0123456789abcdef =",
    "chat 0123456789abcdef per-host", "chat 0123456789abcdef rates=2",
    "a 0123456789abcdef\na 0123456789abcdef",
  ])
  func `a line that is wrong is named`(_ text: String) {
    #expect(throws: AccessTokens.Fault.self) { try AccessTokens(text) }
  }

  @Test func `more than its rate is refused, and it is said when to ask again`() throws {
    let token = "0123456789abcdef"
    var tokens = try AccessTokens("chat \(token) rate=1 per-host=2")
    // One of them is a part of the link.
    for _ in 0..<10 { #expect(try tokens.admit(["other", token], at: 0).name == "chat") }
    #expect(throws: tooMany("chat sends more requests than 1 a second", 1)) {
      try tokens.admit([token], at: 0)
    }
    let holder = try tokens.admit([token], at: 1_000)
    for _ in 0..<2 { try tokens.admitFetch(of: "a.test", for: holder, at: 0) }
    #expect(throws: tooMany("chat wants more links of a.test than 2 a minute", 30)) {
      try tokens.admitFetch(of: "a.test", for: holder, at: 0)
    }
    try tokens.admitFetch(of: "b.test", for: holder, at: 0)
    var slow = try AccessTokens("chat \(token) rate=0.5")
    for _ in 0..<5 { _ = try slow.admit([token], at: 0) }
    #expect(throws: tooMany("chat sends more requests than 0.5 a second", 2)) {
      try slow.admit([token], at: 0)
    }
  }

  private func tooMany(_ detail: String, _ seconds: Int) -> Problem {
    Problem("too-many-requests", 429, detail, isRetryable: true, retryAfter: seconds)
  }

  @Test func `a denied host is denied with what ends in it`() throws {
    let denied = try DeniedHosts([
      "example.org", "10.0.0.1", "fd00:0::1", "# no", "bücher.example", ".dot.example", "Final.example.",
      "[fd00::3]",
    ])
    func denies(_ host: String) throws -> Bool { denied.contains(try WebURL("http://\(host)/").host) }
    for host in [
      "example.org", "a.b.example.org", "example.org:8080", "10.0.0.1:80", "[fd00::1]", "example.org.",
      "xn--bcher-kva.example", "a.dot.example", "final.example", "[fd00::3]",
    ] {
      #expect(try denies(host))
    }
    for host in ["example.com", "anexample.org", "org", "10.0.0.11", "[fd00::2]"] {
      #expect(try !denies(host))
    }
    for line in ["https://a.example/", "a.example/b", "a.example:80", "a@b.example", "a b", "."] {
      #expect(throws: DeniedHosts.Fault(text: line)) { try DeniedHosts([line]) }
    }
  }
}
