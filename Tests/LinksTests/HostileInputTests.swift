import Links
import PipelineTesting
import Testing

/// SplitMix64: small, seeded, good enough for test data.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

struct `Hostile input` {
  private static let seeds = [
    "http://user:pass@example.org:8080/a/./b/../c?q=1&r=%20#frag", "https://[2001:db8::1]:443/x",
    "http://0x7f.1/", "http://bücher.例え/ü?ö#ä", "//other/../..//x", "?q", "#f", "../..\\x", "http:\\\\a\\b",
    "http://xn--bcher-kva.example/", "http://[::ffff:1.2.3.4]/", "HTTP:/x", "https://a%2eb%E3%80%82c/",
    "http://1.2.3.4:65535", "http://か\u{3099}.한국/", "/%2e%2e/%2E./.%2e/",
  ]
  private static let pieces = [
    "http://", "https:", "//", "\\", "..", "%2e", "%", "@", ":", "[", "]", "::", "?", "#", "xn--", ".", "0x",
    "256", "\t", "\n", "\u{0}", " ", "ü", "\u{301}", "\u{AD}", "。", "\u{200D}", "💩", "99999999999", "%00",
    "%E9",
  ].map { Array($0.utf8) }

  private func input(using random: inout SeededGenerator) -> [UInt8] {
    guard Int.random(in: 0..<5, using: &random) > 0 else {
      return (0..<Int.random(in: 0..<40, using: &random)).map { _ in .random(in: 0...255, using: &random) }
    }
    var bytes = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
      case 1:
        bytes.insert(.random(in: 0...255, using: &random), at: place)
      case 2:
        bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0..<6, using: &random)))
      default:
        guard place < bytes.count else { continue }
        bytes[place] = .random(in: 0...255, using: &random)
      }
    }
    return bytes
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `never traps, and what is accepted reads back as itself`(seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let base = try WebURL("http://base.example:81/a/b?c#d")
    var accepted = 0
    for round in 0..<25_000 {
      let bytes = input(using: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try? WebURL.userInput(text)
      _ = try? AllowedAddress(text)
      var chain = RedirectChain(start: base, maxHops: 1)
      _ = chain.answered(status: 301, rawLocations: [bytes])
      for result in [try? WebURL(bytes: bytes), try? WebURL(bytes: bytes, relativeTo: base)] {
        guard let url = result else { continue }
        accepted += 1
        let isSound = try isFixedPoint(url)
        try #require(isSound, "seed \(seed), round \(round): \(bytes) became \(url)")
      }
    }
    #expect(accepted > 10_000)
  }

  @Test func `resolves to what stands for itself against any base`() throws {
    var random = SeededGenerator(state: 5)
    var bases = [try WebURL("https://u:p@base.example/a/b/../c?d")]
    var resolved = 0
    for round in 0..<20_000 {
      let bytes = input(using: &random)
      let base = bases[round % bases.count]
      guard let url = try? WebURL(bytes: bytes, relativeTo: base) else { continue }
      resolved += 1
      let again = try WebURL(url.href, relativeTo: base)
      try #require(again.href == url.href, "round \(round): \(bytes) against \(base) became \(url)")
      if bases.count < 200 { bases.append(url) }
    }
    #expect(resolved > 8000)
  }

  /// Each takes milliseconds; the deadline is for a machine under load.
  @Test(arguments: [
    ("http://h/", "../"), ("http://h", "/a/.."), ("http://h/", "%2e%2E/"), ("http://", "a@"),
    ("http://", "a:@"),
    ("http://h:", "0"), ("http://", "1."), ("http://0x", "f"), ("http://", "["), ("http://[", ":"),
    ("http://", "%"),
    ("http://é", "."), ("http://é.", "xn--a."), ("http://", "\u{323}\u{301}"), ("http://", "\u{FDFA}"),
    ("http://", "\u{AD}"), ("http://", "ك\u{200C}"), ("http://", "א."), ("http:", "/"), ("http://h", "\t"),
    ("http://h/", "\u{FFFF}"),
  ])
  func `of any length is read before the deadline`(start: String, repeated: String) {
    let count = (WebURL.maximumLength - start.utf8.count) / repeated.utf8.count
    let text = start + String(repeating: repeated, count: count)
    let spent = processorTime { _ = try? WebURL(text) }
    #expect(spent < .seconds(2))
  }

  /// The URL is plain ASCII, reads back as itself, and is the sum of its parts.
  private func isFixedPoint(_ url: WebURL) throws -> Bool {
    let start = "\(url.scheme.rawValue)://"
    let userinfo = url.password.isEmpty ? url.username : "\(url.username):\(url.password)"
    let rest = url.href.dropFirst(start.count)
    let full = userinfo.isEmpty ? url.href : "\(start)\(userinfo)@\(rest)"
    let port = url.port.map { ":\($0)" } ?? ""
    let request = "\(start)\(url.host)\(port)\(url.path)" + (url.query.map { "?\($0)" } ?? "")
    return try WebURL(full) == url && url.href.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && request == url.requestURL && request + (url.fragment.map { "#\($0)" } ?? "") == url.href
      && url.hostKey == "\(url.host)\(port)"
  }
}
