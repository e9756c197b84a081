/// Decides whether an address may be dialled: public ones may, special ones only when allowed by name.
public struct AddressGuard: Sendable {
  public enum Verdict: Hashable, Sendable {
    case allowed
    /// `reason` names the range, such as `loopback`.
    case refused(reason: String)
  }

  private let allowed: [AllowedAddress]
  private let nat64: [NAT64Prefix]
  private let own: @Sendable () -> Set<IPAddress>
  private let foundNAT64: @Sendable () -> [NAT64Prefix]

  /// - Parameters:
  ///   - allowed: Wins over everything.
  ///   - nat64: Prefixes that a user named: their addresses are judged as the IPv4 addresses that they lead to.
  ///   - own: The addresses that this machine's interfaces have now, which may change while the program runs. It is asked
  ///     about public addresses only.
  ///   - foundNAT64: Prefixes that the network told of, asked about public IPv6 addresses only. They allow nothing.
  public init(
    allowed: [AllowedAddress] = [], nat64: [NAT64Prefix] = [],
    own: @escaping @Sendable () -> Set<IPAddress> = { [] },
    foundNAT64: @escaping @Sendable () -> [NAT64Prefix] = { [] }
  ) {
    (self.allowed, self.nat64) = (allowed, nat64)
    (self.own, self.foundNAT64) = (own, foundNAT64)
  }

  /// Judges the address and the port that are about to be dialled.
  public func verdict(on address: IPAddress, port: UInt16) -> Verdict {
    if isAllowed(address, port) || address.mappedV4.map({ isAllowed($0, port) }) == true { return .allowed }
    if let verdict = verdict(on: address, port, behind: nat64) { return verdict }
    if let use = SpecialRanges.use(of: address) { return .refused(reason: Self.reason(use, address)) }
    if own().contains(address) { return .refused(reason: "this machine") }
    return address.isV4 ? .allowed : verdict(on: address, port, behind: foundNAT64()) ?? .allowed
  }

  /// nil for an address of no such prefix.
  private func verdict(on address: IPAddress, _ port: UInt16, behind prefixes: [NAT64Prefix]) -> Verdict? {
    let verdicts = prefixes.compactMap { $0.inner(of: address) }.map { verdict(on: $0, port: port) }
    for case .refused(let reason) in verdicts {
      return .refused(reason: "\(SpecialUse.nat64.rawValue) (\(reason))")
    }
    return verdicts.first
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
