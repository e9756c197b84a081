import DemoSite
import JSONQuery
import PipelineTesting
import Posix
import Testing

/// What users see of the way that a link takes.
@Suite(.timeLimit(.minutes(10)))
struct WalkTests {
  @Test func `explain tells every step on the way of a link`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let told = try await Child(["explain", "\(site.base)/s/light"] + loopback).ended()
    #expect(told.status == 0)
    #expect(told.lines.first == "1  GET \(site.base)/s/light")
    for status in [301, 302, 308, 200] {
      #expect(told.output.contains("   HTTP/1.1 \(status) from 127.0.0.1 in "))
    }
    let end = told.lines.drop { $0 != "ok: \(site.base)/pages/lighthouse" }
    #expect(end.dropFirst().first == "   title: The lighthouse keeper’s notes (from title)")
    #expect(end.last == "   canonical: \(site.base)/pages/lighthouse (from link)")
  }

  @Test func `a run that logs much tells each request, and why one is repeated`() async throws {
    let site = try TestSite()
    let link = site.url("/flaky/1")
    let secret = link.replacing("http://", with: "http://me:secret@")
    let told = try await Child(["unfurl", secret, "--log-level", "debug", "--quiet"] + loopback).ended()
    #expect(told.status == 0)
    let lines = told.messages.split(separator: "\n").map(String.init)
    #expect(lines.contains { $0.hasPrefix("halyard: debug: not fetched (method GET, url \(link), failure ") })
    #expect(lines.contains { $0.hasPrefix("halyard: info: job will be tried again (") })
    let fetched = lines.first {
      $0.hasPrefix("halyard: debug: fetched (method GET, url \(link), status 200, bytes ")
    }
    #expect(
      fetched?.contains(", address 127.0.0.1, version HTTP/1.1, connection new, ms ") == true, "\(lines)")
    #expect(!told.messages.contains("secret"))
    let quiet = try await Child(["unfurl", site.url("/page/1"), "--quiet"] + loopback).ended()
    #expect(quiet.messages.isEmpty)
  }

  @Test func `explain prints one JSON object, and fails as the job does`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let told = try await Child(["explain", "--json", "\(site.base)/loop/port"] + loopback).ended()
    #expect(told.status == 1)
    #expect(told.lines.count == 1)
    let root = try JSONDocument(parsing: Array(told.output.utf8)).root
    #expect(root["schema"]?.string == "halyard.explain/1")
    #expect(root["steps"]?.elements.map { $0["rule"]?.string } == ["location", "redirect_loop"])
    let first = root["steps"]?.elements.first { _ in true }
    #expect(first?["version"]?.string == "HTTP/1.1")
    #expect([first?["tls"]?.bool, first?["new_connection"]?.bool] == [false, true])
    #expect(root["row"]?["error"]?["kind"]?.string == "redirect_loop")
  }

  @Test func `explain tells of the oEmbed endpoint when asked to`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let page = "\(site.base)/pages/film"
    let told = try await Child(["explain", "--oembed", "--header", "X-Demo: 1", page] + loopback).ended()
    #expect(told.status == 0)
    let endpoint = "\(site.base)/api/oembed?url=/pages/film"
    #expect(
      told.output.contains("this is the page; its oEmbed endpoint is asked too, \(endpoint)\n"), "\(told)")
    #expect(told.output.contains("\n     nothing that was for the page goes along: X-Demo\n"))
    #expect(told.output.contains("\n2  GET \(endpoint)\n   HTTP/1.1 200 from 127.0.0.1 in "))
    #expect(
      told.lines.last
        == "   oembed: type video, title A ship leaves, author_name Ada Anchor, provider_name Halyard demo; it fills"
        + " image, site_name, author")
    let without = try await Child(["explain", page] + loopback).ended()
    #expect(!without.output.contains("oembed"))
  }

  @Test func `explain goes through a proxy as title does`() async throws {
    let proxy = RawServer { peer in
      guard peer.readRequest()?.hasPrefix("GET http://192.0.2.7/ HTTP/1.1\r\n") == true else { return }
      peer.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\n\r\n<title>Behind</title>")
    }
    defer { proxy.stop() }
    let told = try await Child([
      "explain", "--proxy", "http://127.0.0.1:\(proxy.port)", "--allow-address", "192.0.2.0/24",
      "http://192.0.2.7/",
    ]).ended()
    #expect(told.status == 0)
    #expect(told.lines.last == "   title: Behind (from title)")
  }

  @Test func `a page that comes later than its headers leads on, and one that never comes is the end`()
    async throws
  {
    let site = RawServer { peer in
      let path = peer.readRequest()?.split(separator: " ").dropFirst().first
      peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
      switch path {
      case "/late" where !peer.awaitHangUp(milliseconds: 1_200):
        peer.send("<meta http-equiv=refresh content='0;url=/goal'>")
      case "/never": peer.awaitHangUp()
      default: break
      }
    }
    defer { site.stop() }
    let links = ["late", "never"].map { site.url + $0 }
    let ended = try await Child(["unfurl", "--ordered", "--timeout", "3s"] + links + loopback).ended()
    let rows = try ended.rows()
    #expect(rows.map(\.outcome) == ["ok", "ok"])
    #expect(rows.map { $0["url"] } == ["\(site.url)goal", "\(site.url)never"])
    #expect(rows.map { $0["truncated"] } == [nil, "true"])
    let hasty = try await Child(["unfurl", "--deadline", "500ms", links[1]] + loopback).ended().rows()
    #expect(hasty.map { $0["url"] } == [links[1]])
    #expect(hasty.allSatisfy { (400...750).contains(Int($0["ms"] ?? "") ?? 0) })
  }

  @Test func `pages lead on, with cookies and the given headers, as far as they may go`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let row = try #require(
      try await Child(["title", "\(site.base)/s/turning"] + loopback).ended().rows().first)
    #expect(row["title"] == "The lighthouse keeper’s notes")
    #expect(row["hops"]?.contains(#""via":"meta_refresh""#) == true)
    #expect(row["hops"]?.contains(#""via":"refresh_header""#) == true)
    let wall = try await Child(["unfurl", "\(site.base)/s/wall"] + loopback).ended().rows().first
    #expect(wall?.outcome == "ok")
    let head = ["unfurl", "--method", "head", "--header", "X-Demo: 1", "--cookie", "a=b"] + loopback
    #expect(try await Child(head + ["\(site.base)/s/turning"]).ended().rows().first?.outcome == "ok")
  }
}
