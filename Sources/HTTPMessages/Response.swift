/// A response whose bytes are all there.
public struct Response: Hashable, Sendable {
  public var head: ResponseHead
  public var body: [UInt8]

  public init(_ head: ResponseHead, body: [UInt8] = []) {
    (self.head, self.body) = (head, body)
  }

  /// One line for people.
  public init(_ status: Int, text: String) {
    self.init(
      ResponseHead(status, contentType: "text/plain; charset=utf-8"), body: Array("\(text)\n".utf8))
  }

  /// Appends all of it, and for a HEAD request only what describes the body.
  public func write(
    to output: inout [UInt8], date: [UInt8], keepsAlive: Bool, isHead: Bool, isVersion11: Bool
  ) {
    head.write(to: &output, length: body.count, date: date, keepsAlive: keepsAlive, isVersion11: isVersion11)
    if !isHead, head.canHaveContent { output += body }
  }
}

/// The parts of a chunked body.
public enum Chunk {
  /// Bytes as a chunk; none for no bytes, because an empty chunk is the end.
  public static func framed(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [.carriageReturn, .lineFeed]
  }

  public static let end = Array("0\r\n\r\n".utf8)
}

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

/// The version of a response's content, by which a client asks whether its copy is still good.
public struct EntityTag: Hashable, Sendable {
  /// With its quotes.
  public let text: String

  /// nil when `opaque` has bytes that may not stand between quotes.
  public init?(_ opaque: String) {
    guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
    text = "\"\(opaque)\""
  }

  /// Whether `If-None-Match` names this version, compared weakly as RFC 9110, 8.8.3.2, has it. A malformed list names
  /// none: the client gets the content once more.
  public func isNamed(by ifNoneMatch: String) -> Bool {
    let value = Array(ifNoneMatch.utf8)[...].trimmed
    if value.elementsEqual("*".utf8) { return true }
    var rest = value
    while !rest.isEmpty {
      if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
      guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\""))
      else { return false }
      if rest[...end].elementsEqual(text.utf8) { return true }
      rest = rest[(end + 1)...].drop { $0.isBlank || $0 == UInt8(ascii: ",") }
    }
    return false
  }
}

/// What the first bytes of a file that is no text say about its media type, by the MIME Sniffing standard.
public enum FileSignature {
  public static func type(of start: Span<UInt8>) -> String? {
    for (pattern, type) in patterns where matches(start, pattern) { return type }
    if isMP4(start) { return "video/mp4" }
    let isMatroska = matches(start, [0x1A, 0x45, 0xDF, 0xA3])
    return isMatroska && (4..<42).contains { matches(start, text("webm"), at: $0) } ? "video/webm" : nil
  }

  private static func matches(_ start: Span<UInt8>, _ pattern: [UInt8?], at offset: Int = 0) -> Bool {
    guard start.count - offset >= pattern.count else { return false }
    for index in pattern.indices {
      if let byte = pattern[index], byte != start[offset + index] { return false }
    }
    return true
  }

  /// A box of type `ftyp` that names a brand of MP4.
  private static func isMP4(_ start: Span<UInt8>) -> Bool {
    guard start.count >= 12, matches(start, text("ftyp"), at: 4) else { return false }
    let length = Int(start[0]) << 24 | Int(start[1]) << 16 | Int(start[2]) << 8 | Int(start[3])
    guard length % 4 == 0 else { return false }
    for brand in stride(from: 8, to: min(length, start.count - 2), by: 4)
    where brand != 12 && matches(start, text("mp4"), at: brand) { return true }
    return false
  }

  private static func text(_ text: String) -> [UInt8?] {
    text.utf8.map { $0 == UInt8(ascii: "?") ? nil : $0 }
  }

  /// Nil stands for any byte, and so does a question mark.
  private static let patterns: [([UInt8?], String)] = [
    (text("%PDF-"), "application/pdf"),
    (text("%!PS-Adobe-"), "application/postscript"),
    ([0, 0, 1, 0], "image/x-icon"),
    ([0, 0, 2, 0], "image/x-icon"),
    (text("BM"), "image/bmp"),
    (text("GIF87a"), "image/gif"),
    (text("GIF89a"), "image/gif"),
    (text("RIFF????WEBPVP"), "image/webp"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (text("FORM????AIFF"), "audio/aiff"),
    (text("ID3"), "audio/mpeg"),
    (text("OggS\0"), "application/ogg"),
    (text("MThd\0\0\0\u{6}"), "audio/midi"),
    (text("RIFF????AVI "), "video/avi"),
    (text("RIFF????WAVE"), "audio/wave"),
    ([0x1F, 0x8B, 0x08], "application/x-gzip"),
    (text("PK\u{3}\u{4}"), "application/zip"),
    (text("Rar!\u{1A}\u{7}\0"), "application/x-rar-compressed"),
    (text("wOFF"), "font/woff"),
    (text("wOF2"), "font/woff2"),
    (text("OTTO"), "font/otf"),
    (text("ttcf"), "font/collection"),
    ([0, 1, 0, 0], "font/ttf"),
  ]
}

extension String {
  /// The media type that a `Content-Type` names: in lower case, without parameters, such as `text/html`. nil where it names none.
  ///
  /// RFC 9110 allows one type and no blanks in it. Servers write more, so blanks and control characters do not count, and of several
  /// types that were joined only the first does. A name without a slash is returned as it is. RFC 6838 allows at most 255 bytes.
  public var mediaType: String? {
    var name: [UInt8] = []
    name.reserveCapacity(32)
    for byte in utf8 {
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { break }
      if byte > .space { name.append(byte.lowercased) }
    }
    return 1...255 ~= name.count ? String(decoding: name, as: UTF8.self) : nil
  }
}
