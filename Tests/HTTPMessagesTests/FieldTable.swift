import HTTPMessages

extension RawRequest {
  static let fields: [RawRequest] = [
    RawRequest("blanks around a value", get("X: \t a b \t\r\n"), .read(["GET /"])),
    RawRequest("an empty value", get("X:\r\nY: \r\n"), .read(["GET /"])),
    RawRequest("letters beyond ASCII", get("X: äöü\r\n"), .read(["GET /"])),
    RawRequest("a space before the colon", get("X : 1\r\n"), .refused(.malformedFieldName)),
    RawRequest("a tab before the colon", get("X\t: 1\r\n"), .refused(.malformedFieldName)),
    RawRequest(
      "a length with a space before the colon", get("Content-Length : 3\r\n"), .refused(.malformedFieldName)),
    RawRequest("no colon", get("X\r\n"), .refused(.malformedFieldName)),
    RawRequest("no name", get(": 1\r\n"), .refused(.malformedFieldName)),
    RawRequest("a folded field", get("X: 1\r\n 2\r\n"), .refused(.foldedField)),
    RawRequest("a field folded by a tab", get("X: 1\r\n\t2\r\n"), .refused(.foldedField)),
    RawRequest("a folded length", get("Content-Length:\r\n 3\r\n"), .refused(.foldedField)),
    RawRequest(
      "a blank before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", .refused(.foldedField)),
    RawRequest("a blank line with a space", "GET / HTTP/1.1\r\nHost: a\r\n \r\n", .refused(.foldedField)),
    RawRequest("a bare LF behind a value", get("X: 1\nY: 2\r\n"), .refused(.malformedLineEnd)),
    RawRequest("a bare LF behind a name", get("X\n: 1\r\n"), .refused(.malformedLineEnd)),
    RawRequest("a bare LF before a value", get("X:\n1\r\n"), .refused(.malformedLineEnd)),
    RawRequest("a bare CR in a value", get("X: 1\r2\r\n"), .refused(.malformedLineEnd)),
    RawRequest("two CR at a line's end", get("X: 1\r\r\n"), .refused(.malformedLineEnd)),
    RawRequest("a bare LF as the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\n", .refused(.malformedLineEnd)),
    RawRequest(
      "a CR alone as the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\rX", .refused(.malformedLineEnd)),
    RawRequest("a zero byte in a value", get("X: a\0b\r\n"), .refused(.malformedFieldValue)),
    RawRequest("a zero byte in a name", get("X\0: a\r\n"), .refused(.malformedFieldName)),
    RawRequest("a vertical tab in a value", get("X: \u{B}a\r\n"), .refused(.malformedFieldValue)),
    RawRequest("a form feed behind a value", get("X: a\u{C}\r\n"), .refused(.malformedFieldValue)),
    RawRequest("DEL in a value", get("X: \u{7F}\r\n"), .refused(.malformedFieldValue)),
    RawRequest("an escape byte in a value", get("X: \u{1B}[m\r\n"), .refused(.malformedFieldValue)),
    RawRequest("a letter beyond ASCII in a name", get("Ä: 1\r\n"), .refused(.malformedFieldName)),
    RawRequest("a bracket in a name", get("a[b]: 1\r\n"), .refused(.malformedFieldName)),
    RawRequest("a quote in a name", get("\"Host\": 1\r\n"), .refused(.malformedFieldName)),

    RawRequest("no Host", "GET / HTTP/1.1\r\n\r\n", .refused(.missingHost)),
    RawRequest("an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", .refused(.malformedHost)),
    RawRequest("two Hosts", get("Host: b\r\n"), .refused(.repeatedHost)),
    RawRequest("the same Host twice", get("hOST: a\r\n"), .refused(.repeatedHost)),
    RawRequest("two Hosts in HTTP/1.0", get("Host: b\r\n", version: "HTTP/1.0"), .refused(.repeatedHost)),
    RawRequest("two Hosts in one field", host("a, b"), .refused(.malformedHost)),
    RawRequest("a Host with a path", host("a/b"), .refused(.malformedHost)),
    RawRequest("a Host with a name", host("u@a"), .refused(.malformedHost)),
    RawRequest("a Host with a space", host("a b"), .refused(.malformedHost)),
    RawRequest("a Host with a port that is none", host("a:b"), .refused(.malformedHost)),
    RawRequest("a Host that is a port", host(":80"), .refused(.malformedHost)),
    RawRequest("a Host with two ports", host("a:1:2"), .refused(.malformedHost)),
    RawRequest("an address of IPv6 without brackets", host("::1"), .refused(.malformedHost)),
    RawRequest("an address of IPv6 without end", host("[::1"), .refused(.malformedHost)),
    RawRequest("an address of IPv6 with something behind", host("[::1]a"), .refused(.malformedHost)),
    RawRequest("an address of IPv6", host("[::1]:80"), .read(["GET /"])),
    RawRequest("a name with a port", host("my_host.example:8080"), .read(["GET /"])),
    RawRequest("a Host between tabs", host("\ta\t"), .read(["GET /"])),

    RawRequest("another expectation", get("Expect: 200-maybe\r\n"), .refused(.unknownExpectation)),
    RawRequest("63 fields more", get(String(repeating: "X: 1\r\n", count: 63)), .read(["GET /"])),
    RawRequest("64 fields more", get(String(repeating: "X: 1\r\n", count: 64)), .refused(.tooManyFields)),
    RawRequest("a long value", get(long("X: ", 16_000) + "\r\n"), .read(["GET /"])),
    RawRequest("a longer value", get(long("X: ", 16_384) + "\r\n"), .refused(.headTooLarge)),
    RawRequest("a name without end", get(long("X", 17_000)), .refused(.headTooLarge)),
    RawRequest(
      "blanks without end", get("X:" + String(repeating: " ", count: 17_000)), .refused(.headTooLarge)),
    RawRequest("half a head", "GET / HTTP/1.1\r\nHost: a\r\n\r", .unfinished),
  ]

  private static func host(_ value: String) -> String { "GET / HTTP/1.1\r\nHost: \(value)\r\n\r\n" }
}
