import Links
import Synchronization
import Testing

/// A special range with its first and last address, and its public neighbours where it has them.
struct SpecialRange: Sendable {
  let reason: String
  let first: String
  let last: String
  let before: String?
  let after: String?

  init(_ reason: String, _ first: String, _ last: String, before: String? = nil, after: String? = nil) {
    self.reason = reason
    self.first = first
    self.last = last
    self.before = before
    self.after = after
  }
}

struct `The address guard` {
  @Test(arguments: [
    SpecialRange("this network", "0.0.0.1", "0.255.255.255", after: "1.0.0.0"),
    SpecialRange("private", "10.0.0.0", "10.255.255.255", before: "9.255.255.255", after: "11.0.0.0"),
    SpecialRange(
      "carrier-grade NAT", "100.64.0.0", "100.127.255.255", before: "100.63.255.255", after: "100.128.0.0"),
    SpecialRange("loopback", "127.0.0.0", "127.255.255.255", before: "126.255.255.255", after: "128.0.0.0"),
    SpecialRange(
      "link-local", "169.254.0.0", "169.254.255.255", before: "169.253.255.255", after: "169.255.0.0"),
    SpecialRange("private", "172.16.0.0", "172.31.255.255", before: "172.15.255.255", after: "172.32.0.0"),
    SpecialRange(
      "protocol assignment", "192.0.0.0", "192.0.0.255", before: "191.255.255.255", after: "192.0.1.0"),
    SpecialRange("protocol assignment", "192.0.0.8", "192.0.0.8", after: "192.0.0.9"),
    SpecialRange("protocol assignment", "192.0.0.11", "192.0.0.191", before: "192.0.0.10"),
    SpecialRange(
      "cloud metadata", "168.63.129.16", "168.63.129.16", before: "168.63.129.15", after: "168.63.129.17"),
    SpecialRange("documentation", "192.0.2.0", "192.0.2.255", before: "192.0.1.255", after: "192.0.3.0"),
    SpecialRange(
      "6to4 relay", "192.88.99.0", "192.88.99.255", before: "192.88.98.255", after: "192.88.100.0"),
    SpecialRange(
      "private", "192.168.0.0", "192.168.255.255", before: "192.167.255.255", after: "192.169.0.0"),
    SpecialRange(
      "benchmarking", "198.18.0.0", "198.19.255.255", before: "198.17.255.255", after: "198.20.0.0"),
    SpecialRange(
      "documentation", "198.51.100.0", "198.51.100.255", before: "198.51.99.255", after: "198.51.101.0"),
    SpecialRange(
      "documentation", "203.0.113.0", "203.0.113.255", before: "203.0.112.255", after: "203.0.114.0"),
    SpecialRange("multicast", "224.0.0.0", "239.255.255.255", before: "223.255.255.255"),
    SpecialRange("reserved", "240.0.0.0", "255.255.255.254"),
    SpecialRange("broadcast", "255.255.255.255", "255.255.255.255"),
    SpecialRange("unspecified", "0.0.0.0", "0.0.0.0"),
  ])
  func `refuses every special IPv4 range and nothing beside it`(range: SpecialRange) throws {
    try check(range)
  }

