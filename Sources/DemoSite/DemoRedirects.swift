/// The addresses that lead elsewhere, well or badly.
func redirects(_ request: RequestHead) -> Answer? {
  let base = "http://\(request.header("host") ?? "127.0.0.1")"
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
  case "/s/refreshed": Answer(headers: [("Refresh", "1; url='/pages/lighthouse'")])
  case "/s/wall": cookieWall(request)
  case "/s/private": .redirect(302, to: "http://10.0.0.1/")
  default: nil
  }
}

/// Redirects to itself until the client sends the cookie that it sets.
private func cookieWall(_ request: RequestHead) -> Answer {
  if request.header("cookie") == "seen=1" { return .redirect(302, to: "/pages/lighthouse") }
  var answer = Answer.redirect(302, to: "/s/wall")
  answer.headers.append(("Set-Cookie", "seen=1; Path=/s/"))
  return answer
}
