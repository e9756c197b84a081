import Foundation
import PipelineTesting
import Testing

/// A fleet that `halyard up` keeps running for one test.
struct UpFleet {
  let up: Child
  private let directory: TemporaryDirectory
  /// What commands need besides its directory.
  private let reach: [String]

  /// Returns when it has answered an echo.
  init(_ options: [String] = [], workers: [String] = [], reach: [String] = []) async throws {
    directory = try TemporaryDirectory()
    self.reach = reach
    up = try Child(
      ["up", "--run-dir", directory.file("run")] + options + ["--"] + loopback + ["--timeout", "120s"]
        + workers)
    // Only then its directory leads to an address that it was given.
    #expect(await up.messages.holds("the fleet is at", silenceAtMost: 60), "\(up.messages.text)")
    let ping = try await Child(["ping"] + words).ended()
    #expect(ping.status == 0, "\(ping.messages)\(up.messages.text)")
  }

  /// What leads a command to it.
  var words: [String] { ["--fleet", directory.file("run"), "--wait", "30s"] + reach }

  /// Kills a worker such as `decoder 1`, the newest of that name.
  func kill(_ worker: String) throws {
    let said = up.messages.text.split(separator: "\n").last {
      $0.contains("\(worker) runs as process ")
    }
    let process = try #require(
      said?.split(separator: " ").last.flatMap { Int32($0.prefix(while: \.isNumber)) }, "\(worker)")
    #expect(Foundation.kill(process, SIGKILL) == 0, "\(worker)")
  }

  /// What `status` says of it.
  func status() async throws -> Row {
    try #require(try await Child(["status", "--json"] + words).ended().rows().first)
  }

  func stop() async throws {
    up.terminate()
    let end = try await up.ended()
    #expect(end.status == 0, "\(end.messages)")
  }
}
