import JSONQuery
import Pipeline
import Testing

@testable import HalyardCLI

@Suite struct CSVRoundTripTests {
  /// Short texts of the characters that matter to CSV.
  private static func texts(_ count: Int, from alphabet: String) -> [String] {
    var random = FixedRandom(state: 7)
    return (0..<count).map { _ in
      String(
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in alphabet.randomElement(using: &random) }
      )
    }
  }

  @Test func `what the csv writer writes, the csv reader reads`() throws {
    for text in Self.texts(300, from: "ab,\"\n\r é") {
      var json = JSONWriter()
      json.beginObject()
      json.key("title")
      json.string(text)
      json.key("url")
      json.string("u")
      json.endObject()
      let csv = try output(
        ["title", "--format", "csv", "--fields", "title,url"], [String(decoding: json.bytes, as: UTF8.self)])
      let yield = read(csv, as: .csv, keep: ["title"])
      #expect(
        yield.drafts.map(\.kept) == [[KeptColumn("title", text)]], "\(text.debugDescription)")
      #expect(yield.urls == ["u"])
    }
  }

  @Test func `no csv depends on how its bytes arrive`() {
    for text in Self.texts(300, from: "a,\"\n\r ") {
      let bytes = Array("url,b\n\(text)\nx,\(text)".utf8)
      let whole = read([bytes], as: .csv, keep: ["b"])
      #expect(read(bytes.map { [$0] }, as: .csv, keep: ["b"]) == whole, "\(text.debugDescription)")
    }
  }
}
