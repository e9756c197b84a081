import Testing

@testable import Links

/// Any bytes are a robots.txt, and patterns mean what a slow and simple reading of them means.
@Suite struct HostileRobotsTests {
  private static let pieces = [
    "User-agent:", "\nDisallow:/", "\nAllow:", "\nUser-agent:*\nDisallow:", "*", "$", "/", "a", "b", "%2F",
    "%", "%4", "%41", "\r", "\n",
    "\r\n", "#",
    ":", " ", "\t", "\u{FEFF}", "ü", "halyard", "?", "\u{0}",
  ].map { Array($0.utf8) }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `never traps, and rules read back as themselves`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let product = ProductToken(userAgent: "halyard")
    let links = try ["/", "/a/b?a:b", "/%2F%C3%BC?%41"].map { try WebURL("http://h\($0)") }
    var seen = 0
    for round in 0..<20_000 {
      let file = (0..<Int.random(in: 0..<30, using: &random)).flatMap { _ in
        Int.random(in: 0..<12, using: &random) == 0
          ? [.random(in: 0...255, using: &random)] : Self.pieces.randomElement(using: &random) ?? []
      }
      let rules = RobotsRules(parsing: file, isCut: round % 7 == 0, for: product)
      for link in links {
        guard case .refused(let rule) = rules.verdict(on: link) else { continue }
        seen += 1
        let again = RobotsRules(parsing: Array("User-agent: *\n\(rule)".utf8), for: product).verdict(on: link)
        let isSame: Bool = if case .refused(let other) = again { other.path == rule.path } else { false }
        try #require(isSame, "seed \(seed), round \(round): \(file)")
      }
    }
    #expect(seen > 100)
  }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func `a pattern matches what it matches letter by letter`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var (matching, all) = (0, 0)
    for _ in 0..<40_000 {
      let pattern = (0..<Int.random(in: 0..<9, using: &random)).map { _ in Self.letter("ab/**", &random) }
      let text = pattern + (Bool.random(using: &random) ? [UInt8.dollar] : [])
      let path = (0..<Int.random(in: 0..<12, using: &random)).map { _ in Self.letter("ab/", &random) }
      var steps = 1_000
      let answer = RobotsPattern(text).matches(path, steps: &steps)
      try #require(
        answer == Self.slowly(text[...], path[...]),
        "\(String(decoding: text, as: UTF8.self)) on \(String(decoding: path, as: UTF8.self))")
      matching += answer ? 1 : 0
      all += 1
    }
    #expect(matching > all / 10 && matching < all * 9 / 10)
  }

  private static func letter(_ letters: String, _ random: inout SplitMix) -> UInt8 {
    letters.utf8.randomElement(using: &random) ?? .slash
  }

  private static func slowly(_ pattern: ArraySlice<UInt8>, _ path: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return true }
    let rest = pattern.dropFirst()
    if first == .dollar, rest.isEmpty { return path.isEmpty }
    if first == .star { return slowly(rest, path) || !path.isEmpty && slowly(pattern, path.dropFirst()) }
    return path.first == first && slowly(rest, path.dropFirst())
  }
}

/// Small, seeded, good enough for test data.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
