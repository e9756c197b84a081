internal import ClockPosix
internal import FetchCurl
internal import Links
internal import Pipeline
internal import Posix
internal import Roles
import Scheduling

/// What the settings mean for the pipeline's roles and its way to the network; a wrong one fails the calls.
extension ClientSettings {
  var manners: AggregatorSettings {
    var manners = AggregatorSettings(
      perHost: max(1, perHost), hostDelayMilliseconds: hostDelay.wholeMilliseconds,
      retry: RetryRule(retries: UInt16(clamping: retries)))
    manners.givesUpAfter = givesUpAfter.map { max(1, $0) }
    return manners
  }

  func fetching() throws(HalyardError) -> FetcherSettings {
    var fetcher = FetcherSettings(
      concurrency: concurrency, maxHops: maxHops, timeoutMilliseconds: timeout.wholeMilliseconds,
      pageCapBytes: try cap(largestPage, "largest page"),
      dataCapBytes: try cap(largestDocument, "largest document"))
    fetcher.ownHeaders = try ownHeaders()
    if obeysRobots { fetcher.robotsName = ProductToken(userAgent: shownUserAgent) }
    return fetcher
  }

  func network(_ clock: SystemClock) throws(HalyardError) -> CurlSettings {
    let own = Reread([], every: 1_000) { interfaceAddresses().map { Set($0.compactMap { IPAddress($0) }) } }
    let guardian = AddressGuard(allowed: try allowed()) { own.value }
    var curl = CurlSettings(now: { clock.now }, refusal: { guardian.refusal(of: $0, port: $1) })
    curl.userAgent = shownUserAgent
    curl.firstByteLimit = max(curl.firstByteLimit, timeout.wholeMilliseconds)
    curl.wireBodyCapBytes = max(curl.wireBodyCapBytes, largestPage, largestDocument)
    if let proxy {
      guard ["http://", "https://", "socks5h://"].contains(where: proxy.lowercased().hasPrefix) else {
        throw Self.wrong("proxy", "it begins with none of http://, https:// and socks5h://")
      }
      curl.proxy = proxy
    }
    if let authorities {
      guard CurlSettings.canTrust(file: authorities) else {
        throw Self.wrong("authorities '\(authorities)'", "it is not a PEM file of certificates")
      }
      curl.caFile = authorities
    }
    return curl
  }

  private var shownUserAgent: String {
    String(userAgent.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
  }

  private func ownHeaders() throws(HalyardError) -> [HeaderField] {
    var fields: [HeaderField] = []
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard OwnHeaderRule.isToken(name), OwnHeaderRule.isOneLine(value) else {
        throw Self.wrong(
          "header '\(name)'", "it is not the name of a header, or its value has control characters")
      }
      guard !OwnHeaderRule.isReserved(name) else {
        throw Self.wrong("header '\(name)'", "it is not for users to set")
      }
      fields.append(HeaderField(name, value))
    }
    return fields
  }

  private func allowed() throws(HalyardError) -> [AllowedAddress] {
    var allowed: [AllowedAddress] = []
    for text in allowedAddresses {
      do {
        allowed.append(try AllowedAddress(text))
      } catch {
        throw HalyardError(
          .invalidInput, at: Stage.address.rawValue, "allowed address '\(text)': \(error.message)")
      }
    }
    return allowed
  }

  private func cap(_ bytes: Int, _ name: String) throws(HalyardError) -> Int {
    guard Self.bodySizes.contains(bytes) else {
      throw Self.wrong("\(name) of \(bytes) bytes", "it is not between 1 KiB and 12 MiB")
    }
    return bytes
  }

  /// A body travels in one message, with what was found about it.
  private static let bodySizes = 1_024...12 << 20

  private static func wrong(_ what: String, _ why: String) -> HalyardError {
    HalyardError(.invalidInput, at: Stage.input.rawValue, "settings: \(what): \(why)")
  }
}
