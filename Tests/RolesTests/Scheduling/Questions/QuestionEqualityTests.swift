import Pipeline
import Testing

@testable import Roles

/// Which jobs are the same question to those that do it once, and to those that keep its answer.
@Suite struct QuestionEqualityTests {
  private static let changes: [(name: String, change: @Sendable (inout Reading) -> Void)] = [
    ("select", { $0.select = "/a" }), ("require", { $0.require = ["/a:any"] }),
    ("unwraps", { $0.unwraps = true }), ("wantsEmbed", { $0.wantsEmbed = true }),
    ("call", { $0.call = #"{"select":"/a"}"# }), ("recipe", { $0.recipe = "{}" }),
    ("parameters", { $0.parameters = ["/a:any"] }), ("headers", { $0.headers = ["/a:any"] }),
    ("language", { $0.language = "/a" }),
    ("accepts", { $0.accepts = [StatusRange("404")].compactMap(\.self) }),
  ]

  private func job(_ kind: JobKind = .decode, _ link: String = "http://a.test/", _ reading: Reading) -> Job {
    var job = Job(batch: BatchID(UUIDv7(high: 1, low: 1)), ordinal: 0, kind: kind, input: link)
    job.reading = reading
    return job
  }

  @Test func `every wish of a reading makes another question`() throws {
    #expect(Mirror(reflecting: Reading()).children.map(\.label) == Self.changes.map(\.name))
    var readings = [Reading()]
    for (_, change) in Self.changes {
      var reading = Reading()
      change(&reading)
      readings.append(reading)
      var other = readings[1]
      change(&other)
      if other != readings[1] { readings.append(other) }
    }
    let questions = try readings.map { try #require(Question(job(.decode, $0))) }
    #expect(Set(questions).count == readings.count)
    #expect(Set(questions.map { $0.key(settings: 0) }).count == readings.count)
  }

  private func job(_ kind: JobKind, _ reading: Reading) -> Job { job(kind, "http://a.test/", reading) }

  static let pairs: [(Reading, Reading)] = [
    // The same letter to a reader, and to Swift; two members to JSON.
    (Reading(select: "/\u{E9}"), Reading(select: "/e\u{301}")),
    (Reading(select: "/%c3%a9"), Reading(select: "/\u{E9}")),
    (Reading(require: ["a", "b"]), Reading(require: ["a\",\"b"])),
    (Reading(require: ["a"]), Reading(require: ["a", "a"])),
  ]

  @Test(arguments: pairs)
  func `wishes that only look the same are two questions`(one: Reading, other: Reading) throws {
    let questions = try [one, other].map { try #require(Question(job(.decode, $0))) }
    #expect(questions[0] != questions[1])
    #expect(questions[0].key(settings: 0) != questions[1].key(settings: 0))
  }

  @Test func `the same wish in other jobs is the same question`() throws {
    let reading = Reading(select: "/a", require: ["/b:any"])
    var other = job(.decode, "HTTP://A.TEST:80/x/..", reading)
    other.ref = "mine"
    let questions = try [job(.decode, reading), other].map { try #require(Question($0)) }
    #expect(questions[0] == questions[1])
    #expect(questions[0].key(settings: 3) == questions[1].key(settings: 3))
    #expect(questions[0].key(settings: 3) != questions[0].key(settings: 4))
  }
}
