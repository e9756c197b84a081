import Glibc
import Pipeline
import Testing

@testable import Curl
@testable import FetchCurl

struct NameTests {
  /// Codes of getaddrinfo, and whether another attempt can help.
  @Test(arguments: [
    (EAI_NONAME, false, "no address for x.test: there is no such name"),
    (EAI_FAIL, true, "no address for x.test: Non-recoverable failure in name resolution"),
    (EAI_AGAIN, true, "no address for x.test: Temporary failure in name resolution"),
    (EAI_MEMORY, true, "no address for x.test: Memory allocation failure"),
    (0, true, "no address for x.test at the first attempt"),
  ])
  func `only a name that does not exist is given up`(_ code: CInt, _ retryable: Bool, _ cause: String) {
    let url = "http://user:secret@x.test:81/p"
    let request = FetchRequest(url: url, body: .nothing, deadline: deadline())
    #expect(
      request.nameFailure(NameLookup(code: code, addresses: []))
        == Failure(.dns, at: .dns, "fetch http://x.test:81/p: \(cause)", retryable: retryable))
  }

  @Test(arguments: [
    ("http://a.test", "a.test", "http://a.test"),
    ("http://a.test:80/b", "a.test", "http://a.test:80/b"),
    ("http://[::1]:80/b", "::1", "http://[::1]:80/b"),
    ("http://u:p@a.test/@x", "a.test", "http://a.test/@x"),
    ("http://u@v@a.test?q", "a.test", "http://a.test?q"),
    ("http:a.test", "", "http:a.test"),
    ("", "", ""),
  ])
  func `host and shown form of a URL`(_ url: String, _ host: String, _ shown: String) {
    let request = FetchRequest(url: url, body: .nothing, deadline: deadline())
    #expect(request.host == host)
    #expect(request.shownURL == shown)
  }
}
