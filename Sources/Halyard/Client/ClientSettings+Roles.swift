internal import Assembly
internal import FetchCurl
internal import Links
internal import Pipeline
internal import Posix
internal import Scheduling

/// What the settings mean for the pipeline; a wrong one fails the calls.
extension ClientSettings {
  func options() throws(HalyardError) -> PipelineOptions {
    var options = PipelineOptions()
    options.concurrency = Self.transfers.clamped(concurrency)
    options.threads = Self.threadCounts.clamped(threads ?? processors)
    options.hostPaces = HostPaces(
      HostPace(atOnce: max(1, perHost), delayMilliseconds: hostDelay.wholeMilliseconds))
    options.retries = retries
    options.givesUpAfter = givesUpAfter.map { max(1, $0) }
    options.maxHops = maxHops
    options.timeoutMilliseconds = timeout.wholeMilliseconds
    options.pageCapBytes = try cap(largestPage, "largest page")
    options.dataCapBytes = try cap(largestDocument, "largest document")
    options.ownHeaders = try ownHeaders()
    options.obeysRobots = obeysRobots
    options.userAgent = shownUserAgent
    options.allowed = AllowedAddresses(try allowed())
    if let proxy {
      if let problem = PipelineOptions.problem(ofProxy: proxy) { throw Self.wrong("proxy", problem) }
      options.proxy = proxy
    }
    if let authorities {
      guard CurlSettings.canTrust(file: authorities) else {
        throw Self.wrong("authorities '\(authorities)'", "it is not a PEM file of certificates")
      }
      options.authorities = authorities
    }
    return options
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
          .invalidInput, at: .address, "allowed address '\(text)': \(error.message)")
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

  private static let transfers = 1...10_000
  private static let threadCounts = 1...256

  /// A body travels in one message, with what was found about it.
  private static let bodySizes = 1_024...12 << 20

  private static func wrong(_ what: String, _ why: String) -> HalyardError {
    HalyardError(.invalidInput, at: .input, "settings: \(what): \(why)")
  }
}

extension ClosedRange<Int> {
  /// The nearest number that is in the range.
  fileprivate func clamped(_ number: Int) -> Int { Swift.min(Swift.max(number, lowerBound), upperBound) }
}
