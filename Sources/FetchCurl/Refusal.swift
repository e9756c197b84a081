internal import Pipeline

/// An address that must not be talked to.
struct Refusal: Hashable {
  let address: String
  let reason: String

  func failure(for request: FetchRequest) -> Failure {
    Failure(
      .blockedAddress, at: .address,
      "fetch \(request.shownURL): address \(address) is refused (\(reason));"
        + " allow it with --allow-address \(address)")
  }
}