  @Test(arguments: [
    SpecialRange("unspecified", "::", "::"),
    SpecialRange("loopback", "::1", "::1"),
    SpecialRange("IPv4-compatible", "::2", "::255.255.255.255"),
    SpecialRange("IPv4-mapped", "::ffff:0.0.0.0", "::ffff:255.255.255.255"),
    SpecialRange("NAT64", "64:ff9b::", "64:ff9b::255.255.255.255"),
    SpecialRange("NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("discard-only", "100::", "100::ffff:ffff:ffff:ffff"),
    SpecialRange("discard-only", "100:0:0:1::", "100::1:ffff:ffff:ffff:ffff"),
    SpecialRange("reserved", "100:0:0:2::", "1ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("reserved", "::1:0:0:0", "::fffe:ffff:ffff"),
    SpecialRange("reserved", "::ffff:0:0:0", "::ffff:0:255.255.255.255"),
    SpecialRange("reserved", "64:ff9b::1:0:0", "64:ff9b:0:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("reserved", "64:ff9b:2::", "64:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("protocol assignment", "2001:1::", "2001:1::", after: "2001:1::1"),
    SpecialRange(
      "protocol assignment", "2001:1::4", "2001:1:ffff:ffff:ffff:ffff:ffff:ffff", before: "2001:1::3"),
    SpecialRange(
      "protocol assignment", "2001:2:1::", "2001:2:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:3::"),
    SpecialRange(
      "protocol assignment", "2001:4::", "2001:4:111:ffff:ffff:ffff:ffff:ffff",
      before: "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:4:112::"),
    SpecialRange(
      "protocol assignment", "2001:4:113::", "2001:f:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:20::"),
    SpecialRange(
      "protocol assignment", "2001:40::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:200::"),
    SpecialRange(
      "documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", after: "2001:db9::"),
    SpecialRange(
      "6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2003::"),
    SpecialRange(
      "documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "3fff:1000::"),
    SpecialRange("segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("unique-local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("link-local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("site-local", "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange("reserved", "200::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", after: "2000::"),
    SpecialRange("reserved", "4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    SpecialRange(
      "reserved", "6000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
      before: "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  ])
  func `refuses every special IPv6 range and nothing beside it`(range: SpecialRange) throws {
    try check(range)
  }

  private func check(_ range: SpecialRange) throws {
    let addressGuard = AddressGuard()
    for text in [range.first, range.last] {
      let address = try #require(IPAddress(text))
      guard case .refused(let reason) = addressGuard.verdict(on: address, port: 443) else {
        Issue.record("\(text) is allowed")
        continue
      }
      // A wrapped IPv4 address may be named behind the range.
      #expect(reason == range.reason || reason.hasPrefix("\(range.reason) ("), "\(text)")
    }
    for text in [range.before, range.after].compactMap(\.self) {
      let address = try #require(IPAddress(text))
      #expect(addressGuard.verdict(on: address, port: 443) == .allowed, "\(text)")
    }
  }

  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "93.184.215.14", "104.16.0.1", "168.63.129.15", "168.63.129.17", "192.0.0.9",
    "192.0.0.10", "192.31.196.1", "192.52.193.1", "192.175.48.1", "2001:1::1", "2001:1::2", "2001:1::3",
    "2001:3::1", "2001:4:112::1", "2001:30::1", "2001:4860:4860::8888", "2606:4700:4700::1111",
    "2620:4f:8000::1", "2a00:1450:4001::200e", "2c0f:ffff::",
  ])
  func `allows public addresses`(text: String) throws {
    #expect(AddressGuard().verdict(on: try #require(IPAddress(text)), port: 443) == .allowed)
  }

  @Test(arguments: [
    ("169.254.169.254", "cloud metadata"),
    ("169.254.170.2", "cloud metadata"),
    ("100.100.100.200", "cloud metadata"),
    ("168.63.129.16", "cloud metadata"),
    ("192.0.0.192", "cloud metadata"),
    ("fd00:ec2::254", "cloud metadata"),
    ("fd20:ce::254", "cloud metadata"),
    ("::ffff:127.0.0.1", "IPv4-mapped (loopback)"),
    ("::ffff:169.254.169.254", "IPv4-mapped (cloud metadata)"),
    ("::127.0.0.1", "IPv4-compatible (loopback)"),
    ("64:ff9b::10.0.0.1", "NAT64 (private)"),
    ("2002:7f00:1::", "6to4 (loopback)"),
    ("2001::f5ff:fffe", "Teredo (private)"),
  ])
  func `says what is behind an address`(text: String, reason: String) throws {
    #expect(AddressGuard().verdict(on: try #require(IPAddress(text)), port: 443) == .refused(reason: reason))
  }

  @Test func `lets the allow-list win, in both forms of an IPv4 address`() throws {
    let addressGuard = AddressGuard(allowed: [
      try AllowedAddress("127.0.0.0/8"), try AllowedAddress("fd00:1::/32"),
    ])
    for text in ["127.0.0.1", "127.255.255.255", "::ffff:127.0.0.1", "fd00:1::7", "8.8.8.8"] {
      #expect(addressGuard.verdict(on: try #require(IPAddress(text)), port: 443) == .allowed, "\(text)")
    }
    for text in ["10.0.0.1", "::1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "fd00:2::7", "::127.0.0.1"] {
      #expect(addressGuard.verdict(on: try #require(IPAddress(text)), port: 443) != .allowed, "\(text)")
    }
  }

  @Test func `refuses this machine's own public addresses unless they are allowed`() throws {
    let own = try #require(IPAddress("93.184.215.14"))
    let neighbour = try #require(IPAddress("93.184.215.15"))
    let addressGuard = AddressGuard { [own] }
    #expect(addressGuard.verdict(on: own, port: 443) == .refused(reason: "this machine"))
    #expect(addressGuard.verdict(on: neighbour, port: 443) == .allowed)
    let open = AddressGuard(allowed: [try AllowedAddress("93.184.215.14")]) { [own] }
    #expect(open.verdict(on: own, port: 443) == .allowed)
  }

  @Test func `asks each time which addresses this machine has`() throws {
    let gained = try #require(IPAddress("93.184.215.14"))
    let addresses = Mutex<Set<IPAddress>>([])
    let addressGuard = AddressGuard { addresses.withLock { $0 } }
    #expect(addressGuard.verdict(on: gained, port: 443) == .allowed)
    addresses.withLock { $0 = [gained] }
    #expect(addressGuard.verdict(on: gained, port: 443) == .refused(reason: "this machine"))
  }

  @Test(arguments: [
    ("127.0.0.1:8080", "127.0.0.1", "127.0.0.2"), ("10.0.0.0/8:8080", "10.7.7.7", "192.168.0.1"),
    ("[::1]:8080", "::1", "::2"), ("[fd00::/8]:8080", "fd00::7", "fe80::7"),
    ("fd00::/8:8080", "fd00::7", "::1"),
    ("127.0.0.1:8080", "::ffff:127.0.0.1", "::ffff:127.0.0.2"),
  ])
  func `lets one port in and no other`(allowed: String, inside: String, outside: String) throws {
    let addressGuard = AddressGuard(allowed: [try AllowedAddress(allowed)])
    #expect(addressGuard.refusal(of: inside, port: 8080) == nil)
    #expect(addressGuard.refusal(of: inside, port: 8081) != nil)
    #expect(addressGuard.refusal(of: inside, port: 80) != nil)
    #expect(addressGuard.refusal(of: outside, port: 8080) != nil)
    #expect(addressGuard.refusal(of: "8.8.8.8", port: 22) == nil)
  }
}

struct `Allowed addresses` {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1/32"), ("10.0.0.0/8", "10.0.0.0/8"), ("127.0.0.1:8080", "127.0.0.1/32:8080"),
    ("10.0.0.0/8:1", "10.0.0.0/8:1"), ("::1", "::1/128"), ("fd00::/8", "fd00::/8"), ("[::1]", "::1/128"),
    ("[::1]:65535", "[::1/128]:65535"), ("[fd00::/8]:8080", "[fd00::/8]:8080"),
    ("fd00::/8:8080", "[fd00::/8]:8080"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8/128"),
  ])
  func `are read with a port and without`(text: String, description: String) throws {
    #expect(try AllowedAddress(text).description == description)
  }

  @Test(arguments: [
    "", ":", ":80", "here", "here:80", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+80",
    "127.0.0.1: 80", "127.0.0.1:80:81", "[::1]:", "[::1]80", "[::1", "::1]:80", "[127.0.0.1]:80", "[]:80",
    "10.0.0.0:80/8", "10.0.0.0/8:", "10.0.0.0/33:80", "10.0.0.0/8:http", "[::1]:80:81",
  ])
  func `that are none are refused`(text: String) {
    #expect(throws: LinkError.invalidAddressRange(text)) { try AllowedAddress(text) }
  }
}
