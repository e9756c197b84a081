internal import Curl
internal import Pipeline

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
