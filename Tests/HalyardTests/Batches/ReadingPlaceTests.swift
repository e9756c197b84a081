import Foundation
import PipelineTesting
import Testing

/// Readers of rows that leave off and go on, against a fleet of processes.
@Suite(.timeLimit(.minutes(10)))
struct ReadingPlaceTests {
  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private func content(_ name: String) -> String {
    (try? String(contentsOfFile: directory.file(name), encoding: .utf8)) ?? ""
  }

  private func lines(_ name: String) -> Int { content(name).count { $0 == "\n" } }

  /// The number of the row up to which a file can be gone on with.
  private func row(in file: String) -> Substring? {
    content("\(file).part.place").split(separator: " ").dropFirst(3).first
  }

  /// Three pages that answer at once, and two that are held.
  private func submitted(to fleet: UpFleet) async throws {
    let paths = (0..<3).map { "/page/\($0)" } + (0..<2).map { "/held/\($0)" }
    let list = paths.map { "\(site.url($0))\n" }.joined()
    let end = try await Child(["submit", "-", "--name", "monday"] + fleet.words, input: .text(list)).ended()
    #expect(end.status == 0, "\(end.messages)")
  }

  private func follow(_ file: String, _ fleet: UpFleet) throws -> Child {
    try Child(["results", "monday", "--follow", "-o", directory.file(file)] + fleet.words)
  }

  @Test(arguments: ["rows.jsonl", "rows.csv"])
  func `a reader that was killed goes on where it was`(file: String) async throws {
    let fleet = try await UpFleet(in: directory)
    try await submitted(to: fleet)
    let heading = file.hasSuffix(".csv") ? 1 : 0
    let killed = try follow(file, fleet)
    await until { row(in: file) == "3" }
    #expect(lines("\(file).part") == 3 + heading)
    killed.kill()
    #expect(try await killed.ended().status == 128 + 9)
    #expect(content(file).isEmpty)
    // It may have been killed while it wrote a row.
    let part = try #require(FileHandle(forWritingAtPath: directory.file("\(file).part")))
    try part.seekToEnd()
    try part.write(contentsOf: Data(#"{"half"#.utf8))
    try part.close()

    let next = try follow(file, fleet)
    #expect(await next.messages.holds("halyard: going on after row 3, which is in", silenceAtMost: 60))
    site.release()
    let end = try await next.ended()
    #expect(end.status == 0, "\(end.messages)")
    #expect(lines(file) == 5 + heading)
    for path in ["/page/0", "/page/1", "/page/2", "/held/0", "/held/1"] {
      #expect(content(file).components(separatedBy: "\(site.url(path))").count > 1, "\(path)")
    }
    #expect(!content(file).contains("half"))
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.file(""))
    #expect(left.sorted() == [file, "run"])
    // What is whole is not gone on with.
    let again = try await follow(file, fleet).ended()
    #expect(again.status == 0 && again.messages.isEmpty && lines(file) == 5 + heading)
    try await fleet.stop()
  }

  @Test func `a reader that is interrupted or written otherwise loses no row and doubles none`() async throws
  {
    let fleet = try await UpFleet(in: directory)
    try await submitted(to: fleet)
    let first = try follow("rows", fleet)
    await until { row(in: "rows") == "3" }
    first.interrupt()
    let end = try await first.ended()
    #expect(end.status == 130)
    let part = directory.file("rows.part")
    #expect(end.messages.contains("the rows so far are in \(part); the same command goes on after them\n"))
    // Other fields are other rows.
    let fields = try await Child(
      ["results", "monday", "-o", directory.file("rows"), "--fields", "input"] + fleet.words
    ).ended()
    #expect(fields.status == 0, "\(fields.messages)")
    #expect(fields.messages.contains("2 rows are still to come; wait for them with --follow"))
    #expect(lines("rows") == 3 && content("rows").hasPrefix(#"{"input":"#))
    site.release()
    #expect(try await follow("rows", fleet).ended().status == 0)
    #expect(lines("rows") == 5)
    try await fleet.stop()
  }

  @Test func `rows are printed from a number on, and those to come are counted`() async throws {
    let fleet = try await UpFleet(in: directory)
    try await submitted(to: fleet)
    let watch = try Child(["results", "monday", "--follow", "--after", "2"] + fleet.words)
    try await watch.hasWritten(lines: 1)
    let two = try await Child(["results", "monday", "--after", "2"] + fleet.words).ended()
    #expect(two.status == 0 && two.lines.count == 1)
    #expect(two.messages.contains("the batch is not complete: 2 rows are still to come"))
    site.release()
    let end = try await watch.ended()
    #expect(end.status == 0 && end.lines.count == 3, "\(end.messages)")
    let whole = try await Child(["results", "monday", "--after", "4"] + fleet.words).ended()
    #expect(whole.lines == Array(end.lines.suffix(1)) && whole.messages.isEmpty)
    let beyond = try await Child(["results", "monday", "--after", "9"] + fleet.words).ended()
    #expect(beyond.lines.isEmpty)
    #expect(beyond.messages == "halyard: no row is behind row 9: the last one is row 5\n")
    try await fleet.stop()
  }
}
