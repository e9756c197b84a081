import Links
import Testing

struct Hosts {
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"),
    ("127.0.0.1.", "127.0.0.1"),
    ("2130706433", "127.0.0.1"),
    ("0x7f.1", "127.0.0.1"),
    ("017700000001", "127.0.0.1"),
    ("127.1", "127.0.0.1"),
    ("127.0.1", "127.0.0.1"),
    ("0x7F000001", "127.0.0.1"),
    ("0X7f.0.0.0x1", "127.0.0.1"),
    ("0300.168.0.0xF0", "192.168.0.240"),
    ("192.168.257", "192.168.1.1"),
    ("0", "0.0.0.0"),
    ("0x", "0.0.0.0"),
    ("0x.0x.0", "0.0.0.0"),
    ("4294967295", "255.255.255.255"),
    ("%30%78%63%30%2e%30%32%35%30.01", "192.168.0.1"),
    ("１２７.０.０.１", "127.0.0.1"),
    ("127。0。0。1", "127.0.0.1"),
  ])
  func `that are IPv4 in any spelling are addresses`(host: String, address: String) throws {
    let url = try WebURL("http://\(host)/")
    #expect(url.href == "http://\(address)/")
    #expect(url.host == IPAddress(address).map(Host.address))
  }

  @Test(arguments: [
    "256.0.0.1", "1.2.3.4.5", "1.2.3.256", "4294967296", "0x100000000", "1.2.3.08", "1.2.3.09", "09", "08.",
    "foo.0x4", "foo.123", "1..2", ".1", "1.65536.1", "1.16777216", "0xffffffffffffffffffff",
    "99999999999999999999999",
  ])
  func `that end in a number but are no IPv4 address are refused`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidIPv4)) { try WebURL("http://\(host)/") }
  }

  @Test(arguments: [
    ("foo.0x4g", "foo.0x4g"),
    ("1.2.3.x", "1.2.3.x"),
    ("1.2.3.4..", "1.2.3.4.."),
    ("4chan.org", "4chan.org"),
    ("example.org.", "example.org."),
    (".", "."),
    ("a..b", "a..b"),
    ("-a-.b_c", "-a-.b_c"),
    ("r4---sn-x.example", "r4---sn-x.example"),
    ("ex%41mple.com", "example.com"),
    ("example%2Ecom", "example.com"),
    ("!\"$&'()*+,-.;=_`{}~", "!\"$&'()*+,-.;=_`{}~"),
  ])
  func `that are names stay names`(host: String, name: String) throws {
    #expect(try WebURL("http://\(host)/").host == .domain(name))
  }

  @Test(arguments: [
    ("[::1]", "[::1]"),
    ("[::]", "[::]"),
    ("[1::]", "[1::]"),
    ("[2001:0DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"),
    ("[1:0:0:2:0:0:0:3]", "[1:0:0:2::3]"),
    ("[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]"),
    ("[0:0:0:0:0:0:13.1.68.3]", "[::d01:4403]"),
    ("[::127.0.0.1]", "[::7f00:1]"),
    ("[::ffff:192.168.0.1]", "[::ffff:c0a8:1]"),
    ("[64:ff9b::8.8.8.8]", "[64:ff9b::808:808]"),
    ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"),
    ("[::1:2:3:4:5:6:7]", "[0:1:2:3:4:5:6:7]"),
  ])
  func `that are IPv6 are compressed`(host: String, serialised: String) throws {
    #expect(try WebURL("http://\(host):8080/").href == "http://\(serialised):8080/")
  }

  @Test(arguments: [
    "[", "[]", "[:]", "[:::]", "[1]", "[1::2::3]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7]", "[:1]", "[1:]",
    "[12345::]", "[g::]", "[::1", "[::1]x", "[::1%25eth0]", "[::1.2.3]", "[::1.2.3.4.5]", "[::1.2.3.256]",
    "[::01.2.3.4]", "[1:2:3:4:5:6:7:1.2.3.4]", "[::.1.2.3]", "[1.2.3.4]", "[::1.2.3.4:5]",
    "[1:2:3:4:5:6:7:8::]", "[::1:2:3:4:5:6:7:8]", "[www.example.org]",
  ])
  func `in brackets that are no IPv6 address are refused`(host: String) {
    #expect(throws: LinkError.invalidHost(.invalidIPv6)) { try WebURL("http://\(host)/") }
  }
}
