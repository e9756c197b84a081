package import Pipeline

/// Unfurls links, reads titles and decodes data, in this process or by a fleet.
///
/// A client is made once and used by any number of tasks at the same time. Its first call starts the pipeline behind it,
/// which lives until ``shutdown()``, or until the client and all its calls are gone.
///
/// ```swift
/// let client = HalyardClient()
/// let page = try await client.title("https://www.swift.org").get()
/// print(page.title)
/// await client.shutdown()
/// ```
///
/// Every call gets exactly one answer: a value or a ``HalyardError``, also when it is cancelled, the client is shut down,
/// or the fleet says nothing. When the pipeline behind it fails, so do the calls under way, and the next one starts it anew.
public final class HalyardClient: Sendable {
  let core: ClientCore

  /// Does the work in this process, with the defaults of all settings.
  public convenience init() {
    do {
      try self.init(ClientSettings())
    } catch {
      preconditionFailure("the defaults cannot be wrong: \(error)")
    }
  }

  /// Does the work in this process.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when a setting cannot be.
  public convenience init(_ settings: ClientSettings) throws(HalyardError) {
    try self.init(EmbeddedBackend(settings), settings.maxCalls)
  }

  /// Lets a fleet do the work.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when there can be no such fleet, or a setting cannot be. The fleet itself is
  /// looked for by the first call.
  ///
  /// - Parameter fleet: Its run directory, or its address: `ipc://PATH` or `tcp://HOST:PORT`.
  public convenience init(fleet: String, _ settings: FleetSettings = FleetSettings()) throws(HalyardError) {
    try self.init(FleetBackend(fleet, settings), settings.maxCalls)
  }

  /// Does the work in this process, and fetches by your own means. The product `HalyardTesting` has some for tests.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when a setting cannot be.
  public convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any WebFetching
  ) throws(HalyardError) {
    try self.init(EmbeddedBackend(settings, fetching: WebFetchingPort(web: fetching)), settings.maxCalls)
  }

  /// For tests: fetches by `fetching`.
  package convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any Fetching
  ) throws(HalyardError) {
    try self.init(EmbeddedBackend(settings, fetching: fetching), settings.maxCalls)
  }

  private init(_ backend: any Backend, _ maxCalls: Int) throws(HalyardError) {
    core = ClientCore(backend, maxCalls: try ClientSettings.checked(maxCalls: maxCalls))
  }

  deinit {
    core.stop()
  }

  /// Ends the client: calls under way are answered ``HalyardError/Kind/cancelled`` and their work ends too, and so is
  /// every later call. Returns when all of it has ended, after two seconds at most when a fleet does not answer.
  public func shutdown() async {
    await core.stop()?.ended()
  }
}
