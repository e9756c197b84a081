internal import Curl
internal import HTTPMessages
internal import Pipeline
internal import Posix

/// How a transfer of libcurl ended, and what that means for the caller.
struct Ending {
  let request: FetchRequest
  let proxy: String?
  let code: CurlCode
  /// libcurl's own words, more precise than the code.
  let text: String
  /// The system's number of the error that ended it; nil when there was none.
  let systemError: Int32?
  let phase: Phase

  /// What this end makes of a response whose headers are complete; nil when it makes it a failure.
  func completeness(hasBody: Bool) -> Completeness? {
    if phase.isForGoodMeasure { return .whole }
    guard phase == .body, case .page = request.body else { return nil }
    if code == .partialFile { return .truncated }
    let endings: Set<CurlCode> = [.receiveError, .http2, .http2Stream]
    return endings.contains(code) && hasBody ? .truncated : nil
  }

  enum Completeness {
    case whole
    case truncated
  }

  var failure: Failure {
    if CurlCode.tlsFaults.contains(code) { return failure(.tls, at: .tls, tlsCause) }
    if let failure = proxyFailure { return failure }
    switch code {
    case .malformedURL, .loginDenied:
      return failure(.invalidInput, at: .input, cause)
    case .cannotConnect:
      return failure(.connect, at: .connect, "cannot connect to \(dialled): \(systemText ?? cause)")
    case .tlsHandshake:
      return failure(.tls, at: .tls, tlsCause, retryable: isConnectionLost)
    case .timedOut:
      return failure(.timeout, at: phase.stage, "timed out \(phase.activity)")
    case .emptyReply:
      return failure(.protocolError, at: .firstByte, "the peer closed without an answer", retryable: true)
    case .unsupportedProtocol, .strangeReply:
      return failure(replyKind, at: replyKind == .unsupportedScheme ? .input : phase.stage, cause)
    case .outOfMemory where phase == .firstByte || phase == .headers:
      return failure(.headerTooLarge, at: .headers, "a header line is longer than libcurl takes")
    case .sendError:
      return failure(.connect, at: phase.stage, systemText ?? cause)
    case .receiveError:
      guard isConnectionLost else { return failure(.protocolError, at: phase.stage, cause) }
      return failure(.connect, at: phase.stage, systemText ?? cause)
    case .badContentEncoding:
      return failure(.protocolError, at: phase.stage, "the body goes through more codings than are undone")
    case .partialFile:
      return failure(.protocolError, at: phase.stage, "the body ended too early: \(cause)", retryable: true)
    case .http2, .http2Stream:
      return failure(.protocolError, at: phase.stage, cause, retryable: true)
    default:
      return failure(.underlying, at: phase.stage, cause)
    }
  }

  /// The failure of an exchange that this machine had no means for; nil when it had.
  var ownShortage: Failure? {
    guard phase == .nameLookup || phase == .connect || phase == .tls else { return nil }
    if let systemError {
      guard SocketFacts.isOwnShortage(systemError) else { return nil }
    } else {
      guard Self.mayBeShortages.contains(code), SocketFacts.lacksDescriptors else { return nil }
    }
    let reason = systemText ?? SocketFacts.tooManyOpenFiles
    return failure(
      .underlying, at: .queue,
      "cannot open another connection: \(reason); lower --concurrency, or raise the limit of open files (ulimit -n)"
    )
  }

  /// What libcurl makes of a file or a socket that it could not open on the way.
  private static let mayBeShortages: Set<CurlCode> = [
    .cannotConnect, .unresolvedHost, .unresolvedProxy, .outOfMemory, .failedInit, .badAuthorityFile,
  ]

  private var systemText: String? { systemError.map(SocketFacts.text) }

  /// What goes wrong between here and the proxy, or what the proxy refuses.
  private var proxyFailure: Failure? {
    guard proxy != nil else { return nil }
    if text.hasPrefix("CONNECT tunnel failed, response 407") { return request.proxyWantsPassword }
    switch code {
    case .unresolvedProxy:
      return failure(.connect, at: .dns, "no address for the proxy")
    case .proxy:
      return failure(.connect, at: .connect, "the proxy did not connect: \(cause)")
    case .receiveError where text.hasPrefix("CONNECT tunnel failed"):
      return failure(.connect, at: .connect, "the proxy did not connect: \(cause)")
    default:
      return nil
    }
  }

  private var dialled: String {
    proxy == nil ? request.host : "the proxy"
  }

  private var tlsCause: String {
    TLSFault(text)?.words(request.host) ?? cause
  }

  private func failure(
    _ kind: FailureKind, at stage: Stage, _ cause: String, retryable: Bool = false
  ) -> Failure { request.failure(kind, at: stage, cause, retryable: retryable) }

  /// Before any connection this code means the URL's scheme, later the peer's answer.
  private var replyKind: FailureKind {
    phase == .nameLookup ? .unsupportedScheme : .protocolError
  }

  private var isConnectionLost: Bool {
    systemText != nil || text.contains("SSL_ERROR_SYSCALL") || text.contains("unexpected eof")
  }

