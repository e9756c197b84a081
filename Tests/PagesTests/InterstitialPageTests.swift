import Pages
import Testing

struct InterstitialPageTests {
  private func wall(
    _ html: String, from start: String = "/post", at path: String = "/post", host: String = "site.test",
    startHost: String = "site.test", isError: Bool = false, isChallenge: Bool = false
  ) -> InterstitialPage? {
    let body = Array(html.utf8)
    return InterstitialPage.of(
      read(body), body,
      arrival: PageArrival(
        isError: isError, isChallenge: isChallenge,
        way: PageArrival.mayEndAtLogin("https://\(host)\(path)")
          ? PageArrival.Way(startHost: startHost, startPath: start, host: host, path: path) : nil))
  }

  private static let article = String(
    repeating: "<p>A long text about something else altogether. ", count: 100)

  @Test(arguments: [
    (
      "Cloudflare", false,
      "<title>Just a moment...</title><script>(function(){window._cf_chl_opt = {cvId: '3'}})()</script>"
    ),
    (
      "Cloudflare", true,
      "<title>Einen Moment…</title><script>window._cf_chl_opt={};a.src='/cdn-cgi/challenge-platform/h/b/orchestrate'</script>"
    ),
    ("Cloudflare", true, "<title>Attention Required! | Cloudflare</title><div id=cf-error-details>"),
    (
      "Cloudflare", true,
      "<title>Access denied | u.expo.dev used Cloudflare to restrict access</title><div id=cf-error-details>"
    ),
    (
      "DataDome", true,
      "<title>shop.test</title><script>var dd={'rt':'c'}</script><script src=https://ct.captcha-delivery.com/c.js></script>"
    ),
    (
      "HUMAN (PerimeterX)", true,
      "<title>Access to this page has been denied.</title><div id=px-captcha></div>"
    ),
    ("HUMAN (PerimeterX)", false, "<title>Robot or human?</title><script>window._pxAppId='x'</script>"),
    (
      "Imperva", false,
      "<html><head></head><body><iframe id=main-iframe src='/_Incapsula_Resource?SWUDNSAI=31&incident_id=1-2'>Request unsuccessful. Incapsula incident ID: 1-2</iframe>"
    ),
    ("Imperva", false, "<title>Pardon Our Interruption</title><script src=/reese84.js></script>"),
    (
      "Akamai", true,
      "<TITLE>Access Denied</TITLE><H1>Access Denied</H1>You don't have permission to access \"http&#58;&#47;&#47;a\" on this server.<P>Reference&#32;&#35;18&#46;1"
    ),
    (
      "AWS WAF", true,
      "<title></title><script>window.awsWafCookieDomainList=[];window.gokuProps={}</script><script src=https://x.token.awswaf.com/challenge.js></script>"
    ),
    (
      "Google", true,
      "<title>https://www.google.com/search?q=x</title><form id=captcha-form>Our systems have detected unusual traffic from your computer network."
    ),
    (
      "Amazon", false,
      "<title>Robot Check</title><form action=/errors/validateCaptcha>Enter the characters you see below"
    ),
    ("the site", false, "<title>Verify you are human</title><div class=h-captcha></div>"),
    ("the site", true, "<title>Security check</title><div class='g-recaptcha'>"),
  ])
  func `a check for bots is told`(owner: String, isError: Bool, html: String) {
    #expect(wall(html, isError: isError) == .bot(owner))
  }

