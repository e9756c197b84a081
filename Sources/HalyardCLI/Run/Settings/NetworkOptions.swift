import FetchCurl
import Links
import Posix

extension CurlSettings {
  /// What the options say about the way to servers and whom to trust.
  mutating func setNetwork(_ arguments: ParsedArguments) throws(UsageError) {
    verifiesTLS = !arguments[LinkOption.insecure]
    usesHTTP2 = !arguments[LinkOption.http1]
    if let file = arguments[LinkOption.cacert] {
      guard mayReadFile(file) else {
        throw arguments.rejection(of: LinkOption.cacert, "'\(file)' cannot be read")
      }
      guard Self.canTrust(file: file) else {
        let need = "each from '-----BEGIN CERTIFICATE-----' on, and none broken"
        throw arguments.rejection(
          of: LinkOption.cacert, "'\(file)' is not a PEM file of certificates, \(need)")
      }
      caFile = file
    }
    if let proxy = arguments[LinkOption.proxy] {
      if let problem = Self.problem(ofProxy: proxy) {
        throw arguments.rejection(of: LinkOption.proxy, problem)
      }
      self.proxy = proxy
    }
  }

  /// Never shows the URL, which may hold a password.
  private static func problem(ofProxy text: String) -> String? {
    let schemes = ["http", "https", "socks5h"]
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      return "it begins with none of http://, https:// and socks5h://"
    }
    let scheme = text[..<colon].lowercased()
    guard schemes.contains(scheme) else {
      return "'\(scheme)' is not one of \(schemes.joined(separator: ", "))"
    }
    // The rest is written as in any link.
    guard (try? WebURL("http\(text[colon...])")) != nil else { return "it is not a URL" }
    return nil
  }
}
