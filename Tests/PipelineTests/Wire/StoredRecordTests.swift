import Pipeline
import Testing

struct StoredRecordTests {
  private let failure = Failure(.dns, at: .dns, "no ß", retryable: true, retryAfterMilliseconds: 9)

  private var job: Job {
    var job = Job(batch: BatchID(UUIDv7(high: 1, low: 2)), ordinal: 3, kind: .decode, input: "http://a.test/")
    job.slip = RoutingSlip([.unfurl, .echo])
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
    #expect(try JobRecord.decode(record) == wishes)
    #expect(record.first == 1)
    for length in record.indices {
      #expect(throws: FrameError.self) { try JobRecord.decode(Array(record[..<length])) }
    }
    wishes.reading.wantsEmbed = false
    #expect(JobRecord.encode(wishes) == JobRecord.encode(job))
  }

  @Test func `the place of a link comes back, and takes nothing from the records of jobs without it`() throws
  {
    var placed = job
    placed.origin = LinkOrigin(file: "ü.md", line: 3, column: 1 << 31, text: nil)
    let record = JobRecord.encode(placed)
    #expect(try JobRecord.decode(record) == placed)
    #expect(JobRecord.bytes(of: placed) + 1 == record.count)
    for length in record.indices {
      #expect(throws: FrameError.self) { try JobRecord.decode(Array(record[..<length])) }
    }
    placed.origin = nil
    #expect(JobRecord.encode(placed) == JobRecord.encode(job))
  }

  @Test func `a job and a failure come back as they were stored`() throws {
    #expect(try JobRecord.decode(JobRecord.encode(job)) == job)
    #expect(try FailureRecord.decode(FailureRecord.encode(failure)) == failure)
  }

  @Test func `a record beside its id has what does not follow from that, and comes back`() throws {
    var here = job
    here.batch = BatchID(UUIDv7(high: 0x7000, low: 1 << 63 | 0x12_3456_789A))
    here.id = JobID(batch: here.batch, ordinal: here.ordinal)
    let record = JobRecord.encodeBesideID(here)
    #expect(record.count == JobRecord.encode(here).count - 35)
    #expect(try JobRecord.decode(record, of: here.id) == here)
    for length in record.indices {
      #expect(throws: FrameError.self) { try JobRecord.decode(Array(record[..<length]), of: here.id) }
    }
    #expect(throws: FrameError.malformed("bytes after the record")) {
      try JobRecord.decode(record + [0], of: here.id)
    }
    #expect(throws: FrameError.self) { try JobRecord.decode(record) }
  }

  @Test func `a record whose id tells nothing of its batch is whole`() throws {
    var strange = job
    strange.id = JobID(UUIDv7(high: 9, low: 9))
    let record = JobRecord.encodeBesideID(strange)
    #expect(record == JobRecord.encode(strange))
    #expect(try JobRecord.decode(record, of: strange.id) == strange)
  }

  @Test func `a record that was cut, prolonged or is of another version is refused`() {
    let records = [JobRecord.encode(job), FailureRecord.encode(failure)]
    let decoders: [([UInt8]) throws -> Void] = [
      { _ = try JobRecord.decode($0) }, { _ = try FailureRecord.decode($0) },
    ]
    for (record, decode) in zip(records, decoders) {
      for length in record.indices {
        #expect(throws: FrameError.self) { try decode(Array(record[..<length])) }
      }
      #expect(throws: FrameError.malformed("bytes after the record")) { try decode(record + [0]) }
      #expect(throws: FrameError.otherVersion(major: 2)) { try decode([2] + record.dropFirst()) }
    }
  }
}
