/// What is wrong with a peer's TLS, in plain words and with what to do about it.
enum TLSFault: CaseIterable {
  case expired
  case notYetValid
  case wrongName
  case untrusted
  case revoked
  case oldProtocol
  case noCommonCipher
  case flood
  case notTLS

  /// Reads libcurl's and OpenSSL's own words; nil when they are none of those known.
  init?(_ text: String) {
    guard let fault = Self.allCases.first(where: { $0.signs.contains(where: text.contains) }) else {
      return nil
    }
    self = fault
  }

  private var signs: [String] {
    switch self {
    case .expired: ["certificate has expired"]
    case .notYetValid: ["certificate is not yet valid"]
    case .wrongName: ["no alternative certificate subject name matches", "does not match target host name"]
    case .untrusted:
      [
        "self-signed certificate", "self signed certificate", "unable to get local issuer certificate",
        "unable to get issuer certificate", "unable to verify the first certificate",
      ]
    case .revoked: ["certificate revoked"]
    case .oldProtocol: ["unsupported protocol", "alert protocol version"]
    case .noCommonCipher: ["alert handshake failure", "no ciphers available"]
    case .flood: ["excessive message size"]
    case .notTLS: ["wrong version number", "packet length too long", "http request"]
    }
  }

  func words(host: String) -> String {
    switch self {
    case .expired:
      "the certificate of \(host) has expired; if this machine's clock is right, only --insecure gets past it"
    case .notYetValid:
      "the certificate of \(host) is not valid yet; if this machine's clock is right, only --insecure gets past it"
    case .wrongName:
      "the certificate that \(host) shows is for another name; check the link, only --insecure gets past it"
    case .untrusted:
      "this machine does not trust the authority that signed the certificate of \(host);"
        + " name that authority with --cacert FILE"
    case .revoked:
      "the certificate of \(host) has been revoked; only --insecure gets past it"
    case .oldProtocol:
      "\(host) speaks no TLS version from 1.2 on; nothing older is spoken here"
    case .noCommonCipher:
      "\(host) and this machine have no TLS cipher in common"
    case .flood:
      "\(host) sends more in its TLS handshake than a handshake takes"
    case .notTLS:
      "\(host) does not speak TLS at this port (wrong version number); try http instead of https"
    }
  }
}
