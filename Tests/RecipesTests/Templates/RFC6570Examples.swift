import Testing

/// The examples of RFC 6570, sections 1.2 and 3.2, that need no modifier and no list.
enum RFC6570Examples {
  struct Row: CustomTestStringConvertible, Sendable {
    var template: String
    var expansion: String

    init(_ template: String, _ expansion: String) {
      self.template = template
      self.expansion = expansion
    }

    var testDescription: String { template }
  }

  /// What the names stand for; any other is undefined.
  static let values = [
    "var": "value", "hello": "Hello World!", "empty": "", "path": "/foo/bar", "x": "1024", "y": "768",
    "half": "50%", "base": "http://example.com/home/", "who": "fred", "dub": "me/too", "dom": "example.com",
    "v": "6", "semi": ";", "year": "2012",
  ]

  static let level1 = [
    Row("{var}", "value"), Row("{hello}", "Hello%20World%21"), Row("{half}", "50%25"),
    Row("O{empty}X", "OX"), Row("O{undef}X", "OX"), Row("{base}", "http%3A%2F%2Fexample.com%2Fhome%2F"),
    Row("{who}", "fred"), Row("{semi}", "%3B"), Row("{dub}", "me%2Ftoo"),
    Row("http://example.com/~{who}/", "http://example.com/~fred/"),
  ]

  static let level2 = [
    Row("{+var}", "value"), Row("{+hello}", "Hello%20World!"), Row("{+half}", "50%25"),
    Row("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
    Row("{+base}index", "http://example.com/home/index"), Row("O{+empty}X", "OX"), Row("O{+undef}X", "OX"),
    Row("{+path}/here", "/foo/bar/here"), Row("here?ref={+path}", "here?ref=/foo/bar"),
    Row("up{+path}{var}/here", "up/foo/barvalue/here"), Row("X{#var}", "X#value"),
    Row("X{#hello}", "X#Hello%20World!"), Row("{#half}", "#50%25"), Row("foo{#empty}", "foo#"),
    Row("foo{#undef}", "foo"), Row("{#path}", "#/foo/bar"),
  ]

  static let level3 = [
    Row("{x,y}", "1024,768"), Row("map?{x,y}", "map?1024,768"),
    Row("{x,hello,y}", "1024,Hello%20World%21,768"),
    Row("?{x,empty}", "?1024,"), Row("?{x,undef}", "?1024"), Row("?{undef,y}", "?768"),
    Row("{+x,hello,y}", "1024,Hello%20World!,768"), Row("{+path,x}/here", "/foo/bar,1024/here"),
    Row("{#x,hello,y}", "#1024,Hello%20World!,768"), Row("{#path,x}/here", "#/foo/bar,1024/here"),
    Row("X{.var}", "X.value"), Row("X{.x,y}", "X.1024.768"), Row("{.who}", ".fred"),
    Row("{.who,who}", ".fred.fred"), Row("{.half,who}", ".50%25.fred"), Row("www{.dom}", "www.example.com"),
    Row("X{.empty}", "X."), Row("X{.undef}", "X"),
    Row("{/who}", "/fred"), Row("{/who,who}", "/fred/fred"), Row("{/half,who}", "/50%25/fred"),
    Row("{/who,dub}", "/fred/me%2Ftoo"), Row("{/var}", "/value"), Row("{/var,empty}", "/value/"),
    Row("{/var,undef}", "/value"), Row("{/var,x}/here", "/value/1024/here"),
    Row("{;who}", ";who=fred"), Row("{;half}", ";half=50%25"), Row("{;empty}", ";empty"),
    Row("{;v,empty,who}", ";v=6;empty;who=fred"), Row("{;v,undef,who}", ";v=6;who=fred"),
    Row("{;x,y}", ";x=1024;y=768"), Row("{;x,y,empty}", ";x=1024;y=768;empty"),
    Row("{;x,y,undef}", ";x=1024;y=768"),
    Row("{?who}", "?who=fred"), Row("{?half}", "?half=50%25"), Row("{?x,y}", "?x=1024&y=768"),
    Row("{?x,y,empty}", "?x=1024&y=768&empty="), Row("{?x,y,undef}", "?x=1024&y=768"),
    Row("{&who}", "&who=fred"), Row("{&half}", "&half=50%25"), Row("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    Row("{&x,y,empty}", "&x=1024&y=768&empty="), Row("{&x,y,undef}", "&x=1024&y=768"),
    Row("/search{?undef}", "/search"), Row("{?undef,undef}{&undef}{;undef}{/undef}{.undef}{#undef}", ""),
  ]

  static let all = level1 + level2 + level3
}
