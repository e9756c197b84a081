package import Pipeline

/// Unfurls links, reads titles and decodes data, in this process or by a fleet.
///
/// A client is made once and used by any number of tasks at the same time. Its first call starts the pipeline behind it,
/// which lives until ``shutdown()``, or until the client and all its calls are gone.
///
/// ```swift
/// let client = HalyardClient()
/// let page = try await client.title("https://www.swift.org").value
/// print(page.title)
/// await client.shutdown()
/// ```
///
/// Every call gets exactly one answer: a value or a ``HalyardError``, also when it is cancelled, the client is shut down,
/// or the fleet says nothing. When the pipeline behind it fails, so do the calls under way, and the next one starts it anew.
public final class HalyardClient: Sendable {
  let core: ClientCore

  /// Does the work in this process.
  public convenience init(_ settings: ClientSettings = ClientSettings()) {
    self.init(EmbeddedBackend(settings))
  }

  /// Lets a fleet do the work.
  ///
  /// - Parameter fleet: Its run directory, or its address: `ipc://PATH` or `tcp://HOST:PORT`.
  public convenience init(fleet: String, _ settings: FleetSettings = FleetSettings()) {
    self.init(FleetBackend(fleet, settings))
  }

  /// Works as in this process, with a site that is not there: for your tests.
  ///
  /// - Parameter stub: What is fetched instead of anything from the network.
  public convenience init(_ settings: ClientSettings = ClientSettings(), stub: StubSite) {
    self.init(settings, fetching: StubFetching(site: stub))
  }

  /// For tests: fetches by `fetching`.
  package convenience init(_ settings: ClientSettings = ClientSettings(), fetching: any Fetching) {
    self.init(EmbeddedBackend(settings, fetching: fetching))
  }

  private init(_ backend: any Backend) {
    core = ClientCore(backend)
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
