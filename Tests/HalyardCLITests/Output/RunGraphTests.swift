import Pipeline
import Testing

@testable import HalyardCLI

/// The line of a run's steps.
struct RunGraphTests {
  private static let status = Array(
    #"""
    {"schema":"halyard.status/1","runs":[
      {"job":"a","steps":[{"name":"other","phase":"running","ended":1,"calls":2}]},
      {"job":"01234567-0000-7000-8000-000000000000","steps":[
        {"name":"list","phase":"done","ended":1,"calls":1},{"name":"users","phase":"running","ended":1207,"calls":10000},
        {"name":"names","phase":"waiting","ended":0,"calls":0},{"name":"extra","phase":"skipped","ended":0,"calls":0}]}]}
    """#.utf8)
  private static let job = UUIDv7("01234567-0000-7000-8000-000000000000").map { JobID($0) }

  @Test(arguments: [
    (job, 80, "list ok  users 1,207/10,000  names …  extra skipped"), (job, 16, "list ok  users …"),
    (nil, 80, "other 1/2"),
  ])
  func `a run's steps stand in a line, in the order of the recipe`(job: JobID?, width: Int, line: String) {
    #expect(RunGraph.line(Self.status, of: job, width: width) == line)
  }

  @Test(arguments: ["{}", #"{"runs":[]}"#, "no JSON"])
  func `what is not known is not shown`(status: String) {
    #expect(RunGraph.line(Array(status.utf8), of: nil, width: 80) == nil)
  }
}
