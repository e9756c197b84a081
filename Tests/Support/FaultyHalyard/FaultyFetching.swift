import Pipeline

/// A network of which a process dies when certain answers come.
struct FaultyFetching: Fetching {
  let base: any Fetching
  let fault: Fault

  var executor: (any TaskExecutor)? { base.executor }

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    let result = await base.fetch(request)
    if request.url.contains("faulty") { fault.passes(.fetched) }
    return result
  }

  func keeps(bytes: Int) { base.keeps(bytes: bytes) }
}
