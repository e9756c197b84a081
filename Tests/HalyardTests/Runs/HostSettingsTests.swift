import Testing

/// Tables for hosts in a file of settings, as programs go by them.
@Suite(.timeLimit(.minutes(10)))
struct HostSettingsTests {
  private let site: TwoHosts
  private let folder: Folder

  init() throws {
    (site, folder) = (try TwoHosts(), try Folder())
  }

  /// Runs `title` here, or in a fleet whose workers read the file.
  private func title(
    _ settings: String, _ links: [String], inFleet: Bool, _ meanwhile: () async throws -> Void = {}
  ) async throws -> [Row] {
    let file = try folder.path("settings.toml", holding: settings)
    guard inFleet else {
      let run = try Child(["title", "--config", file] + TwoHosts.allowed + links)
      try await meanwhile()
      return try await run.ended().rows()
    }
    let fleet = try await UpFleet(["--config", file], workers: TwoHosts.allowed)
    let run = try Child(["title"] + fleet.words + links)
    try await meanwhile()
    let rows = try await run.ended().rows()
    try await fleet.stop()
    return rows
  }

  @Test(arguments: [false, true])
  func `a host's headers reach it, and no other that redirects lead from or to`(inFleet: Bool) async throws {
    let settings = """
      header = ["X-Own: all", "X-Key: all"]
      user-agent = "usual/1"
      [hosts."localhost"]
      user-agent = "special/1"
      headers = { X-Key = "secret" }
      """
    let links = [
      site.url(.name, "/to/127.0.0.1/away"), site.url(.address, "/to/localhost/to/127.0.0.1/there-and-back"),
    ]
    let rows = try await title(settings, links, inFleet: inFleet)
    #expect(rows.map(\.outcome) == ["ok", "ok"])
    #expect(
      site.said.sorted() == [
        "127.0.0.1 /away usual/1 - -",
        "127.0.0.1 /there-and-back usual/1 - -",
        "127.0.0.1 /to/localhost/to/127.0.0.1/there-and-back usual/1 all all",
        "localhost /to/127.0.0.1/away special/1 secret all",
        "localhost /to/127.0.0.1/there-and-back special/1 secret -",
      ])
  }

  @Test(arguments: [false, true])
  func `a host of which one job at a time is wanted has one, while another has eight`(
    inFleet: Bool
  ) async throws {
    let links =
      (0..<4).map { site.url(.name, "/held/\($0)") } + (0..<20).map { site.url(.address, "/held/\($0)") }
    let settings = "per-host = 8\n[hosts.\"localhost\"]\nper-host = 1\n"
    let rows = try await title(settings, links, inFleet: inFleet) {
      #expect(await site.requests.reaches(9, within: 60))
      #expect(TwoHosts.Host.allCases.map(site.most) == [8, 1])
      site.release()
    }
    #expect(rows.count == 24)
    #expect(rows.allSatisfy { $0.outcome == "ok" })
    #expect(TwoHosts.Host.allCases.map(site.most) == [8, 1])
  }

  @Test func `a table with a fault ends the command`() async throws {
    let file = try folder.path("settings.toml", holding: "[hosts.\"t.co:443\"]\nper-host = 1\n")
    let ended = try await halyard("title", "--config", file, "a.test")
    #expect(ended.status == 64)
    #expect(
      ended.messages
        == "halyard: \(file):1:8: 't.co:443' is not the name of a host: leave the port out, the settings are for all"
        + " ports\n")
  }
}
