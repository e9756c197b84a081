import JSONQuery
import Pipeline
import Roles
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
        yield.jobs.map(\.kept) == [[KeptColumn("title", text)]], "\(text.debugDescription)")
      #expect(yield.urls == ["u"])
    }
  }

  @Test func `own rows fed back are the same jobs, in every format`() throws {
    for text in Self.texts(200, from: "ab,\"\n\r\t\\; é'") {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "halyard.result/1")
      json.member("input", "https://a.test/\(text.filter { $0 == "\\" || $0 == "\t" })x")
      json.member("url", "https://b.test/")
      json.beginObject("kept")
      json.member("note", text)
      json.endObject()
      json.endObject()
      let row = String(decoding: json.bytes, as: UTF8.self)
      let keep = ["--keep", "note"]
      let outputs = [
        (try output(["title", "--format", "jsonl"], [row]), InputFormat.jsonl, [] as [String]),
        (try output(["title", "--format", "csv"] + keep, [row]), .csv, ["note"]),
        (try output(["title", "--format", "tsv"] + keep, [row]), .tsv, ["note"]),
      ]
      let wanted = try JSONDocument(parsing: json.bytes).root["input"]?.string
      for (printed, format, keep) in outputs {
        let yield = read(printed, as: format, keep: keep)
        #expect(yield.urls == [wanted], "\(format) \(text.debugDescription)")
        #expect(
          yield.jobs.map(\.kept) == [[KeptColumn("note", text)]], "\(format) \(text.debugDescription)")
        #expect(read(printed, keep: keep).urls == yield.urls)
      }
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
