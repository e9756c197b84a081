import Links
import Pipeline
import Posix
import Roles
import TransportZeroMQ
import ZeroMQ

/// What SIGHUP does to a worker: it opens its log's file anew, reads its configuration again, changes what can change while
/// it works, and says what needs a restart.
actor Reload {
  struct Parts: Sendable {
    var log: StandardErrorLog
    var service: Systemd?
    var allowed: Lock<[AllowedAddress]>
    /// Of an aggregator: what it tells fetchers.
    var handed: HandedOptions
    var transport: ZeroMQTransport
  }

  private let parts: Parts
  /// Where its log goes.
  private let files = WorkerCommand.logFiles
  /// What it runs with, as far as that takes a restart to change.
  private let started: ParsedArguments
  private var arguments: ParsedArguments
  private var keys: CurveSettings?

  init(_ arguments: ParsedArguments, _ keys: CurveSettings?, _ parts: Parts) {
    (started, self.arguments, self.keys, self.parts) = (arguments, arguments, keys, parts)
  }

  func run() async {
    let isReady = parts.service?.isReady == true
    if isReady { parts.service?.tell([.reloading(monotonicMicroseconds: SystemTime.monotonicMicroseconds)]) }
    reopen()
    do {
      if let new = try started.reread() { try await take(new) }
    } catch {
      parts.log.announce(
        .error, "configuration not read again, all stays as it was", [LogField("cause", Self.words(error))])
    }
    if isReady { parts.service?.tell([.ready]) }
  }

  /// All of it is read before anything is changed.
  private func take(_ new: ParsedArguments) async throws {
    let allowed = try new.allowedAddresses()
    let addresses = try ListFile.texts(of: LinkOption.allowAddress.spec, new)
    let curve = try ZeroMQSettings(new).curve
    var change = ConfigurationChange(from: arguments, to: new, of: started)
    if allowed != parts.allowed.value { change.add(LinkOption.allowAddress) }
    await take(curve, &change)
    parts.allowed.value = allowed
    if let handed = parts.handed.value {
      parts.handed.value = FleetFetchOptions.allowing(addresses, in: handed)
    }
    parts.log.setLevel(new[LinkOption.workerLogLevel])
    arguments = new
    var fields = [LogField("changed", Self.list(change.applied))]
    if !change.needsRestart.isEmpty {
      fields.append(LogField("needs restart", Self.list(change.needsRestart)))
    }
    parts.log.announce(.info, "configuration read again", fields)
  }

  /// Lanes can change their keys, but neither get some nor do without.
  private func take(_ new: CurveSettings?, _ change: inout ConfigurationChange) async {
    guard new != keys else { return }
    guard let new, let former = keys else {
      return change.needRestart(FleetOption.key.name)
    }
    if new.own != former.own { change.add(FleetOption.key) }
    if new.aggregators.dropFirst() != former.aggregators.dropFirst() { change.add(FleetOption.alsoKey) }
    if new.allowed != former.allowed { change.add(FleetOption.allowKeys) }
    await parts.transport.secure(with: new)
    keys = new
  }

  private func reopen() {
    for file in files {
      do {
        if try file.reopen() { parts.log.announce(.info, "log opened anew", [LogField("file", file.path)]) }
      } catch {
        parts.log.announce(
          .error, "log not opened anew", [LogField("file", file.path), LogField("cause", error.message)])
      }
    }
  }

  private static func list(_ names: Set<String>) -> String {
    names.isEmpty ? "nothing" : names.sorted().joined(separator: ",")
  }

  /// One line of what went wrong.
  static func words(_ error: any Error) -> String {
    let text = (error as? any ReportedError)?.rendered ?? "\(error)"
    let first = text.split(separator: "\n").first.map(String.init) ?? text
    return first.hasPrefix("halyard: ") ? String(first.dropFirst("halyard: ".count)) : first
  }
}

/// How a worker's configuration differs from what it was before, by the names of options. A pure value.
struct ConfigurationChange: Hashable, Sendable {
  private(set) var applied: Set<String> = []
  private(set) var needsRestart: Set<String> = []

  /// - Parameter started: What the process was started with, which what needs a restart is compared with; nil when that is `old`.
  init(from old: ParsedArguments, to new: ParsedArguments, of started: ParsedArguments? = nil) {
    let started = started ?? old
    for option in new.command.options {
      let former = option.marks.contains(.reread) ? old : started
      if former.value(of: option) != new.value(of: option) { add(option) }
    }
    if Set(started.hosts.map(\.text)) != Set(new.hosts.map(\.text)) {
      needsRestart.insert(SettingsFile.hostsKey)
    }
  }

  /// - Parameter options: Those whose files hold something else.
  mutating func add(_ options: some OptionRows) {
    for option in options.specs {
      if option.marks.contains(.reread) {
        applied.insert(option.name)
      } else {
        needsRestart.insert(option.name)
      }
    }
  }

  /// - Parameter name: An option that could change, but not in this way.
  mutating func needRestart(_ name: String) {
    applied.remove(name)
    needsRestart.insert(name)
  }
}
