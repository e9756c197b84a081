import Links
import Testing

struct `IP addresses` {
  @Test(arguments: [
    ("0.0.0.0", "0.0.0.0"),
    ("192.0.2.255", "192.0.2.255"),
    ("::", "::"),
    ("::1", "::1"),
    ("2001:DB8::A", "2001:db8::a"),
    ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
    ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
    ("::ffff:192.0.2.1", "::ffff:c000:201"),
    ("1:2:3:4:5:6:7.8.9.10", "1:2:3:4:5:6:708:90a"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  ])
  func `are read as inet_ntop writes them`(text: String, description: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == description)
    #expect(IPAddress(description) == address)
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.0004", "0x7f.0.0.1", " 1.2.3.4",
    "1.2.3.4 ",
    "1.2.3.", "1..2.3", "1.2.3.4\0", "1.2.3.4\0.5", "::1\0", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8",
    "1:2:3:4:5:6:7:", "00001::", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.04",
    "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.2551",
    "[::1]", "fe80::1%eth0", "::g", ":", "1::2::3", "example.org", "::1.2.3",
  ])
  func `in any other form are refused`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func `are made from numbers`() {
    #expect(IPAddress(v4: 0x7F00_0001).description == "127.0.0.1")
    #expect(IPAddress(v4: 1) != IPAddress("::1"))
  }
}

struct `Address ranges` {
  @Test(arguments: [
    ("10.0.0.0/8", "10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
    ("127.0.0.1/8", "127.0.0.0/8", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
    ("192.0.2.7", "192.0.2.7/32", "192.0.2.7", "192.0.2.7", "192.0.2.6", "192.0.2.8"),
    ("172.16.0.0/12", "172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
    ("0.0.0.0/0", "0.0.0.0/0", "0.0.0.0", "255.255.255.255", "::", "::ffff:1.2.3.4"),
    ("fd00::/8", "fd00::/8", "fd00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fcff::", "fe00::"),
    ("::1", "::1/128", "::1", "::1", "::", "::2"),
    ("::/0", "::/0", "::", "ffff::", "0.0.0.0", "1.2.3.4"),
  ])
  func `hold exactly what is in them`(
    cidr: String, description: String, first: String, last: String, before: String, after: String
  ) throws {
    let range = try AddressRange(cidr: cidr)
    #expect(range.description == description)
    #expect(range.contains(try #require(IPAddress(first))))
    #expect(range.contains(try #require(IPAddress(last))))
    #expect(!range.contains(try #require(IPAddress(before))))
    #expect(!range.contains(try #require(IPAddress(after))))
  }

  @Test(arguments: [
    "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/-1", "10.0.0.0/+8",
    "10.0.0.0/ 8", "10/8", "example.org/8", "10.0.0.0/99999999999999999999",
  ])
  func `that are none are refused`(cidr: String) {
    #expect(throws: LinkError.invalidAddressRange(cidr)) { try AddressRange(cidr: cidr) }
  }
}
