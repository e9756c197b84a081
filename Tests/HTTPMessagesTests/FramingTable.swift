import HTTPMessages

/// Where a request ends: what two programs read differently lets a request be smuggled past the first of them.
extension RawRequest {
  static let framing: [RawRequest] =
    [
      RawRequest("a body", post("Content-Length: 5", "hello"), .read(["POST /p hello"])),
      RawRequest("zeros in front", post("Content-Length: 005", "hello"), .read(["POST /p hello"])),
      RawRequest("blanks around a length", post("Content-Length: \t5 \t", "hello"), .read(["POST /p hello"])),
      RawRequest("an empty body", post("Content-Length: 0", ""), .read(["POST /p"])),
      RawRequest("no length", post("X: 1", ""), .read(["POST /p"])),
      RawRequest("half a body", post("Content-Length: 5", "hel"), .unfinished),
      RawRequest(
        "a body and a request", post("Content-Length: 2", "hi" + get()), .read(["POST /p hi", "GET /"])),
      // CL.0: a body that is passed over would be the next request.
      RawRequest(
        "a GET with a body", get("Content-Length: \(get(target: "/x").utf8.count)\r\n") + get(target: "/x"),
        .read(["GET / " + get(target: "/x")])),
      RawRequest(
        "a body without length is a request", post("X: 1", get(target: "/x")), .read(["POST /p", "GET /x"])),
      RawRequest(
        "a body in HTTP/1.0", get("Content-Length: 2\r\n", version: "HTTP/1.0") + "hi", .read(["GET / hi"])),
      RawRequest(
        "the longest body", post("Content-Length: 1000", long("", 1_000)),
        .read(["POST /p " + long("", 1_000)])),
      RawRequest("a longer body", post("Content-Length: 1001", ""), .refused(.bodyTooLarge)),
      RawRequest("a huge body", post("Content-Length: 999999999999999999", ""), .refused(.bodyTooLarge)),

      RawRequest("no digits", post("Content-Length:", ""), .refused(.malformedLength)),
      RawRequest("a plus", post("Content-Length: +5", "hello"), .refused(.malformedLength)),
      RawRequest("a minus", post("Content-Length: -1", ""), .refused(.malformedLength)),
      RawRequest("minus zero", post("Content-Length: -0", ""), .refused(.malformedLength)),
      RawRequest("a hexadecimal length", post("Content-Length: 0x5", "hello"), .refused(.malformedLength)),
      RawRequest("a length in two", post("Content-Length: 1 0", ""), .refused(.malformedLength)),
      RawRequest("a list", post("Content-Length: 5, 5", "hello"), .refused(.malformedLength)),
      RawRequest("a list with a blank", post("Content-Length: 5,", "hello"), .refused(.malformedLength)),
      RawRequest("a fraction", post("Content-Length: 5.0", "hello"), .refused(.malformedLength)),
      RawRequest("an exponent", post("Content-Length: 1e1", ""), .refused(.malformedLength)),
      RawRequest("an underscore", post("Content-Length: 1_0", ""), .refused(.malformedLength)),
      RawRequest("quotes", post("Content-Length: \"5\"", "hello"), .refused(.malformedLength)),
      RawRequest("other digits", post("Content-Length: ５", "hello"), .refused(.malformedLength)),
      RawRequest(
        "2^64 and 5", post("Content-Length: 18446744073709551621", "hello"), .refused(.malformedLength)),
      RawRequest("2^63", post("Content-Length: 9223372036854775808", ""), .refused(.malformedLength)),
      RawRequest(
        "a vertical tab before it", post("Content-Length: \u{B}5", "hello"), .refused(.malformedFieldValue)),
      RawRequest("twice", post("Content-Length: 5\r\nContent-Length: 6", "hello"), .refused(.repeatedLength)),
      RawRequest(
        "twice the same", post("Content-Length: 5\r\ncontent-length: 5", "hello"), .refused(.repeatedLength)),

      RawRequest(
        "CL.TE", post("Content-Length: 6\r\nTransfer-Encoding: chunked", "0\r\n\r\nG"),
        .refused(.lengthAndCoding)),
      RawRequest(
        "TE.CL", post("Transfer-Encoding: chunked\r\nContent-Length: 3", "8\r\nSMUGGLED\r\n0\r\n\r\n"),
        .refused(.lengthAndCoding)),
      RawRequest(
        "a coding and a length of 0", post("Transfer-Encoding: chunked\r\nContent-Length: 0", "0\r\n\r\n"),
        .refused(.lengthAndCoding)),
      RawRequest("chunked", coding("chunked"), .read(["POST /p"])),
      RawRequest("upper case", coding("CHUNKED"), .read(["POST /p"])),
      RawRequest("mixed case", coding("cHuNkEd"), .read(["POST /p"])),
      RawRequest("tabs around it", coding("\tchunked\t"), .read(["POST /p"])),
      RawRequest("an upper-case name", post("TRANSFER-ENCODING: chunked", "0\r\n\r\n"), .read(["POST /p"])),
      RawRequest(
        "chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "0\r\n\r\n"),
        .refused(.repeatedCoding)),
      RawRequest(
        "chunked, then identity",
        post("Transfer-Encoding: chunked\r\nTransfer-encoding: identity", "0\r\n\r\n"),
        .refused(.repeatedCoding)),
      RawRequest(
        "a coding in HTTP/1.0", get("Transfer-Encoding: chunked\r\n", version: "HTTP/1.0"),
        .refused(.codingInOldVersion)),
      RawRequest(
        "a space before the coding's colon", post("Transfer-Encoding : chunked", ""),
        .refused(.malformedFieldName)),
      RawRequest("a folded coding", post("Transfer-Encoding:\r\n chunked", ""), .refused(.foldedField)),
      RawRequest(
        "a coding behind a bare LF", post("X: 1\nTransfer-Encoding: chunked", ""), .refused(.malformedLineEnd)
      ),
      RawRequest(
        "a coding behind a bare CR", post("X: 1\rTransfer-Encoding: chunked", ""), .refused(.malformedLineEnd)
      ),
      RawRequest(
        "a coding behind a zero byte", post("X: 1\0Transfer-Encoding: chunked", ""),
        .refused(.malformedFieldValue)),
      RawRequest("a vertical tab before chunked", coding("\u{B}chunked"), .refused(.malformedFieldValue)),
      RawRequest("a form feed behind chunked", coding("chunked\u{C}"), .refused(.malformedFieldValue)),
      RawRequest("DEL behind chunked", coding("chunked\u{7F}"), .refused(.malformedFieldValue)),
      RawRequest("a no-break space before chunked", coding("\u{A0}chunked"), .refused(.unknownCoding)),
      RawRequest(
        "another name for a coding", post("Transfer_Encoding: chunked", get(target: "/x")),
        .read(["POST /p", "GET /x"])),
    ] + unknownCodings.map { RawRequest("the coding \($0)", coding($0), .refused(.unknownCoding)) }

  /// What some program somewhere has taken for `chunked`, or has not.
  private static let unknownCodings = [
    "", "identity", "xchunked", "chunkedx", "chunke", "gzip, chunked", "chunked, gzip", "chunked, chunked",
    "chunked,", ",chunked", "chunked;q=1", "\"chunked\"", "'chunked'", "chunked identity", "chunked\tx",
    "x chunked",
    "chun ked", "[chunked]", "chunked:", "\u{17F}chunked", "chun\u{212A}ed",
  ]

  private static func coding(_ value: String) -> String {
    post("Transfer-Encoding: \(value)", "0\r\n\r\n")
  }
}
