import Links
package import Pipeline

/// What is said to some hosts alone, however a walk comes there, and to no other.
package struct HostRequests: Sendable {
  /// How to introduce ourselves there.
  package var userAgents = HostTable<String>()
  /// Headers that stand for all others of their names.
  package var headers = HostTable<[HeaderField]>()

  package init() {}

  var isEmpty: Bool { userAgents.isEmpty && headers.isEmpty }

  /// Puts what is for a URL's host into a request. Headers may be secrets: where a walk began with https they do not go
  /// over http.
  ///
  /// - Parameter first: Of the URL that the walk began with.
  /// - Returns: Whether the request has headers that are for the host alone.
  func apply(to fields: inout [HeaderField], for url: WebURL, walkingFrom first: Scheme) -> Bool {
    let key = url.hostKey
    let isExposed = first == .https && url.scheme == .http
    let own = isExposed ? [] : headers.value(host: key) ?? []
    var more = own
    if let agent = userAgents.value(host: key), !own.contains(where: { $0.isNamed("User-Agent") }) {
      more.append(HeaderField("User-Agent", agent))
    }
    fields.removeAll { field in more.contains { $0.isNamed(field.name) } }
    fields += more
    return !own.isEmpty
  }

  /// The name under which rules of an origin are looked up; nil for the default.
  func product(for origin: Origin) -> ProductToken? {
    userAgents.value(host: origin.host.description).map { ProductToken(userAgent: $0) }
  }
}
