/// A complete response of the demo site.
struct Answer: Sendable {
  var status = 200
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
  var delayMilliseconds: Int32 = 0

  static func page(_ html: String, status: Int = 200, delayMilliseconds: Int32 = 0) -> Answer {
    var answer = page(Array(html.utf8), contentType: "text/html; charset=utf-8")
    answer.status = status
    answer.delayMilliseconds = delayMilliseconds
    return answer
  }

  static func page(_ html: [UInt8], contentType: String) -> Answer {
    Answer(headers: [("Content-Type", contentType)], body: html)
  }

  static func json(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, headers: [("Content-Type", "application/json")], body: Array(text.utf8))
  }

  /// A redirect, or one that forgets to say where to.
  static func redirect(_ status: Int, to location: String?) -> Answer {
    Answer(status: status, headers: location.map { [("Location", $0)] } ?? [])
  }

  /// The response as it goes over the wire.
  func bytes(withBody: Bool, closing: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(reasonPhrase)\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if closing { head += "Connection: close\r\n" }
    return Array("\(head)\r\n".utf8) + (withBody ? body : [])
  }

  private var reasonPhrase: String {
    switch status {
    case 200: "OK"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 411: "Length Required"
    default: "Unknown"
    }
  }
}
