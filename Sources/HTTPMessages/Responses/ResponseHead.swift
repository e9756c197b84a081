/// Status and fields of a response, rendered as they are added, so that a response that is given often is rendered once.
public struct ResponseHead: Hashable, Sendable {
  public let status: Int
  private(set) var lines: [UInt8]

  /// - Parameter contentType: Left out where there is no content.
  public init(_ status: Int, contentType: StaticString? = nil) {
    self.status = status
    lines = Array("HTTP/1.1 \(status) \(reasonPhrase(of: status))\r\n".utf8)
    if let contentType { add("Content-Type", "\(contentType)") }
  }

  /// Adds a field, unless a control byte in its value could end its line early. The server itself adds `Content-Length`,
  /// `Transfer-Encoding`, `Connection` and `Date`.
  public mutating func add(_ name: StaticString, _ value: String) {
    guard value.utf8.allSatisfy(\.isValueByte) else { return }
    lines += "\(name): \(value)\r\n".utf8
  }

  /// Whether RFC 9110 lets such a response have content.
  public var canHaveContent: Bool { status >= 200 && status != 204 && status != 304 }

  /// Appends the whole head with the empty line behind it.
  ///
  /// - Parameters:
  ///   - length: Of the content; nil when that is not known yet. Then it comes in chunks, or in HTTP/1.0, which has none,
  ///     it ends with the connection.
  ///   - date: As HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///   - isVersion11: Of the request: older clients have to be told that the connection stays.
  public func write(
    to output: inout [UInt8], length: Int?, date: [UInt8], keepsAlive: Bool, isVersion11: Bool
  ) {
    output += lines
    output += "Date: ".utf8
    output += date
    if canHaveContent, let length {
      output += "\r\nContent-Length: ".utf8
      output += String(length).utf8
    } else if canHaveContent, isVersion11 {
      output += "\r\nTransfer-Encoding: chunked".utf8
    }
    if !keepsAlive || length == nil && !isVersion11 {
      output += "\r\nConnection: close".utf8
    } else if !isVersion11 {
      output += "\r\nConnection: keep-alive".utf8
    }
    output += "\r\n\r\n".utf8
  }
}

/// Tells a client that waits for it to send its body.
public let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

private func reasonPhrase(of status: Int) -> String {
  switch status {
  case 200: "OK"
  case 202: "Accepted"
  case 204: "No Content"
  case 301: "Moved Permanently"
  case 302: "Found"
  case 304: "Not Modified"
  case 308: "Permanent Redirect"
  case 400: "Bad Request"
  case 401: "Unauthorized"
  case 403: "Forbidden"
  case 404: "Not Found"
  case 405: "Method Not Allowed"
  case 408: "Request Timeout"
  case 413: "Content Too Large"
  case 414: "URI Too Long"
  case 415: "Unsupported Media Type"
  case 417: "Expectation Failed"
  case 422: "Unprocessable Content"
  case 429: "Too Many Requests"
  case 431: "Request Header Fields Too Large"
  case 500: "Internal Server Error"
  case 501: "Not Implemented"
  case 502: "Bad Gateway"
  case 503: "Service Unavailable"
  case 504: "Gateway Timeout"
  case 505: "HTTP Version Not Supported"
  // The phrase may be empty.
  default: ""
  }
}
