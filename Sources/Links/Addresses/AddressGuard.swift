/// Decides whether an address may be dialled: public ones may, special ones only when allowed by name.
public struct AddressGuard: Sendable {
  public enum Verdict: Hashable, Sendable {
    case allowed
    /// `reason` names the range, such as `loopback`.
    case refused(reason: String)
  }

  private let allowed: [AllowedAddress]
  private let own: @Sendable () -> Set<IPAddress>

  /// `allowed` wins over everything; `own` tells the addresses that this machine's interfaces have now, which may change
  /// while the program runs. It is asked about public addresses only.
  public init(
    allowed: [AllowedAddress] = [], own: @escaping @Sendable () -> Set<IPAddress> = { [] }
  ) {
    self.allowed = allowed
    self.own = own
  }

  /// Judges the address and the port that are about to be dialled.
  public func verdict(on address: IPAddress, port: UInt16) -> Verdict {
    if isAllowed(address, port) || address.mappedV4.map({ isAllowed($0, port) }) == true { return .allowed }
    if let use = SpecialRanges.use(of: address) { return .refused(reason: Self.reason(use, address)) }
    return own().contains(address) ? .refused(reason: "this machine") : .allowed
  }

  /// Why a port of an address is not to be dialled; nil when it may be.
  public func refusal(of text: String, port: UInt16) -> String? {
    guard let address = IPAddress(text) else { return "unreadable" }
    return switch verdict(on: address, port: port) {
    case .allowed: nil
    case .refused(let reason): reason
    }
  }

  private func isAllowed(_ address: IPAddress, _ port: UInt16) -> Bool {
    allowed.contains { $0.contains(address, port: port) }
  }

  /// Where the address wraps a special IPv4 address, the reason names that one too.
  private static func reason(_ use: SpecialUse, _ address: IPAddress) -> String {
    let inner: IPAddress? =
      switch use {
      case .mappedV4, .compatibleV4, .nat64: address.lowV4
      case .tunnel6to4: IPAddress(v4: UInt32(truncatingIfNeeded: address.bits >> 80))
      case .teredo: IPAddress(v4: ~UInt32(truncatingIfNeeded: address.bits))
      default: nil
      }
    guard let inner, let innerUse = SpecialRanges.use(of: inner) else { return use.rawValue }
    return "\(use.rawValue) (\(innerUse.rawValue))"
  }
}
