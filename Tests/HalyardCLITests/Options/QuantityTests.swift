import Testing

@testable import HalyardCLI

@Suite struct QuantityTests {
  static let times: [(text: String, milliseconds: Int64?)] = [
    ("30", 30_000), ("0", 0), ("500ms", 500), ("30s", 30_000), ("2m", 120_000), ("1h", 3_600_000),
    ("1.5s", 1_500), ("0.25", 250), ("1.5m", 90_000), ("0.0001s", nil), ("0.5ms", nil), ("", nil), ("s", nil),
    ("-1s", nil), ("1 s", nil), ("1S", nil), ("1d", 86_400_000), ("1w", nil), ("1.2.3s", nil), ("1.s", nil),
    (".5s", nil),
    ("1m30s", nil), ("9223372036854775807h", nil), ("99999999999999999999", nil), ("0.1234567890s", nil),
    ("٣s", nil),
  ]

  @Test(arguments: times)
  func `a time is a number with ms, s, m, h or d`(row: (text: String, milliseconds: Int64?)) {
    #expect(Quantity.milliseconds(row.text) == row.milliseconds)
  }

  static let sizes: [(text: String, bytes: Int64?)] = [
    ("0", 0), ("65536", 65_536), ("100B", 100), ("64K", 65_536), ("64KiB", 65_536), ("64kib", 65_536),
    ("8MiB", 8_388_608), ("1M", 1_048_576), ("1G", 1 << 30), ("1.5K", 1_536), ("0.3K", nil), ("8MB", nil),
    ("", nil), ("K", nil), ("-1K", nil), ("1T", nil), ("9223372036854775807K", nil),
  ]

  @Test(arguments: sizes)
  func `a size is a number with K, M or G`(row: (text: String, bytes: Int64?)) {
    #expect(Quantity.bytes(row.text) == row.bytes)
  }

  @Test(arguments: [0, 1, 500, 1_000, 1_500, 90_000, 120_000, 3_600_000, 86_400_000] as [Int64])
  func `a time is written so that it reads back`(milliseconds: Int64) {
    #expect(Quantity.milliseconds(Quantity.duration(milliseconds)) == milliseconds)
  }

  @Test(arguments: [0, 1, 1_000, 1_024, 65_536, 1_048_576, 1_048_577, 1 << 30] as [Int64])
  func `a size is written so that it reads back`(bytes: Int64) {
    #expect(Quantity.bytes(Quantity.byteSize(bytes)) == bytes)
  }

  @Test(
    arguments: [
      ("20%", 20), ("20", 20), ("0", 0), ("300%", 300), ("", nil), ("%", nil), ("-1%", nil), ("2.5%", nil),
      ("20 %", nil), ("301%", nil),
    ] as [(String, Int64?)])
  func `a share is a whole number, with or without its sign`(text: String, percent: Int64?) throws {
    guard let percent else {
      #expect(throws: ValueProblem.self) { try Measure.share.read(text, in: 0...300) }
      return
    }
    #expect(try Measure.share.read(text, in: 0...300) == percent)
  }
}