  @Test(arguments: [
    (
      "an article about it",
      "<title>Just a moment... what Cloudflare's check does</title>window._cf_chl_opt and /cdn-cgi/challenge-platform/"
    ),
    ("its title alone", "<title>Just a moment...</title><p>A poem"),
    (
      "a page behind it",
      "<title>Shop</title><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    ),
    (
      "a page that is guarded",
      "<title>Shop</title><script src=https://js.datadome.co/tags.js></script><script>window._pxAppId=1</script>"
    ),
    ("a captcha in a form", "<title>Contact us</title><form><div class=g-recaptcha></div>"),
    (
      "an article named so, with comments",
      "<title>Captcha</title>\(article)<form><div class=g-recaptcha></div>"
    ),
    (
      "an article named so",
      "<title>Access Denied</title>You don't have permission to access this. Reference #1"
    ),
    (
      "a page with the maker's script",
      "<title>Shop</title>\(article)<script src=/_Incapsula_Resource?incident_id=></script>"
    ),
    (
      "an article that quotes it",
      "<title>News</title>\(article)unusual traffic from your computer network /sorry/"
    ),
    ("an article about the challenge", "<title>WAF</title>\(article)window.gokuProps challenge.js"),
    (
      "a page with AWS's script",
      "<title>App</title><script src=/challenge.js></script><script>awsWafCookieDomainList=[]</script>"
    ),
    (
      "a short page with the maker's script",
      "<title>Shop</title><script src=/_Incapsula_Resource?incident_id=></script>"
    ),
    (
      "a short page with AWS's script",
      "<title>Shop</title><script>window.gokuProps={}</script><script src=/challenge.js></script>"
    ),
    (
      "a page of that name on a site",
      "<title>Just a moment - Poems</title><script>window._cf_chl_opt</script>"
    ),
    (
      "a page that is shared under that name",
      "<meta property=og:title content='Just a moment...'><script>window._cf_chl_opt</script>"
    ),
    (
      "a long page",
      "<title>Just a moment...</title>\(String(repeating: " ", count: 256 << 10))window._cf_chl_opt"
    ),
    ("nothing", ""),
  ])
  func `what only mentions a wall is none`(what: String, html: String) {
    #expect(wall(html) == nil)
  }

  @Test(arguments: [
    ("a plain error", "<title>Access Denied</title><h1>403"),
    (
      "an error page with the maker's script",
      "<title>Not found</title><script src=/_Incapsula_Resource?incident_id=></script>"
    ),
    (
      "an article that is gone",
      "<title>Not found</title>\(article) captcha-delivery.com/ var dd={ g-recaptcha"
    ),
    (
      "a guarded error page",
      "<title>Not found</title><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js></script>"
    ),
  ])
  func `an error page is no wall`(what: String, html: String) {
    #expect(wall(html, isError: true) == nil)
  }

  @Test func `a server that says so is believed, about pages`() {
    #expect(wall("<title>Shop</title>", isChallenge: true) == .bot("the site"))
    let json = Array("{}".utf8)
    let arrival = PageArrival(
      isError: true, isChallenge: true,
      way: PageArrival.Way(startHost: "a", startPath: "/", host: "a", path: "/"))
    #expect(InterstitialPage.of(read(json, contentType: "application/json"), json, arrival: arrival) == nil)
  }

  private static let form = "<title>Log in</title><form><INPUT name=p TYPE=' Password '></form>"

  @Test(arguments: [
    ("/post", "/login", "site.test"), ("/post", "/users/sign_in", "site.test"),
    ("/", "/wp-login.php", "site.test"),
    ("/post", "/v3/signin/identifier", "accounts.site.test"), ("/post", "/", "login.other.test"),
    ("/post", "/Account/Login", "site.test"), ("/post", "/authwall", "site.test"),
    ("/post", "/login/", "site.test"), ("/post", "/login/form/start", "site.test"),
    ("/post", "/", "idp.other.test"), ("/post", "/", "auth.other.test"), ("/post", "/", "sso.other.test"),
  ])
  func `a form to log in at the end of another way is a wall`(start: String, path: String, host: String) {
    #expect(wall(Self.form, from: start, at: path, host: host) == .login)
  }

  @Test func `white space is nothing to read`() {
    let form = Self.form + String(repeating: " \n<p>", count: 4_000)
    #expect(wall(form, at: "/login") == .login)
  }

  @Test(arguments: [
    ("accounts.google.com", "/v3/signin/identifier"), ("accounts.google.com", "/ServiceLogin"),
    ("login.microsoftonline.com", "/common/oauth2/v2.0/authorize"), ("login.live.com", "/"),
    ("www.facebook.com", "/login/"), ("m.facebook.com", "/login.php"),
    ("www.instagram.com", "/accounts/login/"), ("www.linkedin.com", "/authwall"),
    ("de.linkedin.com", "/uas/login"), ("x.com", "/i/flow/login"), ("www.reddit.com", "/login/"),
    ("medium.com", "/m/signin"), ("corp.okta.com", "/oauth2/v1/authorize"), ("www.amazon.de", "/ap/signin"),
    ("WWW.LinkedIn.com", "/AuthWall"), ("passport.weibo.com", "/visitor/visitor"),
  ])
  func `a place that only logs in is a wall whatever it shows`(host: String, path: String) {
    let drawn = "<title>Welcome</title><div id=root></div><script src=/app.js></script>\(Self.article)"
    #expect(wall(drawn, at: path, host: host) == .login)
    #expect(wall(drawn, from: "/login", at: path, host: host) == nil)
  }

  @Test(arguments: [
    ("id.atlassian.com", "/", "/login", true), ("ID.Atlassian.com", "", "/login", true),
    ("accounts.google.com", "/", "/v3/signin/identifier", true),
    ("corp.okta.com", "/", "/login/login.htm", true),
    ("corp.okta.com", "/app/mail", "/login/login.htm", false), ("www.facebook.com", "/", "/login/", false),
    ("id.atlassian.com", "/manage-profile", "/login", false),
  ])
  func `whoever asks for the start of a site that only logs in wants to log in`(
    host: String, start: String, path: String, isWanted: Bool
  ) {
    #expect((wall(Self.form, from: start, at: path, host: host, startHost: host) == nil) == isWanted)
    #expect(wall(Self.form, from: start, at: path, host: host, startHost: "site.test") == .login)
  }

  @Test(arguments: [
    ("www.linkedin.com", "/pulse/why-login-pages-fail"), ("www.linkedin.com", "/in/login"),
    ("www.facebook.com", "/help/login"), ("www.facebook.com", "/loginradius"), ("x.com", "/i/flow/signup"),
    ("x.com", "/someone/status/1"), ("medium.com", "/@someone/login"), ("notlinkedin.com", "/authwall"),
    ("linkedin.com.evil.test", "/login"), ("accounts.google.com", "/TOS"),
    ("support.google.com", "/accounts/answer/login"), ("www.instagram.com", "/login_stories"),
    ("docs.site.test", "/guides/sso"), ("login.site.test", "/guides"), ("www.amazon.de", "/dp/B0"),
  ])
  func `an article about logging in is a page`(host: String, path: String) {
    #expect(wall("<title>How to log in</title>\(Self.article)", at: path, host: host) == nil)
  }

  @Test(arguments: [
    ("the login itself", "/login", "/login", "site.test", form),
    ("from one login to another", "/login", "/signin", "site.test", form),
    ("no form", "/post", "/login", "site.test", "<title>Log in</title><form><input type=text>"),
    ("a form in a script", "/post", "/login", "site.test", "<script>'<input type=password>'</script>"),
    ("a form beside the page", "/a", "/b", "site.test", form),
    ("a word in a name", "/a", "/how-to-login-faster", "site.test", form),
    ("a site of another country", "/a", "/thread/5", "id.site.test", form),
    ("an article with a form beside it", "/a", "/guides/login", "site.test", form + article),
    ("a page far below", "/a", "/login/help/articles/7", "site.test", form),
  ])
  func `no wall is`(what: String, start: String, path: String, host: String, html: String) {
    #expect(wall(html, from: start, at: path, host: host) == nil)
  }
}
