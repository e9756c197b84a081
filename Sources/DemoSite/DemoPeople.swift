import HTTPMessages

/// A JSON API in pages of six, with a home page for each person so that calls can be chained.
func people(_ request: RequestHead) -> Response? {
  let host = request["host"] ?? "127.0.0.1"
  switch request.path {
  case "/api/users":
    return .json(listing(page: request.query("page").flatMap { Int($0) } ?? 1, host: host))
  case "/api/oembed":
    return .json(
      #"{"version":"1.0","type":"video","title":"A ship leaves","author_name":"Ada Anchor","#
        + #""provider_name":"Halyard demo","thumbnail_url":"http://\#(host)/images/ship.png"}"#)
  case "/api/broken":
    return .json(#"{"data": [1, 2}"#)
  default:
    if let person = person(in: request.path, under: "/api/users/") {
      return .json(#"{"data":\#(person.json(host: host))}"#)
    }
    if let person = person(in: request.path, under: "/people/") {
      return .page("<!doctype html><title>\(person.firstName) \(person.lastName)</title>")
    }
    return request.path.hasPrefix("/api/") ? .json("{}", status: 404) : nil
  }
}

private struct Person {
  var id: Int
  var firstName: String
  var lastName: String

  func json(host: String) -> String {
    #"{"id":\#(id),"email":"\#(firstName.lowercased())@example.org","first_name":"\#(firstName)","#
      + #""last_name":"\#(lastName)","home_page":"http://\#(host)/people/\#(id)"}"#
  }
}

private let crew: [Person] = [
  ("Ada", "Anchor"), ("Bo", "Bowline"), ("Cleo", "Capstan"), ("Dov", "Davit"), ("Edda", "Ensign"),
  ("Finn", "Fairlead"), ("Gro", "Gangway"), ("Hal", "Hawser"), ("Ines", "Islet"), ("Jon", "Jib"),
  ("Kaja", "Keel"), ("Leif", "Lanyard"),
].enumerated().map { Person(id: $0 + 1, firstName: $1.0, lastName: $1.1) }

private func person(in path: String, under folder: String) -> Person? {
  guard path.hasPrefix(folder), let id = Int(path.dropFirst(folder.count)) else { return nil }
  return crew.first { $0.id == id }
}

private func listing(page: Int, host: String) -> String {
  let perPage = 6
  let pages = stride(from: 0, to: crew.count, by: perPage).map { crew[$0..<min($0 + perPage, crew.count)] }
  // Any other page is an empty one, as with most such APIs.
  let shown = (1...pages.count).contains(page) ? pages[page - 1] : []
  let data = shown.map { $0.json(host: host) }.joined(separator: ",")
  return
    #"{"page":\#(page),"per_page":\#(perPage),"total":\#(crew.count),"total_pages":\#(pages.count),"data":[\#(data)]}"#
}
