import Assembly
import PipelineTesting
import Posix
import Testing

@testable import HalyardCLI

@Suite(.timeLimit(.minutes(10)))
struct FleetStartTests {
  private let directory: TemporaryDirectory
  private let home: RunDirectory

  init() throws {
    directory = try TemporaryDirectory()
    home = try RunDirectory(checking: directory.path)
  }

  @Test func `a start is read as it was saved`() throws {
    let start = FleetStart(
      words: ["--fetchers", "2", "--", "--retries", ""],
      environment: ["HALYARD_LEDGER": "a=b", "PATH": "/bin"])
    #expect(try FleetStart(keptIn: home) == nil)
    try start.keep(in: home)
    #expect(try FleetStart(keptIn: home) == start)
    #expect(start.variables == ["HALYARD_LEDGER=a=b"])
    #expect(
      start.environment(in: ["HALYARD_X": "1", "TZ": "UTC"]) == ["HALYARD_LEDGER": "a=b", "TZ": "UTC"])
  }

  @Test(arguments: [
    "", "1", "1\0/\0end\0", "2\0/\0--a\0end\0", "1\0/\0--a\0en", "-1\0/\0end\0", "x\0/\0end\0",
  ])
  func `a file that was cut or damaged is no start`(text: String) throws {
    try home.safe.replacing("fleet.options").writeAll(Array(text.utf8))
    #expect(try FleetStart(keptIn: home) == nil)
  }
}
