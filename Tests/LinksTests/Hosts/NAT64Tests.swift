import Links
import Testing

struct `NAT64 prefixes` {
  /// How RFC 6052, 2.4, wraps 192.0.2.33.
  static let wrapped: [(prefix: String, address: String)] = [
    ("2a00:db8::/32", "2a00:db8:c000:221::"), ("2a00:db8:100::/40", "2a00:db8:1c0:2:21::"),
    ("2a00:db8:122::/48", "2a00:db8:122:c000:2:2100::"),
    ("2a00:db8:122:300::/56", "2a00:db8:122:3c0:0:221::"),
    ("2a00:db8:122:344::/64", "2a00:db8:122:344:c0:2:2100::"),
    ("2a00:db8:122:344::/96", "2a00:db8:122:344::192.0.2.33"), ("64:ff9b::/96", "64:ff9b::192.0.2.33"),
  ]

  @Test(arguments: wrapped)
  func `lead to the IPv4 address that is in an address`(prefix: String, address: String) throws {
    let prefixes = [try NAT64Prefix(prefix)]
    let refused = AddressGuard.Verdict.refused(reason: "NAT64 (documentation)")
    let text = try #require(IPAddress(address))
    #expect(AddressGuard(nat64: prefixes).verdict(on: text, port: 80) == refused)
    let allowed = [try AllowedAddress("192.0.2.33:80")]
    #expect(AddressGuard(allowed: allowed, nat64: prefixes).verdict(on: text, port: 80) == .allowed)
    #expect(AddressGuard(allowed: allowed, nat64: prefixes).verdict(on: text, port: 81) == refused)
  }

  @Test(arguments: [
    ("2a00:1::/32", "2a00:1:c000:aa::"), ("2a00:1:200::/40", "2a00:1:2c0:0:aa::"),
    ("2a00:1:2::/48", "2a00:1:2:c000:0:ab00::"), ("2a00:1:2:300::/56", "2a00:1:2:3c0:0:aa::"),
    ("2a00:1:2:3::/64", "2a00:1:2:3:c0:0:aa00::"), ("2a00:1:2:3:4:5::/96", "2a00:1:2:3:4:5:192.0.0.171"),
  ])
  func `are found in what a resolver wraps for a name without an IPv6 address`(
    prefix: String, address: String
  ) throws {
    let addresses = try [address, "192.0.0.170", "2a00:9::1"].map { try #require(IPAddress($0)) }
    #expect(NAT64Prefix.found(in: addresses) == [try NAT64Prefix(prefix)])
  }

  @Test func `that were found refuse private addresses, and allow nothing`() throws {
    let found = try [NAT64Prefix("2a00:1::/96"), NAT64Prefix("64:ff9b::/96")]
    let addressGuard = AddressGuard(foundNAT64: { found })
    func refusal(_ text: String) -> String? { addressGuard.refusal(of: text, port: 80) }
    #expect(refusal("2a00:1::10.0.0.1") == "NAT64 (private)")
    #expect(refusal("2a00:1::169.254.169.254") == "NAT64 (cloud metadata)")
    #expect(refusal("2a00:1::8.8.8.8") == nil)
    #expect(refusal("2a00:2::10.0.0.1") == nil)
    #expect(refusal("64:ff9b::8.8.8.8") == "NAT64")
  }

  @Test func `are not looked for where only IPv4 or special addresses are dialled`() throws {
    let addressGuard = AddressGuard(foundNAT64: {
      Issue.record("asked")
      return []
    })
    #expect(addressGuard.refusal(of: "8.8.8.8", port: 80) == nil)
    #expect(addressGuard.refusal(of: "fd00::1", port: 80) == "unique-local")
  }

  @Test func `that a user names lead to public addresses`() throws {
    let own = try #require(IPAddress("93.184.215.14"))
    let addressGuard = AddressGuard(nat64: [try NAT64Prefix("64:ff9b::/96")]) { [own] }
    #expect(addressGuard.refusal(of: "64:ff9b::8.8.8.8", port: 80) == nil)
    #expect(addressGuard.refusal(of: "64:ff9b::93.184.215.14", port: 80) == "NAT64 (this machine)")
  }

  @Test(arguments: ["", "x", "10.0.0.0/8", "2a00::/95", "2a00::", "2a00::/128"])
  func `have one of six lengths`(text: String) {
    #expect(throws: LinkError.invalidNAT64Prefix(text)) { try NAT64Prefix(text) }
  }
}
