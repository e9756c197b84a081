internal import Pipeline

/// An address that must not be talked to.
struct Refusal: Hashable {
  let address: String
  let port: UInt16
  let reason: String

  /// nil when the address may be talked to.
  init?(of address: String, port: UInt16, by settings: CurlSettings) {
    guard let reason = settings.refusal(address, port) else { return nil }
    (self.address, self.port, self.reason) = (address, port, reason)
  }

  func failure(for request: FetchRequest) -> Failure {
    var failure = request.failure(
      .blockedAddress, at: .address,
      "address \(address) is refused (\(reason)); allow it with --allow-address \(place)")
    failure.refusedAddress = place
    return failure
  }

  private var place: String { address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)" }
}
