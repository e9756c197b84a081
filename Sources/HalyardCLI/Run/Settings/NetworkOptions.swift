import Assembly
import FetchCurl
import Posix

extension PipelineOptions {
  /// What the options say about the way to servers and whom to trust.
  mutating func setTrust(_ arguments: ParsedArguments) throws(UsageError) {
    verifiesTLS = !arguments[LinkOption.insecure]
    usesHTTP2 = !arguments[LinkOption.http1]
    if let file = arguments[LinkOption.cacert] {
      guard mayReadFile(file) else {
        throw arguments.rejection(of: LinkOption.cacert, "'\(file)' cannot be read")
      }
      guard CurlSettings.canTrust(file: file) else {
        let need = "each from '-----BEGIN CERTIFICATE-----' on, and none broken"
        throw arguments.rejection(
          of: LinkOption.cacert, "'\(file)' is not a PEM file of certificates, \(need)")
      }
      authorities = file
    }
    if let proxy = arguments[LinkOption.proxy] {
      if let problem = Self.problem(ofProxy: proxy) {
        throw arguments.rejection(of: LinkOption.proxy, problem)
      }
      self.proxy = proxy
    }
  }
}
