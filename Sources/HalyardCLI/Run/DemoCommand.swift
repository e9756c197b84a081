import Assembly
import DemoSite
import Links
import Pipeline
import Posix
import Roles

/// The command `demo`: the whole pipeline against a small site of its own.
struct DemoCommand {
  private var output: OutputPlan
  private let port: UInt16
  private let onlyServes: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    output = try OutputPlan(arguments)
    output.format = arguments[LinkOption.demoFormat]
    // Its last column says what each link shows.
    output.tellsWhy = false
    onlyServes = arguments[DemoOption.serve]
    port = UInt16(clamping: arguments[DemoOption.port])
  }

  /// Succeeds when every link of the site ended as it should.
  func run() async throws -> ExitCode {
    let site = try started()
    defer { site.stop() }
    if onlyServes { return try await serve(site) }
    let rows = try RowOutput(try output.open())
    var options = PipelineOptions()
    options.allowed = Lock([try AllowedAddress("127.0.0.1")])
    options.roles.aggregator.retry = RetryRule(retries: 0)
    let run = PipelineRun(options: options, isOrdered: true)
    let links = site.links
    let surprises = Lock<[String]>([])
    let user = PipelineRun.User(take: { arrived in
      surprises.withLock { $0 += arrived.compactMap { Self.surprise($0, links) } }
      try await rows.take(arrived)
    })
    let signal = try await run.run(DraftFeed(links.map { Self.draft($0, of: site) }), for: user)
    try await rows.finish { _ in false }
    if let signal { return ExitCode(endedBy: signal) }
    let found = surprises.withLock { $0 }
    for surprise in found { Message.show("halyard: \(surprise)\n") }
    guard found.isEmpty else { return .bug }
    Message.show("halyard: all \(links.count) links ended as they should\n")
    return .ok
  }

  private func started() throws -> DemoSite {
    do throws(PosixError) {
      return try DemoSite.start(port: port)
    } catch {
      throw CannotServe(
        what: "the demo", place: port == 0 ? "127.0.0.1" : "127.0.0.1:\(port)", cause: "\(error)",
        remedy: port == 0 ? nil : "choose another --port, or leave it out for a free one")
    }
  }

  private func serve(_ site: DemoSite) async throws -> ExitCode {
    try DescriptorSink().write(Array("\(site.base)\n".utf8))
    let place = site.base.dropFirst("http://".count)
    Message.show(
      """
      halyard: serving until you interrupt it; try
        halyard title --allow-address \(place) \(site.base)/s/light
        halyard run users --allow-address \(place) --param base=\(site.base)

      """)
    return try await Interruptible.run {
      while true { try await Task.sleep(for: .seconds(3_600)) }
    }
  }

  private static func draft(_ link: DemoLink, of site: DemoSite) -> JobDraft {
    // Without the site's own address, which is different each time.
    let path = link.url.hasPrefix(site.base) ? String(link.url.dropFirst(site.base.count)) : link.url
    var draft = JobDraft(
      kind: JobKind(name: link.kind) ?? .unfurl, input: link.url, select: link.select,
      kept: [KeptColumn("link", path), KeptColumn("shows", link.note)])
    draft.reading.wantsEmbed = link.wantsEmbed
    return draft
  }

  private static func surprise(_ row: NumberedRow, _ links: [DemoLink]) -> String? {
    let link = links[Int(row.ordinal)]
    let outcome = row.failure?.rawValue ?? "ok"
    guard outcome != link.expected else { return nil }
    return "demo link \(link.url) (\(link.note)) should end as \(link.expected), not as \(outcome)"
  }
}
