import Foundation
import Pipeline
import Roles
import Testing

@testable import HalyardCLI

/// Several files of links, one after the other.
@Suite struct SeveralInputsTests {
  private let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appending(path: "inputs-\(UUID())")

  private func plan(_ files: [(name: String, text: String)], keep: [String] = []) throws -> InputPlan {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let paths = try files.map { file in
      let path = folder.appending(path: file.name)
      try Data(file.text.utf8).write(to: path)
      return path.path
    }
    return InputPlan(
      paths.map { .file($0) }, columns: CSVColumns.Wish(keep: keep))
  }

  private func jobs(_ plan: InputPlan) throws -> [JobDraft] {
    defer { try? FileManager.default.removeItem(at: folder) }
    var source = try plan.open()
    var jobs: [JobDraft] = []
    while case let burst = try source.nextBurst(limit: 3), !burst.isEmpty { jobs += burst }
    #expect(source.fractionRead == 1)
    return jobs
  }

  @Test func `files follow each other, each in its own format, and messages name the file`() throws {
    let plan = try plan([
      ("a.txt", "https://a.test/\nhttps://b.test/"), ("none.txt", "\n"),
      ("b.csv", "id;url\n1;https://c.test/\n2;\n"),
      ("c.jsonl", "{\"url\":\"https://d.test/\"}\nx\n"),
    ])
    let jobs = try jobs(plan)
    #expect(
      jobs.map(\.input) == [
        "https://a.test/", "https://b.test/", "https://c.test/", nil, "https://d.test/", nil,
      ])
    #expect(jobs.map(\.source) == [0, 0, 2, 2, 3, 3])
    #expect(jobs.map(\.line) == [1, 2, 2, 3, 1, 2])
    #expect(
      jobs.compactMap(\.refusal?.message) == [
        "line 3 of \(folder.path)/b.csv, column 'url' has no link",
        "line 2 of \(folder.path)/c.jsonl is not JSON: expected a value at byte 0",
      ])
    #expect(plan.place(line: 7, source: 3) == "line 7 of \(folder.path)/c.jsonl")
  }

  @Test func `all columns are those of the first file, and another one is refused`() throws {
    let same = try plan([("a.csv", "url,x\nu,1\n"), ("b.csv", "x,url\n2,v\n")], keep: ["all"])
    #expect(try jobs(same).map(\.kept) == [[KeptColumn("x", "1")], [KeptColumn("x", "2")]])
    let other = try plan([("a.csv", "url,x\nu,1\n"), ("b.csv", "y,url\n2,v\n")], keep: ["all"])
    let fault = #expect(throws: InputError.self) { try jobs(other) }
    #expect(
      fault?.problem == "the column 'y' is not in the first input; name the columns to keep instead of all")
  }

  @Test func `a place in a batch is found again`() {
    var map = LineMap()
    for (line, source) in [(1, 0), (2, 0), (5, 0), (1, 1), (2, 1)] { map.add(line: line, source: source) }
    #expect((0..<5).map { map.place(of: $0).line } == [1, 2, 5, 1, 2])
    #expect((0..<5).map { map.place(of: $0).source } == [0, 0, 0, 1, 1])
  }
}
