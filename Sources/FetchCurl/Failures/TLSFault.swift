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
