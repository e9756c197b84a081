/// Documents to measure with: the same in every run, each of a few megabytes.
enum SampleDocument: String, CaseIterable {
  /// A list of objects as APIs send it, without white space.
  case api
  /// The same with indents.
  case pretty
  case numbers
  case strings
  /// Strings of which most characters are not ASCII.
  case unicode
  /// Objects and arrays a hundred inside each other.
  case deep
  /// One object of many members.
  case wide

  var bytes: [UInt8] {
    var random = SmallGenerator()
    return Array(text(using: &random).utf8)
  }

  private func text(using random: inout SmallGenerator) -> String {
    switch self {
    case .api: list(10_000) { random.record($0, break: "", colon: ":") }
    case .pretty: list(10_000) { random.record($0, break: "\n    ", colon: ": ") }
    case .numbers: list(200_000) { _ in random.number() }
    case .strings:
      list(20_000) { _ in
        "\"\(random.words(5 + random.below(30), of: plainWords))\(random.below(8) == 0 ? #"\n\u00e9"# : "")\""
      }
    case .unicode: list(20_000) { _ in "\"\(random.words(5 + random.below(20), of: otherWords))\"" }
    case .deep:
      list(2_000) { _ in
        String(repeating: "{\"a\":[", count: 100) + "1" + String(repeating: "]}", count: 100)
      }
    case .wide:
      "{"
        + (0..<100_000).map { "\"key_\($0)\":{\"id\":\($0),\"on\":\(random.below(2) == 0),\"x\":null}" }
        .joined(separator: ",") + "}"
    }
  }

  private func list(_ count: Int, _ element: (Int) -> String) -> String {
    "[\((0..<count).map(element).joined(separator: ","))]"
  }
}

private let plainWords = ["lorem", "ipsum", "dolor", "sit", "amet", "consectetur"]
private let otherWords = ["größe", "日本語", "Ελλάδα", "plain"]

private struct SmallGenerator {
  private var state: UInt64 = 42

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }

  mutating func words(_ count: Int, of words: [String]) -> String {
    (0..<count).map { _ in words[below(words.count)] }.joined(separator: " ")
  }

  mutating func number() -> String {
    below(2) == 0 ? "\(below(1_000_000))" : "-\(below(180)).\(below(1_000_000_000))"
  }

  mutating func record(_ id: Int, break: String, colon: String) -> String {
    let word = words(1, of: plainWords)
    let members = [
      ("id", "\(id)"), ("name", "\"\(words(2, of: plainWords))\""), ("email", "\"\(word)\(id)@example.org\""),
      ("price", number()), ("active", "\(below(2) == 0)"), ("tags", "[\"\(word)\",\"\(word)\"]"),
      ("geo", "{\"lat\"\(colon)\(number()),\"lng\"\(colon)\(number())}"),
      ("url", "\"https://example.org/items/\(id)?ref=\(word)\""), ("deleted_at", "null"),
    ]
    return "\(`break`){\(members.map { "\(`break`)\"\($0.0)\"\(colon)\($0.1)" }.joined(separator: ","))}"
  }
}
