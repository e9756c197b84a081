@testable import Pipeline

/// The jobs of the golden messages.
extension GoldenMessages {
  static let job: Job = {
    var job = Job(batch: batch, ordinal: 41, kind: .decode, input: "https://example.org/api?q=ü")
    job.ref = "key-41"
    job.reading.select = "$.items[*].name"
    job.kept = [KeptColumn("city", "Zürich"), KeptColumn("", "")]
    job.deadline = Moment(unixMilliseconds: 1_700_000_030_000)
    return job
  }()

  static let bareJob: Job = {
    var job = Job(batch: batch, ordinal: 42, kind: .title, input: nil)
    job.refusal = Failure(.missingInput, at: .input, "line 43: no link")
    return job
  }()

  static let order = JobOrder(job: job, lease: Lease(token: token(99), attempt: 2))

  static let readingJob: Job = {
    var job = Self.job
    job.reading = Reading(
      select: nil, require: ["/items:array", "$..name:string|null?", "/ü:any"], unwraps: true)
    return job
  }()

  static let readingOrder = JobOrder(job: readingJob, lease: Lease(token: token(99), attempt: 2))

  static let echo: JobOrder = {
    let job = Job(batch: batch, ordinal: 43, kind: .echo, input: "http://ping.invalid/")
    var order = JobOrder(job: job, lease: Lease(token: token(100), attempt: 1))
    order.trace = [
      TracePoint(role: .aggregator, microseconds: 1_700_000_000_000_001),
      TracePoint(role: .fetcher, microseconds: 1_700_000_000_000_302),
    ]
    return order
  }()

  static let embedJob: Job = {
    var job = Self.bareJob
    (job.input, job.refusal, job.reading.wantsEmbed) = ("https://example.org/page", nil, true)
    return job
  }()

  static let wishesJob: Job = {
    var job = readingJob
    (job.reading.select, job.reading.wantsEmbed) = ("/ü", true)
    return job
  }()

  static let runJob: Job = {
    var job = Job(batch: batch, ordinal: 44, kind: .run, input: "users.json")
    job.reading.recipe = #"{"steps":{"ü":{"call":"{+base}/users"}},"output":"$ü"}"#
    job.reading.parameters = ["base=https://example.org", "details=no"]
    return job
  }()

  static let callOrder: JobOrder = {
    var job = Job(
      batch: .calls(of: runJob.id, life: 1), ordinal: 2, kind: .decode, input: "https://example.org/users")
    (job.ref, job.reading.call) = ("ü", #"{"select":"/data","next":{"link":"next"}}"#)
    return JobOrder(job: job, lease: Lease(token: token(101), attempt: 1))
  }()
}
