import Pipeline
import Testing

struct StoredRecordTests {
  private let failure = Failure(.dns, at: .dns, "no ß", retryable: true, retryAfterMilliseconds: 9)

  private var job: Job {
    var job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .decode, input: "http://a.test/")
    job.ref = "r"
    job.kept = [KeptColumn("a", "1"), KeptColumn("", "")]
    job.reading = Reading(select: "/x", require: ["/x:string", "/y:any?"], unwraps: true)
    job.deadline = Moment(unixMilliseconds: 7)
    job.refusal = failure
    return job
  }

  @Test func `a wish of any kind comes back, and takes nothing from the records of jobs without it`() throws {
    var wishes = job
    wishes.reading.wantsEmbed = true
    let record = JobRecord.encode(wishes)
    #expect(try JobRecord.decode(record, of: job.id) == wishes)
    #expect(record.first == 1)
    for length in record.indices {
      #expect(throws: FrameError.self) { try JobRecord.decode(Array(record[..<length]), of: job.id) }
    }
    wishes.reading.wantsEmbed = false
    #expect(JobRecord.encode(wishes) == JobRecord.encode(job))
  }

  @Test func `the place of a link comes back, and takes nothing from the records of jobs without it`() throws
  {
    var placed = job
    placed.origin = LinkOrigin(file: "ü.md", line: 3, column: 1 << 31, text: nil)
    let record = JobRecord.encode(placed)
    #expect(try JobRecord.decode(record, of: job.id) == placed)
    #expect(JobRecord.bytes(of: placed) - 30 == record.count)
    for length in record.indices {
      #expect(throws: FrameError.self) { try JobRecord.decode(Array(record[..<length]), of: job.id) }
    }
    placed.origin = nil
    #expect(JobRecord.encode(placed) == JobRecord.encode(job))
  }

  @Test func `a job and a failure come back as they were stored`() throws {
    #expect(try JobRecord.decode(JobRecord.encode(job), of: job.id) == job)
    #expect(try FailureRecord.decode(FailureRecord.encode(failure)) == failure)
  }

  @Test(arguments: [1 << 63 | 0x12_3456_789A, 0x12_3456_789A, .max] as [UInt64])
  func `a record has what does not follow from the job's id, and comes back`(low: UInt64) throws {
    let here = Job(
      batch: BatchID(UUIDv7(high: 0x7000, low: low)), ordinal: 3, kind: .title, input: "http://a.test/")
    let record = JobRecord.encode(here)
    #expect(record.count == JobRecord.bytes(of: here) - 30)
    #expect(try JobRecord.decode(record, of: here.id) == here)
    #expect(JobRecord.kind(in: record) == .title)
  }

  @Test func `a wait of less than no time is none`() throws {
    let odd = Failure(.timeout, at: .connect, "late", retryAfterMilliseconds: -1)
    #expect(try FailureRecord.decode(FailureRecord.encode(odd)).retryAfterMilliseconds == nil)
  }

  @Test func `a record that was cut, prolonged or is of another version is refused`() {
    let records = [JobRecord.encode(job), FailureRecord.encode(failure)]
    let decoders: [([UInt8]) throws -> Void] = [
      { [id = job.id] in _ = try JobRecord.decode($0, of: id) }, { _ = try FailureRecord.decode($0) },
    ]
    for (record, decode) in zip(records, decoders) {
      for length in record.indices {
        #expect(throws: FrameError.self) { try decode(Array(record[..<length])) }
      }
      #expect(throws: FrameError.self) { try decode(record + [0]) }
      #expect(throws: FrameError.otherVersion(major: 2)) { try decode([2] + record.dropFirst()) }
    }
  }
}
