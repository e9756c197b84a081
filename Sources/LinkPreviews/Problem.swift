package import JSONQuery
package import Pipeline

/// Why a request has no answer, as problem details (RFC 9457) tell it: in the words of a row's failure where a link is the
/// reason.
package struct Problem: Error, Hashable, Sendable {
  /// The last part of its `type`, such as `timeout` or `not-found`.
  package var name: String
  package var status: Int
  package var detail: String
  package var isRetryable: Bool
  package var stage: String?
  package var url: String?
  /// The status that the link's server sent.
  package var serversStatus: Int64?
  /// Seconds after which it may be asked again.
  package var retryAfter: Int?

  package init(
    _ name: String, _ status: Int, _ detail: String, isRetryable: Bool = false, retryAfter: Int? = nil
  ) {
    (self.name, self.status, self.detail) = (name, status, detail)
    (self.isRetryable, self.retryAfter) = (isRetryable, retryAfter)
  }

  package init(_ kind: FailureKind, _ detail: String) {
    let traits = kind.traits
    self.init(traits.name, traits.httpStatus, detail, isRetryable: traits.retryClass == .transient)
  }

  /// nil when something of the link can be shown.
  init?(row: JSONValue) {
    guard let error = row["error"] else { return nil }
    let kind = error["kind"]?.string.flatMap(FailureKind.init(rawValue:)) ?? .underlying
    guard kind != .missingPageTitle || row["card"] == nil else { return nil }
    self.init(kind, Self.withoutAdvice(error["message"]?.string ?? ""))
    isRetryable = error["retryable"]?.bool ?? isRetryable
    stage = error["stage"]?.string
    url = row["url"]?.string
    serversStatus = row["http_status"]?.int64
  }

  /// The last clause of a message may name an option, which is for who runs the service and not for who asks it.
  package static func withoutAdvice(_ message: String) -> String {
    guard let mark = message.ranges(of: "; ").last, message[mark.upperBound...].contains(" --") else {
      return message
    }
    return String(message[..<mark.lowerBound])
  }

  private static let abbreviations = ["dns": "DNS", "tls": "TLS", "not html": "Not HTML"]

  /// As people call it, such as `Not found`.
  package var title: String {
    let words = name.split { $0 == "_" || $0 == "-" }.joined(separator: " ")
    if let title = Self.abbreviations[words] { return title }
    guard !words.hasPrefix("http ") else { return "HTTP" + words.dropFirst("http".count) }
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  package static let mediaType: StaticString = "application/problem+json"

  /// - Parameters:
  ///   - root: The way from the request's path to the service's root, such as `../`.
  ///   - id: That of the request.
  package func write(root: String, id: String, to writer: inout JSONWriter) {
    writer.member("type", "\(root)problems/\(name)")
    writer.member("title", title)
    writer.member("status", status)
    writer.member("detail", detail)
    writer.member("instance", "urn:uuid:\(id)")
    writer.member("kind", name)
    writer.member("stage", stage)
    writer.member("retryable", isRetryable)
    writer.member("url", url)
    if let serversStatus { writer.member("http_status", serversStatus) }
  }

  package func json(root: String, id: String) -> [UInt8] {
    JSONWriter.object(reservingCapacity: 256) { write(root: root, id: id, to: &$0) }
  }

  /// The status that iframely sends, which says 403 for 401 and 417 for most, but for what its program does not have.
  private var iframelyStatus: Int {
    switch status {
    case 202, 400, 403, 404, 405, 415, 429, 503: status
    case 401: 403
    case 504: 408
    default: serversStatus == 404 || serversStatus == 410 ? Int(serversStatus ?? 0) : 417
    }
  }

  /// As iframely tells it: its clients read the member `error`.
  package var iframely: (status: Int, body: [UInt8]) {
    let status = iframelyStatus
    let body = JSONWriter.object { writer in
      writer.beginObject("error")
      writer.member("source", "iframely")
      writer.member("code", status)
      writer.member("message", detail)
      writer.endObject()
    }
    return (status, body)
  }
}