  /// One line in any case.
  private var cause: String {
    let words = text.isEmpty ? code.text : text
    return String(words.prefix { !$0.isNewline })
  }
}

extension FetchRequest {
  /// Asking the same again leads to the same answer.
  var proxyWantsPassword: Failure {
    failure(
      .httpStatus, at: .connect,
      "the proxy wants another user name and password (407); "
        + "give them in --proxy, as in http://USER:PASSWORD@HOST:PORT")
  }
}

/// What makes a decoded body doubtful.
struct CodingDoubt: Hashable, Sendable {
  /// One of its codings is unknown here.
  var isUnknown = false
  /// Its headers say that it is text, and coded.
  var isCodedText = false

  /// Whether a body that decoded to these bytes is what its headers say.
  func verdict(on bytes: [UInt8]) -> BodyEnd {
    if isCodedText, bytes.starts(with: Garbling.gzip) { return .codedAgain }
    return isUnknown && Garbling.shows(in: bytes) ? .broken : .whole
  }
}

/// Tells whether bytes with an unknown coding are usable as they are.
enum Garbling {
  static let gzip: [UInt8] = [0x1F, 0x8B, 0x08]

  /// Neither text nor a file of a well-known type: some servers name codings that change nothing.
  static func shows(in bytes: [UInt8]) -> Bool {
    !PlainText.fits(bytes) && FileSignature.type(of: bytes.span.extracting(first: 512)) == nil
      && !others.contains { bytes.starts(with: $0) } && !bytes.dropFirst(4).starts(with: "ftyp".utf8)
  }

  /// Files of more kinds than browsers know begin so: Matroska's and RAR's.
  private static let others: [[UInt8]] = [[0x1A, 0x45, 0xDF, 0xA3], Array("Rar!\u{1A}\u{7}".utf8)]
}

extension FetchRequest {
  /// What makes it impossible to send; nil when nothing does.
  var fault: Failure? {
    let text = url.utf8.span
    if text.firstIndex(of: 0, from: 0) < text.count {
      return failure(.invalidInput, at: .input, "the URL holds a zero byte")
    }
    for header in headers {
      guard OwnHeaderRule.isToken(header.name) else {
        return failure(.invalidInput, at: .input, "\(header.name.debugDescription) is not a header name")
      }
      guard !header.value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
        let cause = "the value of the header \(header.name) holds a line end or a zero byte"
        return failure(.invalidInput, at: .input, cause)
      }
    }
    return nil
  }

  /// Why an address must not be talked to for it; nil when it may.
  func refusal(of address: String, port: UInt16, by settings: CurlSettings) -> Failure? {
    guard let reason = settings.refusal(address, port) else { return nil }
    let place = address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    var failure = failure(
      .blockedAddress, at: .address,
      "address \(address) is refused (\(reason)); allow it with --allow-address \(place)")
    failure.refusedAddress = place
    return failure
  }

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

/// What is wrong with a peer's TLS, in plain words and with what to do about it.
struct TLSFault: Sendable {
  /// libcurl's and OpenSSL's own words for it.
  private let signs: [String]
  let words: @Sendable (_ host: String) -> String

  private init(_ signs: String..., words: @escaping @Sendable (_ host: String) -> String) {
    (self.signs, self.words) = (signs, words)
  }

  /// Reads libcurl's and OpenSSL's own words; nil when they are none of those known.
  init?(_ text: String) {
    guard let fault = Self.known.first(where: { $0.signs.contains(where: text.contains) }) else {
      return nil
    }
    self = fault
  }

  private static let known = [
    TLSFault("certificate has expired") {
      "the certificate of \($0) has expired; if this machine's clock is right, only --insecure gets past it"
    },
    TLSFault("certificate is not yet valid") {
      "the certificate of \($0) is not valid yet; if this machine's clock is right, only --insecure gets past it"
    },
    TLSFault("no alternative certificate subject name matches", "does not match target host name") {
      "the certificate that \($0) shows is for another name; check the link, only --insecure gets past it"
    },
    TLSFault(
      "self-signed certificate", "self signed certificate", "unable to get local issuer certificate",
      "unable to get issuer certificate", "unable to verify the first certificate"
    ) {
      "this machine does not trust the authority that signed the certificate of \($0);"
        + " name that authority with --cacert FILE"
    },
    TLSFault("certificate revoked") {
      "the certificate of \($0) has been revoked; only --insecure gets past it"
    },
    TLSFault("unsupported protocol", "alert protocol version") {
      "\($0) speaks no TLS version from 1.2 on; nothing older is spoken here"
    },
    TLSFault("alert handshake failure", "no ciphers available") {
      "\($0) and this machine have no TLS cipher in common"
    },
    TLSFault("excessive message size") { "\($0) sends more in its TLS handshake than a handshake takes" },
    TLSFault("wrong version number", "packet length too long", "http request") {
      "\($0) does not speak TLS at this port (wrong version number); try http instead of https"
    },
  ]
}
