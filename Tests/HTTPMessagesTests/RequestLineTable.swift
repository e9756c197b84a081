import HTTPMessages

extension RawRequest {
  static let requestLines: [RawRequest] = [
    RawRequest("a plain request", get(), .read(["GET /"])),
    RawRequest("one empty line before it", "\r\n" + get(), .read(["GET /"])),
    RawRequest("two empty lines before it", "\r\n\r\n" + get(), .refused(.malformedRequestLine)),
    RawRequest("a bare LF before it", "\n" + get(), .refused(.malformedRequestLine)),
    RawRequest("a CR alone before it", "\rGET / HTTP/1.1\r\n", .refused(.malformedLineEnd)),
    RawRequest("a space before it", " " + get(), .refused(.malformedRequestLine)),
    RawRequest(
      "a bare LF behind the version", "GET / HTTP/1.1\nHost: a\r\n\r\n", .refused(.malformedRequestLine)),
    RawRequest("a CR without LF", "GET / HTTP/1.1\rHost: a\r\n\r\n", .refused(.malformedLineEnd)),
    RawRequest("HTTP/0.9", "GET /\r\n", .refused(.malformedRequestLine)),
    RawRequest("no target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n", .refused(.malformedTarget)),
    RawRequest("two spaces before the target", get(target: " /"), .refused(.malformedRequestLine)),
    RawRequest("two spaces before the version", get(version: " HTTP/1.1"), .refused(.malformedRequestLine)),
    RawRequest("a space in the target", get(target: "/a b"), .refused(.malformedRequestLine)),
    RawRequest("a space behind the version", get(version: "HTTP/1.1 "), .refused(.malformedRequestLine)),
    RawRequest("tabs for spaces", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n", .refused(.malformedRequestLine)),
    RawRequest("a tab in the target", get(target: "/\ta"), .refused(.malformedTarget)),
    RawRequest("a vertical tab for a space", "GET\u{B}/ HTTP/1.1\r\n", .refused(.malformedRequestLine)),
    RawRequest("a form feed in the target", get(target: "/\u{C}"), .refused(.malformedTarget)),
    RawRequest("a zero byte in the target", get(target: "/\0"), .refused(.malformedTarget)),
    RawRequest("DEL in the target", get(target: "/\u{7F}"), .refused(.malformedTarget)),
    RawRequest("a raw letter beyond ASCII", get(target: "/ä"), .refused(.malformedTarget)),
    RawRequest("a fragment", get(target: "/a#b"), .refused(.malformedTarget)),
    RawRequest("an escaped zero byte", get(target: "/a%00b"), .refused(.malformedTarget)),
    RawRequest("an escaped zero byte in the query", get(target: "/?a=%41%00"), .refused(.malformedTarget)),
    RawRequest("no escaped zero byte", get(target: "/%20%0"), .read(["GET /%20%0"])),
    RawRequest("a control byte in the method", "G\u{1}T / HTTP/1.1\r\n", .refused(.malformedRequestLine)),
    RawRequest("a colon in the method", "GE:T / HTTP/1.1\r\n", .refused(.malformedRequestLine)),
    RawRequest("a method of its own", "brew! /pot HTTP/1.1\r\nHost: a\r\n\r\n", .read([" /pot"])),
    RawRequest("CONNECT", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", .refused(.unknownMethod)),
    RawRequest("TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], .refused(.malformedRequestLine)),
    RawRequest("HTTP/2's greeting", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refused(.unknownVersion)),

    RawRequest("HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", .read(["GET /"])),
    RawRequest("HTTP/1.2", get(version: "HTTP/1.2"), .refused(.unknownVersion)),
    RawRequest("HTTP/3.7", get(version: "HTTP/3.7"), .refused(.unknownVersion)),
    RawRequest("HTTP/0.9 in words", get(version: "HTTP/0.9"), .refused(.unknownVersion)),
    RawRequest("HTTP/1.10", get(version: "HTTP/1.10"), .refused(.malformedRequestLine)),
    RawRequest("HTTP/11", get(version: "HTTP/11"), .refused(.malformedRequestLine)),
    RawRequest("HTTP/1,1", get(version: "HTTP/1,1"), .refused(.malformedRequestLine)),
    RawRequest("http/1.1", get(version: "http/1.1"), .refused(.malformedRequestLine)),
    RawRequest("HTTP/+1.1", get(version: "HTTP/+1.1"), .refused(.malformedRequestLine)),
    RawRequest("ICAP/1.0", get(version: "ICAP/1.0"), .refused(.malformedRequestLine)),

    RawRequest("a whole link", get(target: "http://a/x?y"), .read(["GET /x"])),
    RawRequest("a whole link without a path", get(target: "HTTP://A"), .read(["GET /"])),
    RawRequest("a whole link with a query alone", get(target: "https://a?x"), .read(["GET /"])),
    RawRequest("a link to another host", get(target: "http://b/x"), .refused(.otherHost)),
    RawRequest("a link to another port", get(target: "http://a:8/x"), .refused(.otherHost)),
    RawRequest("a link with a name before the host", get(target: "http://u@a/x"), .refused(.otherHost)),
    RawRequest("a link without a host", get(target: "http:///x"), .refused(.malformedTarget)),
    RawRequest("a link of another scheme", get(target: "ftp://a/x"), .refused(.malformedTarget)),
    RawRequest("a path without a slash", get(target: "x"), .refused(.malformedTarget)),
    RawRequest("an asterisk", get(target: "*"), .refused(.malformedTarget)),
    RawRequest("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", .read(["OPTIONS *"])),
    RawRequest("the longest target", get(target: long("/", 8_192)), .read(["GET " + long("/", 8_192)])),
    RawRequest("a longer target", get(target: long("/", 8_193)), .refused(.targetTooLong)),
    RawRequest("a target without end", "GET /" + long("a", 20_000), .refused(.targetTooLong)),
    RawRequest("a method without end", long("A", 20_000), .refused(.headTooLarge)),
  ]
}

func long(_ start: String, _ count: Int) -> String {
  start + String(repeating: "a", count: count - start.utf8.count)
}
