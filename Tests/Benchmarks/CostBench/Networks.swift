import FetchCurl
import Pipeline

/// For jobs that need none.
struct NoNetwork: Fetching {
  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    .success(FetchResponse(status: 404))
  }
}

/// libcurl on its own thread, without the roles, which otherwise run there between two exchanges.
struct Network: Fetching {
  private let curl = CurlFetching(
    settings: CurlSettings(now: { StoppedClock().now }, refusal: { _, _ in nil }))

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    await curl.fetch(request)
  }

  func shutdown() {
    curl.shutdown()
  }
}
