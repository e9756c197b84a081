import Testing

@testable import Pipeline

/// What a job wishes, byte by byte.
struct ReadingCodingTests {
  private static let headers: Reading = {
    var reading = Reading()
    (reading.headers, reading.language) = (["A: b", "C:"], "d")
    return reading
  }()

  private static let accepts: Reading = {
    var reading = Reading()
    reading.accepts = ["403", "200..=299"].compactMap { StatusRange($0) }
    return reading
  }()

  private static let table: [(reading: Reading, bytes: [UInt8])] = [
    (Reading(), []),
    (Reading(select: ""), [0xCB, 0]),
    (Reading(select: "/a"), [0xCB, 2, 0x2F, 0x61]),
    (Reading(unwraps: true), [0x8D, 1]),
    (headers, [0xD2, 4] + Array("A: b".utf8) + [0xD2, 2] + Array("C:".utf8) + [0xD3, 1, 0x64]),
    (accepts, [0xD4, 3] + Array("403".utf8) + [0xD4, 9] + Array("200..=299".utf8)),
    (
      Reading(select: "/a", require: ["b", ""], unwraps: true, wantsEmbed: true),
      [0xCB, 2, 0x2F, 0x61, 0xCC, 1, 0x62, 0xCC, 0, 0x8D, 1, 0x8E, 1]
    ),
  ]

  private static func job(_ reading: Reading) -> Job {
    var job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 0, kind: .decode, input: "a")
    job.reading = reading
    return job
  }

  /// The record of a job that wishes nothing, with its wishes.
  private func record(_ wishes: [UInt8]) -> [UInt8] {
    JobRecord.encode(Self.job(Reading())).dropLast() + wishes + [0]
  }

  private func read(_ wishes: [UInt8]) throws -> Reading {
    try JobRecord.decode(record(wishes), of: Self.job(Reading()).id).reading
  }

  @Test func `each wish is written once, and read`() throws {
    for (reading, bytes) in Self.table {
      #expect(JobRecord.encode(Self.job(reading)) == record(bytes))
      #expect(try read(bytes) == reading)
    }
  }

  @Test func `a wish of later is passed over when it says so, and refuses the job when not`() throws {
    #expect(try read([0x8E, 1, 0x5D, 2, 0xFF, 0xFE]) == Reading(wantsEmbed: true))
    #expect(throws: FrameError.unknownField(29)) { try read([0x8E, 1, 0xDD, 2, 0xFF, 0xFE]) }
  }

  @Test(
    arguments: [
      [0xCB], [0xCB, 2, 0x61], [0xCB, 1, 0xFF], [0x8D, 2], [0xD4, 2, 0x34, 0x30], [0xCB, 0xFF, 0xFF, 0xFF],
      [0x8B, 1],
    ] as [[UInt8]])
  func `what is broken is refused`(bytes: [UInt8]) {
    #expect(throws: FrameError.self) { try read(bytes) }
  }
}
