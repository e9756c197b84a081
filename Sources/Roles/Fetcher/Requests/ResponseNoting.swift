import Pipeline

extension ResponseNote {
  /// One look at each header: this is done for every page.
  ///
  /// - Parameter wantsLinks: Whether the job follows Link headers.
  init?(of response: FetchResponse, wantsLinks: Bool) {
    var (disposition, language): (String?, String?)
    var length: UInt64?
    var (isCoded, isChallenge) = (false, false)
    var links: [String] = []
    for header in response.headers {
      switch header.name.utf8.count {
      case 4 where wantsLinks && header.isNamed("link"): links.append(header.value)
      case 12 where header.isNamed("cf-mitigated"):
        isChallenge = isChallenge || header.value.lowercased() == "challenge"
      case 14 where header.isNamed("content-length"): length = length ?? UInt64(header.value)
      case 16 where header.isNamed("content-encoding"): isCoded = true
      case 16 where header.isNamed("content-language") && !header.value.isEmpty:
        language = language ?? header.value
      case 17 where header.isNamed("x-amzn-waf-action"):
        isChallenge = isChallenge || ["captcha", "challenge"].contains(header.value.lowercased())
      case 19 where header.isNamed("content-disposition"): disposition = disposition ?? header.value
      default: break
      }
    }
    self.init(
      disposition: disposition, language: language, length: isCoded ? nil : length, isChallenge: isChallenge,
      links: links)
  }
}
