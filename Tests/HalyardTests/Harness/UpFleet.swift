import Foundation
import JSONQuery
import PipelineTesting
import Testing

/// A fleet that `halyard up` keeps running for one test.
struct UpFleet {
  let up: Child
  private let directory: TemporaryDirectory
  /// What commands need besides its directory.
  private let reach: [String]

  /// Returns when it has answered an echo.
  ///
  /// - Parameters:
  ///   - workers: Their options beside the loopback addresses that they may fetch from; nil for none at all.
  ///   - directory: Where its run directory is made; nil for one of its own.
  init(
    _ options: [String] = [], workers: [String]? = [], reach: [String] = [],
    in directory: TemporaryDirectory? = nil
  ) async throws {
    self.directory = try directory ?? TemporaryDirectory()
    self.reach = reach
    let workers = workers.map { ["--"] + loopback + ["--timeout", "120s"] + $0 } ?? []
    up = try Child(["up", "--run-dir", self.directory.file("run")] + options + workers)
    // Only then its directory leads to an address that it was given.
    #expect(await up.messages.holds("the fleet is at", silenceAtMost: 60), "\(up.messages.text)")
    let ping = try await Child(["ping"] + words).ended()
    #expect(ping.status == 0, "\(ping.messages)\(up.messages.text)")
  }

  /// What leads a command to it.
  var words: [String] { ["--fleet", directory.file("run"), "--wait", "30s"] + reach }

  /// Kills a worker such as `decoder 1`, the newest of that name.
  func kill(_ worker: String) throws {
    #expect(Foundation.kill(try up.process(of: worker), SIGKILL) == 0, "\(worker)")
  }

  /// What `status` says of it.
  func status() async throws -> Row {
    try #require(try await Child(["status", "--json"] + words).ended().rows().first)
  }

  /// The workers that `status` names, once there are so many.
  func workers(_ count: Int) async throws -> [JSONValue] {
    while true {
      let workers = try await status().value["workers"].map { Array($0.elements) } ?? []
      if workers.count == count { return workers }
    }
  }

  func stop() async throws {
    up.terminate()
    let end = try await up.ended()
    #expect(end.status == 0, "\(end.messages)")
  }
}

extension Child {
  /// The processes that 'up' has said it started, in that order, each with its line up to the worker's name.
  var workers: [(line: String, process: Int32)] {
    messages.text.split(separator: "\n").compactMap { line in
      let parts = line.components(separatedBy: " runs as process ")
      guard parts.count == 2, let process = Int32(parts[1].prefix(while: \.isNumber)) else { return nil }
      return (parts[0], process)
    }
  }

  /// The newest process of a worker such as `decoder 1`.
  func process(of worker: String) throws -> Int32 {
    try #require(workers.last { $0.line.hasSuffix(worker) }?.process, "\(worker)")
  }
}
