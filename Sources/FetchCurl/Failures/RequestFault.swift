internal import Pipeline
internal import Posix

/// What makes a request impossible to send.
enum RequestFault {
  case zeroByteInURL
  case headerName(String)
  case headerValue(name: String)

  init?(in request: FetchRequest) {
    let url = request.url.utf8.span
    if url.firstIndex(of: 0, from: 0) < url.count {
      self = .zeroByteInURL
      return
    }
    for header in request.headers {
      guard OwnHeaderRule.isToken(header.name) else {
        self = .headerName(header.name)
        return
      }
      guard !header.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        self = .headerValue(name: header.name)
        return
      }
    }
    return nil
  }

  func failure(for request: FetchRequest) -> Failure {
    let cause =
      switch self {
      case .zeroByteInURL: "the URL holds a zero byte"
      case .headerName(let name): "\(name.debugDescription) is not a header name"
      case .headerValue(let name): "the value of the header \(name) holds a line end or a zero byte"
      }
    return request.failure(.invalidInput, at: .input, cause)
  }
}

extension FetchRequest {
  /// What became of it, with its URL.
  func failure(
    _ kind: FailureKind, at stage: Stage, _ cause: String, retryable: Bool = false
  ) -> Failure {
    Failure(kind, at: stage, "fetch \(shownURL): \(cause)", retryable: retryable)
  }

  func cancellation(at stage: Stage) -> Failure { failure(.cancelled, at: stage, "cancelled") }

  /// The URL as messages show it: user names and passwords never.
  var shownURL: String {
    guard let (start, end) = authority, let at = url[start..<end].lastIndex(of: "@") else { return url }
    return String(url[..<start] + url[url.index(after: at)...])
  }

  /// The host without port and brackets; empty when the URL has none.
  var host: String {
    guard let (start, end) = authority else { return "" }
    let place = url[start..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    if place.first == "[" { return String(place.dropFirst().prefix { $0 != "]" }) }
    return String(place.prefix { $0 != ":" })
  }

  /// The port that the URL leads to.
  var port: UInt16 {
    let defaultPort: UInt16 = url.lowercased().hasPrefix("https:") ? 443 : 80
    guard let (start, end) = authority else { return defaultPort }
    let place = url[start..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard let colon = place.lastIndex(of: ":"), !place[colon...].contains("]") else { return defaultPort }
    return UInt16(place[place.index(after: colon)...]) ?? defaultPort
  }

  private var authority: (start: String.Index, end: String.Index)? {
    guard let colon = url.firstIndex(of: ":") else { return nil }
    let slashes = url[url.index(after: colon)...].prefix(2)
    guard slashes == "//" else { return nil }
    let end = url[slashes.endIndex...].firstIndex { "/?#\\".contains($0) } ?? url.endIndex
    return (slashes.endIndex, end)
  }
}
