internal import Assembly
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
  let core: CallCore
  let observers: [any CallObserver]

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
  ///
  /// - Parameter observers: What logs, measures or traces the calls.
  public convenience init(
    _ settings: ClientSettings, observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(
      settings.backend(log: ObserverLog.log(for: observers)), settings.maxCalls, observers)
  }

  /// Does the work in this process, and fetches by your own means. The product `HalyardTesting` has some for tests.
  ///
  /// Throws ``HalyardError/Kind/invalidInput`` when a setting cannot be.
  ///
  /// - Parameter observers: What logs, measures or traces the calls.
  public convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any WebFetching,
    observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(settings, fetching: WebFetchingPort(web: fetching), observers: observers)
  }

  /// For tests: fetches by `fetching`.
  package convenience init(
    _ settings: ClientSettings = ClientSettings(), fetching: any Fetching, observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(
      settings.backend(fetching, log: ObserverLog.log(for: observers)), settings.maxCalls, observers)
  }

  init(_ backend: any CallBackend, _ maxCalls: Int, _ observers: [any CallObserver]) throws(HalyardError) {
    core = CallCore(backend, maxCalls: try ClientSettings.checked(maxCalls: maxCalls))
    self.observers = observers
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
