import HTTPMessages

extension RawRequest {
  static let chunks: [RawRequest] = [
    RawRequest("two chunks", chunked("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), .read(["POST /p abcde"])),
    RawRequest(
      "hexadecimal sizes", chunked("A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n"),
      .read(["POST /p 01234567890123456789a"])),
    RawRequest("zeros in front", chunked("0003\r\nabc\r\n00\r\n\r\n"), .read(["POST /p abc"])),
    RawRequest("line ends inside", chunked("4\r\n\r\n\r\n\r\n0\r\n\r\n"), .read(["POST /p \r\n\r\n"])),
    RawRequest("a request behind it", chunked("1\r\na\r\n0\r\n\r\n" + get()), .read(["POST /p a", "GET /"])),
    RawRequest("no last chunk", chunked("1\r\na\r\n"), .unfinished),
    RawRequest("no empty line", chunked("0\r\n"), .unfinished),
    RawRequest("an extension", chunked("1;a=b;c=\"d e\"\r\na\r\n0;x\r\n\r\n"), .read(["POST /p a"])),
    RawRequest("a blank before an extension", chunked("1 \t;a\r\na\r\n0\r\n\r\n"), .read(["POST /p a"])),
    RawRequest(
      "the longest extension", chunked("1;" + long("a", 256) + "\r\na\r\n0\r\n\r\n"), .read(["POST /p a"])),
    RawRequest("a longer extension", chunked("1;" + long("a", 257) + "\r\n"), .refused(.extensionTooLong)),
    RawRequest(
      "extensions that are too long together",
      chunked("1;" + long("a", 200) + "\r\na\r\n1;" + long("a", 57) + "\r\n"),
      .refused(.extensionTooLong)),
    RawRequest(
      "blanks without end", chunked("1" + String(repeating: " ", count: 300)), .refused(.extensionTooLong)),
    RawRequest(
      "trailers", chunked("0\r\nX: 1\r\nHost: b\r\nContent-Length: 9\r\n\r\n" + get()),
      .read(["POST /p", "GET /"])),
    RawRequest("a folded trailer", chunked("0\r\nX: 1\r\n 2\r\n\r\n"), .refused(.foldedField)),
    RawRequest("a trailer with a bare LF", chunked("0\r\nX: 1\n\r\n"), .refused(.malformedLineEnd)),
    RawRequest(
      "a trailer that is a request", chunked("0\r\nGET / HTTP/1.1\r\n\r\n"), .refused(.malformedFieldName)),
    RawRequest(
      "trailers without end", chunked("0\r\n" + String(repeating: "X: 1\r\n", count: 65)),
      .refused(.tooManyFields)),
    RawRequest("a trailer without end", chunked("0\r\n" + long("X: ", 17_000)), .refused(.headTooLarge)),

    RawRequest("no size", chunked("\r\n"), .refused(.malformedChunk)),
    RawRequest("an extension without size", chunked(";a\r\n"), .refused(.malformedChunk)),
    RawRequest("a negative size", chunked("-1\r\n"), .refused(.malformedChunk)),
    RawRequest("a size with a plus", chunked("+1\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("0x1", chunked("0x1\r\na\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a size in quotes", chunked("\"1\"\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("a size with an underscore", chunked("1_0\r\n"), .refused(.malformedChunk)),
    RawRequest("a size with a comma", chunked("1,0\r\n"), .refused(.malformedChunk)),
    RawRequest("a space before the size", chunked(" 1\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("a space behind the size", chunked("1 \r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("a size in two", chunked("1 0\r\n"), .refused(.malformedChunk)),
    RawRequest("a zero byte behind the size", chunked("1\0\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("2^64", chunked("10000000000000000\r\n"), .refused(.malformedChunk)),
    RawRequest("2^64 and 1", chunked("10000000000000001\r\na\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("the largest word", chunked("ffffffffffffffff\r\n"), .refused(.malformedChunk)),
    RawRequest("2^63", chunked("8000000000000000\r\n"), .refused(.malformedChunk)),
    RawRequest("2^32 and 1", chunked("100000001\r\na\r\n0\r\n\r\n"), .refused(.bodyTooLarge)),
    RawRequest("zeros without end", chunked("00000000000000001\r\n"), .refused(.malformedChunk)),
    RawRequest("a bare LF behind the size", chunked("1\na\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a CR alone behind the size", chunked("1\ra\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("two CR behind the size", chunked("1\r\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("a bare LF in an extension", chunked("1;a\nb\r\na\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a bare CR in an extension", chunked("1;a\rb\r\na\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a zero byte in an extension", chunked("1;\0\r\na\r\n"), .refused(.malformedChunk)),
    RawRequest("no line end behind a chunk", chunked("1\r\na0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a bare LF behind a chunk", chunked("1\r\na\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("any two bytes behind a chunk", chunked("1\r\naXX0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a CR alone behind a chunk", chunked("1\r\na\rX0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a longer chunk than was said", chunked("1\r\nab\r\n0\r\n\r\n"), .refused(.malformedChunk)),
    RawRequest(
      "a body in chunks that is too long", chunked("3E8\r\n" + long("", 1_000) + "\r\n1\r\n"),
      .refused(.bodyTooLarge)),
    RawRequest("a chunk that is too long", chunked("3E9\r\n"), .refused(.bodyTooLarge)),
    RawRequest("a bare LF behind the last chunk", chunked("0\n\r\n"), .refused(.malformedChunk)),
    RawRequest("a bare LF as the empty line", chunked("0\r\n\n"), .refused(.malformedLineEnd)),
  ]
}
