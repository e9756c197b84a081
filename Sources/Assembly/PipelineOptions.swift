package import FetchCurl
package import Links
package import Pipeline
package import Posix
package import Roles

/// What commands and the client library let their users choose, and what it means for the roles and their way to the
/// network.
package struct PipelineOptions: Sendable {
  /// What each role is to do.
  package var roles = LocalPipeline.Settings()
  /// Threads that fetch and decode, in one process.
  package var threads = 1

  package var userAgent = "halyard"
  package var proxy: String?
  /// A PEM file of certificates to trust instead of the system's.
  package var authorities: String?
  package var verifiesTLS = true
  package var usesHTTP2 = true
  /// Addresses that may be talked to though they are special ones; they may change while the program runs.
  package var allowed = Lock<[AllowedAddress]>([])
  /// Prefixes under which the network reaches IPv4 addresses, beside those that its resolver tells.
  package var nat64: [NAT64Prefix] = []

  private static let connectionsPerTransfer = 4
  private static let percentUntried = 25

  package init() {
    roles.aggregator.hostPaces.percentUntried = Self.percentUntried
  }

  /// What users can choose.
  package static let concurrencies: ClosedRange<Int64> = 1...10_000
  package static let threadCounts: ClosedRange<Int64> = 1...256
  package static let hostCounts: ClosedRange<Int64> = 1...10_000
  package static let hopCounts: ClosedRange<Int64> = 0...1_000
  /// A body travels in one message, with what was found about it.
  package static let bodySizes: ClosedRange<Int64> = 1_024...12 << 20

  /// The way to the network, which refuses special addresses and this machine's own, but for those allowed.
  package func network(_ clock: any PipelineClock) -> CurlSettings {
    let own = Reread([], every: 1_000) { interfaceAddresses().map { Set($0.compactMap { IPAddress($0) }) } }
    let discovery = NAT64Discovery()
    // Without an address of its own that routers know, a machine reaches none through them.
    let found = { @Sendable in own.value.contains(where: \.isRoutedV6) ? discovery.prefixes : [] }
    var curl = CurlSettings(
      now: { clock.now },
      refusal: { [allowed, nat64] in
        AddressGuard(allowed: allowed.value, nat64: nat64, own: { own.value }, foundNAT64: found)
          .refusal(of: $0, port: $1)
      })
    let fetcher = roles.fetcher
    (curl.transfers, curl.connections) = (
      fetcher.concurrency, fetcher.concurrency * Self.connectionsPerTransfer
    )
    // Of the usual time, only a part may pass until the first byte; all of what a user adds may.
    if fetcher.timeoutMilliseconds > FetcherSettings().timeoutMilliseconds {
      curl.firstByteLimit = fetcher.timeoutMilliseconds
    }
    curl.wireBodyCapBytes = max(curl.wireBodyCapBytes, fetcher.pageCapBytes, fetcher.dataCapBytes)
    (curl.userAgent, curl.proxy, curl.caFile) = (userAgent, proxy, authorities)
    (curl.verifiesTLS, curl.usesHTTP2) = (verifiesTLS, usesHTTP2)
    return curl
  }
}

extension PipelineOptions {
  /// What is wrong with the text of a proxy; nil when it can be one. Never shows it, because it may hold a password.
  package static func problem(ofProxy text: String) -> String? {
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
