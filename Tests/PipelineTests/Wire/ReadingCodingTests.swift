import Testing

@testable import Pipeline

/// What a job wishes, byte by byte.
struct ReadingCodingTests {
  private static let headers: Reading = {
    var reading = Reading()
    (reading.headers, reading.language) = (["A: b", "C:"], "d")
    return reading
  }()

  private static let table: [(reading: Reading, bytes: [UInt8])] = [
    (Reading(), [0]),
    (Reading(select: ""), [1, 0, 0, 0, 0, 0]),
    (Reading(select: "/a"), [1, 2, 0, 0, 0, 0x2F, 0x61, 0]),
    (Reading(unwraps: true), [3, 0, 0, 0, 0, 0]),
    (
      headers,
      [8, 4, 0, 0, 0] + Array("A: b".utf8) + [8, 2, 0, 0, 0] + Array("C:".utf8) + [9, 1, 0, 0, 0, 0x64, 0]
    ),
    (Reading(wantsEmbed: true), [4, 0, 0, 0, 0, 0]),
    (
      Reading(select: "/a", require: ["b", ""], unwraps: true, wantsEmbed: true),
      [
        1, 2, 0, 0, 0, 0x2F, 0x61, 2, 1, 0, 0, 0, 0x62, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0,
      ]
    ),
  ]

  @Test func `accepted statuses travel, and what is no status is refused`() throws {
    var reading = Reading()
    reading.accepts = ["403", "200..=299"].compactMap { StatusRange($0) }
    var writer = ByteWriter()
    writer.reading(reading, origin: nil)
    let bytes: [UInt8] =
      [10, 3, 0, 0, 0] + Array("403".utf8) + [10, 9, 0, 0, 0] + Array("200..=299".utf8) + [0]
    #expect(writer.bytes == bytes)
    #expect(try read(bytes) == reading)
    #expect(throws: FrameError.malformed("accepted statuses")) {
      try read([10, 2, 0, 0, 0] + Array("40".utf8) + [0])
    }
  }

  private func read(_ bytes: [UInt8]) throws -> Reading {
    var reader = ByteReader(bytes[...])
    let (reading, origin) = try reader.reading()
    #expect(reader.isAtEnd)
    #expect(origin == nil)
    return reading
  }

  @Test func `each wish is written once, and read`() throws {
    for (reading, bytes) in Self.table {
      var writer = ByteWriter()
      writer.reading(reading, origin: nil)
      #expect(writer.bytes == bytes)
      #expect(try read(bytes) == reading)
    }
  }

  @Test func `what is cut is refused`() {
    for (_, bytes) in Self.table {
      for length in bytes.indices {
        #expect(throws: FrameError.self) { try read(Array(bytes[..<length])) }
      }
    }
  }

  @Test func `wishes may come in any order`() throws {
    #expect(try read([3, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0x2F, 0]) == Reading(select: "/", unwraps: true))
  }

  @Test func `a wish of later is passed over when its top bit says so, and refuses the job when not`() throws
  {
    let later: [UInt8] = [2, 0, 0, 0, 0xFF, 0xFE]
    #expect(try read([0x85] + later + [4, 0, 0, 0, 0, 0]) == Reading(wantsEmbed: true))
    #expect(throws: FrameError.malformed("wish")) {
      try read([0x45] + later + [4, 0, 0, 0, 0, 0])
    }
  }

  @Test(
    arguments: [
      [], [4], [0xFF], [4, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0xFF, 0], [0x85, 9, 0, 0, 0],
      [1, 255, 255, 255, 255, 4],
    ] as [[UInt8]])
  func `what is broken is refused`(bytes: [UInt8]) {
    #expect(throws: FrameError.self) { try read(bytes) }
  }
}
