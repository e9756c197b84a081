import LinkPreviews
import Links
import Pipeline

/// Refuses requests to denied hosts: of the link itself, of each redirect, and of what is asked about a page.
struct DenyingFetching: Fetching {
  let base: any Fetching
  let denied: DeniedHosts

  /// - Returns: The same where nothing is denied.
  static func wanted(_ denied: DeniedHosts, _ fetching: [any Fetching]) -> [any Fetching] {
    denied.names.isEmpty ? fetching : fetching.map { DenyingFetching(base: $0, denied: denied) }
  }

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    guard let url = try? WebURL(request.url), denied.contains(url.host) else {
      return await base.fetch(request)
    }
    return .failure(
      Failure(
        .blockedAddress, at: .address,
        "fetch \(printableLink(request.url)): links of \(url.hostKey) are not fetched here"))
  }

  func keeps(bytes: Int) { base.keeps(bytes: bytes) }

  var executor: (any TaskExecutor)? { base.executor }
}
