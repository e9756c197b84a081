import Testing

@testable import HalyardCLI

@Suite struct GzipInputTests {
  /// What `printf 'https://a.test/\nhttps://b.test/\n' | gzip -n` writes.
  static let compressed: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xCB, 0x28, 0x29, 0x29,
    0x28, 0xB6, 0xD2, 0xD7, 0x4F, 0xD4, 0x2B, 0x49, 0x2D, 0x2E, 0xD1, 0xE7, 0xCA, 0x80,
    0xF2, 0x93, 0xA0, 0x7C, 0x00, 0xCA, 0x22, 0x6F, 0xBF, 0x20, 0x00, 0x00, 0x00,
  ]

  @Test func `what gzip has compressed is recognised by its first bytes`() {
    #expect(read([Self.compressed]).urls == ["https://a.test/", "https://b.test/"])
  }

  @Test func `members follow each other, and zero bytes behind them are padding`() {
    let yield = read([gzip("https://a.test/\nhttps") + gzip("://b.test/\n") + [0, 0, 0] + gzip("c") + [0]])
    #expect(yield.urls == ["https://a.test/", "https://b.test/", "c"])
    #expect(yield.fault == nil)
  }

  static let faults: [(name: String, bytes: [UInt8], problem: String)] = [
    ("cut off in the data", Array(gzip("https://a.test/\nhttps://b.test/\n").dropLast(20)), "ends too early"),
    ("cut off in the trailer", Array(gzip("https://a.test/\n").dropLast(1)), "ends too early"),
    ("cut off in the header", [0x1F, 0x8B, 8], "ends too early"),
    ("wrong checksum", gzip("https://a.test/\n", checksumOff: true), "is corrupt: incorrect data check"),
    ("no gzip method", [0x1F, 0x8B, 9, 0, 0], "is corrupt: unknown compression method"),
    ("garbage behind", gzip("https://a.test/\n") + [1, 2, 3, 4], "is corrupt: incorrect header check"),
  ]

  @Test(arguments: faults)
  func `broken gzip is an error that names the file`(
    row: (name: String, bytes: [UInt8], problem: String)
  ) {
    #expect(read([row.bytes]).fault == InputError("links", "the gzip data \(row.problem)"))
  }

  @Test func `complete lines before the break are delivered`() {
    #expect(read([Array(gzip("https://a.test/\nhttps://b.test/\nhttps://c").dropLast(3))]).urls.count == 2)
    #expect(read([gzip("https://a.test/\n", checksumOff: true)]).urls == ["https://a.test/"])
  }

  @Test func `CSV and JSONL come compressed too`() {
    #expect(read([gzip("{\"url\":\"https://a.test/\"}\n")]).urls == ["https://a.test/"])
    #expect(read([gzip("url\nhttps://a.test/\n")], as: .csv).urls == ["https://a.test/"])
  }
}
