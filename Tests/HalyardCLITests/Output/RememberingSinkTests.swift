import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

/// Files that remember how far a batch was read into them.
struct RememberingSinkTests {
  private let directory: TemporaryDirectory
  private let batch = BatchID(UUIDv7(high: 0x7000, low: 1 << 63 | 1))

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func sink(_ batch: BatchID? = nil, wish: String = "jsonl") throws -> ReplacingSink {
    try #require(try ReplacingSink(directory.file("rows"), reading: batch ?? self.batch, wish: wish))
  }

  private func row(_ number: UInt64, _ text: String = "{}") -> NumberedRow {
    NumberedRow(number: number, ordinal: number, failure: nil, json: Array(text.utf8))
  }

  /// A reader that was killed after its second row.
  private func leave() throws {
    let sink = try sink()
    try sink.goOn(from: nil)
    for number in [1, 7] as [UInt64] {
      try sink.write(Array("row \(number)\n".utf8))
      try sink.remember(row(number))
    }
    try sink.write(Array("half".utf8))
  }

  @Test func `the place of the last row that is whole is remembered, and nothing behind it is kept`() throws {
    try leave()
    let next = try sink()
    let place = try #require(next.place)
    #expect(place.number == 7 && place.bytes == 12)
    try next.goOn(from: place)
    try next.write(Array("row 8\n".utf8))
    try next.finish()
    let bytes = try Descriptor.reading(path: directory.file("rows")).readChunk()
    #expect(String(decoding: bytes, as: UTF8.self) == "row 1\nrow 7\nrow 8\n")
    #expect(try sink().place == nil)
  }

  @Test func `a place is of one batch, one form and one row`() throws {
    try leave()
    #expect(try sink(BatchID(UUIDv7(high: 0x7000, low: 1 << 63 | 2))).place == nil)
    #expect(try sink(wish: "csv").place == nil)
    let place = try #require(try sink().place)
    #expect(place.isOf(row(7)) && !place.isOf(row(8)) && !place.isOf(row(7, "{\"other\":1}")))
  }

  @Test func `a place beyond the file, or one that is not whole, is none`() throws {
    try leave()
    let note = directory.file("rows.part.place")
    let whole = try Descriptor.reading(path: note).readChunk()
    for bytes in [Array(whole.prefix(60)), [], Array("no place\n".utf8)] {
      try Descriptor.writing(path: note).writeAll(bytes)
      #expect(try sink().place == nil)
    }
    try Descriptor.writing(path: note).writeAll(whole)
    try Descriptor.writing(path: directory.file("rows.part")).writeAll(Array("short".utf8))
    #expect(try sink().place == nil)
  }

  @Test func `rows that can be gone on with are kept when a reader breaks off`() throws {
    try leave()
    #expect(try sink().breakOff(keepingRows: false) == directory.file("rows.part"))
    let begun = try sink()
    try begun.goOn(from: nil)
    #expect(begun.breakOff(keepingRows: false) == nil)
    #expect(try sink().place == nil)
  }
}
