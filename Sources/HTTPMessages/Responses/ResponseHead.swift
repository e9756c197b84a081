/// A field whose value could end its line early.
public struct UnwritableField: Error, Hashable, Sendable, CustomStringConvertible {
  public let name: String

  public var description: String { "field '\(name)' of an answer: its value has a control byte" }
}

/// Status and fields of a response, rendered as they are added, so that a response that is given often is rendered once.
public struct ResponseHead: Hashable, Sendable {
  public let status: Int
  private(set) var lines: [UInt8]

  /// - Parameter contentType: Left out where there is no content.
  public init(_ status: Int, contentType: StaticString? = nil) {
    self.status = status
    lines = Array("HTTP/1.1 \(status) \(reasonPhrase(of: status))\r\n".utf8)
    if let contentType { append("Content-Type", "\(contentType)") }
  }

  /// Adds a field. The server itself adds `Content-Length`, `Transfer-Encoding`, `Connection` and `Date`.
  public mutating func add(_ name: StaticString, _ value: String) throws(UnwritableField) {
    guard value.utf8.allSatisfy(\.isValueByte) else { throw UnwritableField(name: "\(name)") }
    append("\(name)", value)
  }

  /// Adds a field whose value is a literal.
  public mutating func add(_ name: StaticString, constant value: StaticString) {
    append("\(name)", "\(value)")
  }

  private mutating func append(_ name: String, _ value: String) {
    lines += "\(name): \(value)\r\n".utf8
  }

  /// Whether RFC 9110 lets such a response have content.
  public var canHaveContent: Bool { status >= 200 && status != 204 && status != 304 }
}

/// How the client finds the end of a response.
public enum ResponseFraming: Hashable, Sendable {
  case length(Int)
  case chunked
  /// The connection's end, which is all that HTTP/1.0 knows for unknown lengths.
  case close
}

extension ResponseHead {
  /// Appends the whole head with the empty line behind it.
  ///
  /// - Parameters:
  ///   - date: As HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///   - isVersion11: Of the request: older clients have to be told that the connection stays.
  public func write(
    to output: inout [UInt8], _ framing: ResponseFraming, date: [UInt8], keepsAlive: Bool, isVersion11: Bool
  ) {
    output += lines
    output += Self.datePrefix
    output += date
    if canHaveContent {
      switch framing {
      case .length(let count):
        output += Self.lengthPrefix
        appendDecimal(count, to: &output)
      case .chunked: output += Self.chunkedLine
      case .close: break
      }
    }
    if !keepsAlive || framing == .close {
      output += Self.closeLine
    } else if !isVersion11 {
      output += Self.keepAliveLine
    }
    output += Self.end
  }

  private static let datePrefix = Array("Date: ".utf8)
  private static let lengthPrefix = Array("\r\nContent-Length: ".utf8)
  private static let chunkedLine = Array("\r\nTransfer-Encoding: chunked".utf8)
  private static let closeLine = Array("\r\nConnection: close".utf8)
  private static let keepAliveLine = Array("\r\nConnection: keep-alive".utf8)
  private static let end = Array("\r\n\r\n".utf8)
}

/// Tells a client that waits for it to send its body.
public let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

private func appendDecimal(_ number: Int, to output: inout [UInt8]) {
  if number >= 10 { appendDecimal(number / 10, to: &output) }
  output.append(UInt8(ascii: "0") + UInt8(number % 10))
}

private func reasonPhrase(of status: Int) -> String {
  switch status {
  case 200: "OK"
  case 201: "Created"
  case 202: "Accepted"
  case 204: "No Content"
  case 301: "Moved Permanently"
  case 302: "Found"
  case 303: "See Other"
  case 304: "Not Modified"
  case 307: "Temporary Redirect"
  case 308: "Permanent Redirect"
  case 400: "Bad Request"
  case 401: "Unauthorized"
  case 403: "Forbidden"
  case 404: "Not Found"
  case 405: "Method Not Allowed"
  case 408: "Request Timeout"
  case 409: "Conflict"
  case 410: "Gone"
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
