import FoundationEssentials
import HalyardConcurrency
import HalyardTesting
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Halyard

/// What logs, metrics and traces see of a client.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ObserverTests {
  /// Counts the ends of each call.
  private final class Watch: CallObserver {
    let begun = Lock(0)
    let reports = Lock<[String: [CallReport]]>([:])

    func callBegan(_ call: ObservedCall) -> CallEnd? {
      begun.withLock { $0 += 1 }
      return { [self] report in reports.withLock { $0[call.link, default: []].append(report) } }
    }
  }

  private static let site = StubSite([
    "http://sho.rt/x": .redirect(to: "https://example.org/"),
    "https://example.org/": .page("<title>Example</title>"),
    "https://example.org/3": .json("3"),
  ])

  @Test func `the adapters of the documentation log, count, time and trace each call`() async throws {
    let logger = Logger(label: "links")
    let client = try HalyardClient(
      .forTests, stub: Self.site, observers: [LogCalls(logger: logger), MeasureCalls(), TraceCalls()])
    let parent = TestSpan("request")
    try await TestSpan.$current.withValue(parent) {
      _ = try await client.title("http://sho.rt/x").get()
      _ = await client.unfurl("http://nowhere.test/").result()
    }
    try await client.end()
    let failed = "dns at connect: fetch http://nowhere.test/: no such host in the stub"
    let lines = Seen.lines.withLock { $0 }.filter { $0.contains("call failed") }
    #expect(lines == ["links warning call failed error=\(failed) link=http://nowhere.test/"])
    let counted = ["kind=title outcome=ok": 1, "kind=unfurl outcome=dns": 1]
    #expect(Seen.counts.withLock { $0 } == Dictionary(named("halyard_calls", counted)) { $1 })
    #expect(Seen.times.withLock { $0 } == Dictionary(named("halyard_call_time", counted)) { $1 })
    let spans = Seen.spans.withLock { $0 }
    #expect(spans.map(\.name) == ["halyard title", "halyard unfurl"])
    #expect(spans.allSatisfy { $0.parent === parent && $0.ends == 1 })
    #expect(spans.map(\.status) == [nil, .error])
    #expect(spans.first?.attributes == ["url.full": .string("http://sho.rt/x")])
  }

  private func named(_ label: String, _ counts: [String: Int]) -> [(String, Int)] {
    counts.map { ("\(label) \($0.key)", $0.value) }
  }

  @Test func `a report says where the link led, and whether the answer was cached`() async throws {
    var settings = ClientSettings.forTests
    settings.cache = ClientSettings.Cache(answers: .seconds(3_600))
    let watch = Watch()
    let client = try HalyardClient(settings, stub: Self.site, observers: [watch])
    for _ in 0..<2 { _ = try await client.title("http://sho.rt/x").get() }
    _ = await client.decode(String.self, from: "https://example.org/3").result()
    try await client.end()
    let mismatch = watch.reports.withLock { $0["https://example.org/3"]?.first }
    #expect(mismatch?.error?.kind == .decodeMismatch)
    #expect(mismatch?.url == "https://example.org/3" && mismatch?.status == 200)
    let reports = watch.reports.withLock { $0["http://sho.rt/x"] ?? [] }
    #expect(reports.map(\.isCached) == [false, true])
    #expect(reports.allSatisfy { $0.url == "https://example.org/" && $0.status == 200 && $0.error == nil })
  }

  @Test func `each call ends once for its observers, however it ends`() async throws {
    let watch = Watch()
    let client = try HalyardClient(
      .forTests,
      stub: StubSite { _ in
        await Task.yield()
        return .page("<title>A page</title>")
      }, observers: [watch])
    let tally = Tally(count: 2_000)
    let kinds = Lock<[String: HalyardError.Kind?]>([:])
    for number in 0..<tally.count {
      let link = "http://host\(number % 50).test/\(number)"
      let handle = client.title(link).call { result in
        kinds.withLock { $0[link] = result.failure?.kind }
        tally.add(result, to: number)
      }
      if number % 3 == 0 { handle.cancel() }
    }
    try await tally.waitForAll()
    try await client.end()
    let reports = watch.reports.withLock { $0 }
    #expect(watch.begun.withLock { $0 } == tally.count)
    #expect(reports.count == tally.count && reports.values.allSatisfy { $0.count == 1 })
    let cancelled = reports.filter { $0.value[0].error?.kind == .cancelled }
    #expect(!cancelled.isEmpty && cancelled.count < tally.count)
  }

  @Test func `the log of the pipeline goes to the observers`() {
    final class Notes: CallObserver {
      let notes = Lock<[PipelineNote]>([])

      func noted(_ note: PipelineNote) { notes.withLock { $0.append(note) } }
    }
    let notes = Notes()
    ObserverLog.log(for: [notes]).record(.warning, "host given up", [LogField("host", "a.test")])
    #expect(
      notes.notes.withLock { $0 } == [PipelineNote(.warning, "host given up", metadata: ["host": "a.test"])])
    #expect(PipelineNote.Level.allCases.map(\.rawValue) == LogLevel.allCases.map(\.rawValue))
  }

  @Test func `the documentation shows the adapters that these tests compile`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let page = folder.appending(path: "../../../Sources/Halyard/Halyard.docc/TheClientLibrary.md")
    let adapters = try String(contentsOf: folder.appending(path: "Adapters.swift"), encoding: .utf8)
    let shown = try String(contentsOf: page, encoding: .utf8)
    let parts = adapters.components(separatedBy: "\n\nstruct ").dropFirst()
    #expect(parts.count == 3)
    for part in parts { #expect(shown.contains("struct \(part)"), "\(part.prefix(20))") }
  }
}
