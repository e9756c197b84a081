import Pipeline
import PipelineTesting
import Testing

struct IdentifierTests {
  private static let moment = Moment(unixMilliseconds: 0x018B_CFE5_6800)

  @Test func `an id shows its time, its version and its variant`() {
    let id = UUIDv7(at: Self.moment, uniqueHigh: 0xABC, uniqueLow: 0x0DEF_0123_4567_89AB)
    #expect(id.description == "018bcfe5-6800-7abc-8def-0123456789ab")
  }

  @Test(arguments: [0, 1, 0x0FFF, 0x7FFF, .max] as [UInt16], [0, 1, 1 << 62, 1 << 63, .max] as [UInt64])
  func `unique bits never touch version and variant`(high: UInt16, low: UInt64) {
    let id = UUIDv7(at: Self.moment, uniqueHigh: high, uniqueLow: low)
    #expect(id.high >> 16 == 0x018B_CFE5_6800)
    #expect(id.high >> 12 & 0xF == 7)
    #expect(id.low >> 62 == 0b10)
    #expect(id.high & 0xFFF == UInt64(high & 0xFFF))
    #expect(id.low << 2 == low << 2)
  }

  @Test func `times before 1970 and after the year 10889 are cut to what fits`() {
    #expect(UUIDv7(at: Moment(unixMilliseconds: -1), uniqueHigh: 0, uniqueLow: 0).high >> 16 == 0)
    #expect(
      UUIDv7(at: Moment(unixMilliseconds: .max), uniqueHigh: 0, uniqueLow: 0).high >> 16 == 0xFFFF_FFFF_FFFF)
  }

  @Test func `ids order as their times, and as their text`() {
    let random = Randomness.seeded(1)
    let ids = (0..<500).map { random.uuid(at: Moment(unixMilliseconds: Int64($0))) }
    #expect(ids == ids.sorted())
    #expect(ids.map(\.description) == ids.map(\.description).sorted())
    #expect(Set(ids).count == ids.count)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `an id reads back from its text`(seed: UInt64) {
    let id = Randomness.seeded(seed).uuid(at: Self.moment)
    #expect(UUIDv7(id.description) == id)
    #expect(UUIDv7(id.description.uppercased()) == id)
    #expect(String(decoding: id.utf8Text, as: UTF8.self) == id.description)
  }

  @Test(arguments: [
    "", "0", "018bcfe5-6800-7abc-8def-0123456789a", "018bcfe5-6800-7abc-8def-0123456789abc",
    "018bcfe5-6800-7abc-8def-0123456789ag", "018bcfe568007abc8def0123456789ab",
    "018bcfe5-6800-7abc-8def_0123456789ab", "018bcfe56-800-7abc-8def-0123456789ab",
    "{018bcfe5-6800-7abc-8def-0123456789ab}", " 018bcfe5-6800-7abc-8def-0123456789ab",
    "018bcfe5-6800-7abc-8def-0123456789a\u{e9}", "018bcfe5-6800-7abc-8def-０123456789",
    "------------------------------------",
    String(repeating: "0", count: 10_000),
  ])
  func `a text that is no id is refused`(text: String) {
    #expect(UUIDv7(text) == nil)
  }
}

struct JobIDTests {
  private static let batch = BatchID(
    UUIDv7(at: Moment(unixMilliseconds: 1), uniqueHigh: .max, uniqueLow: .max))

  @Test func `ids of a batch ascend with the ordinal and are unique`() {
    let ordinals = Array(0..<1_000) + [1 << 20, (1 << 32) - 1, 1 << 32, (1 << 40) - 1] as [UInt64]
    let ids = ordinals.map { JobID(batch: Self.batch, ordinal: $0) }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
  }

  @Test func `an id depends on batch and ordinal alone`() {
    let job = Job(batch: Self.batch, ordinal: 7, kind: .title, input: "http://a.test")
    #expect(job.id == JobID(batch: Self.batch, ordinal: 7))
    #expect(job.id == Job(batch: Self.batch, ordinal: 7, kind: .echo, input: nil).id)
  }

  @Test(arguments: [0, 1, (1 << 40) - 1, .max] as [UInt64])
  func `a job's id is a UUID of version 7 with its batch's time`(ordinal: UInt64) {
    let id = JobID(batch: Self.batch, ordinal: ordinal).uuid
    #expect(id.high == Self.batch.uuid.high)
    #expect(id.low >> 62 == 0b10)
  }

  @Test func `batches of the same millisecond do not share ids`() {
    let random = Randomness.seeded(3)
    let batches = (0..<200).map { _ in BatchID(random.uuid(at: Moment(unixMilliseconds: 5))) }
    let ids = batches.flatMap { batch in (0..<10).map { JobID(batch: batch, ordinal: $0) } }
    #expect(Set(ids).count == ids.count)
  }
}
