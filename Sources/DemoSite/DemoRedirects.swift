import HTTPMessages

/// The addresses that lead elsewhere, well or badly.
func redirects(_ request: RequestHead) -> Response? {
  let base = "http://\(request["host"] ?? "127.0.0.1")"
  return switch request.path {
  case "/s/light": .redirect(301, to: "\(base)/moved/harbour")
  case "/moved/harbour": .redirect(302, to: "\(base)/moved/pier")
  case "/moved/pier": .redirect(308, to: "\(base)/pages/lighthouse")
  case "/s/relative": .redirect(302, to: "../pages/lighthouse?from=relative#lamp")
  case "/loop/port": .redirect(302, to: "/loop/starboard")
  case "/loop/starboard": .redirect(302, to: "/loop/port")
  case "/s/mail": .redirect(302, to: "mailto:keeper@example.org")
  case "/s/nowhere": .redirect(302, to: nil)
  case "/s/turning":
    .page("<!doctype html><title>Turning</title><meta http-equiv=refresh content='0; url=/s/refreshed#lamp'>")
  case "/s/refreshed": refreshed
  case "/s/wall": cookieWall(request)
  case "/s/private": .redirect(302, to: "http://10.0.0.1/")
  default: nil
  }
}

private var refreshed: Response {
  var response = Response(ResponseHead(200))
  response.head.add("Refresh", "1; url='/pages/lighthouse'")
  return response
}

/// Redirects to itself until the client sends the cookie that it sets.
private func cookieWall(_ request: RequestHead) -> Response {
  if request["cookie"] == "seen=1" { return .redirect(302, to: "/pages/lighthouse") }
  var response = Response.redirect(302, to: "/s/wall")
  response.head.add("Set-Cookie", "seen=1; Path=/s/")
  return response
}
