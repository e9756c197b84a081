/// A response with a short text.
package struct ScrapeAnswer: Hashable, Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]

  package init(_ status: Int, contentType: String = "text/plain; charset=utf-8", body: [UInt8]) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }

  package init(_ status: Int, _ text: String) {
    self.init(status, body: Array("\(text)\n".utf8))
  }

  package static let notFound = ScrapeAnswer(404, "not here; try /metrics, /healthz or /readyz")
  static let notAllowed = ScrapeAnswer(405, "only GET and HEAD")
  static let malformed = ScrapeAnswer(400, "not a request")

  func bytes(withBody hasBody: Bool) -> [UInt8] {
    let head = """
      HTTP/1.1 \(status) \(reason)\r
      Content-Type: \(contentType)\r
      Content-Length: \(body.count)\r
      Cache-Control: no-store\r
      X-Content-Type-Options: nosniff\r
      Connection: close\r
      \r

      """
    return Array(head.utf8) + (hasBody ? body : [])
  }

  private var reason: String {
    switch status {
    case 200: "OK"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 503: "Service Unavailable"
    default: "Other"
    }
  }
}
