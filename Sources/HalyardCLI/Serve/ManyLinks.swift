import HTTPMessages
import HTTPServer
import HalyardConcurrency
import JSONQuery
import LinkPreviews
import Pipeline

/// Answers about several links, each as soon as it is known.
struct ManyLinks: Sendable {
  let desk: PreviewDesk
  let access: PreviewAccess

  private static let most = 50
  private static let bodyLimit = 1 << 20

  private struct Found: Sendable {
    var place: Int
    var link: String
    var answer: Result<KeptPreview, Problem>
    var origin = PreviewVisit.Origin.waited
  }

  /// A preview a line.
  func lines(_ visit: PreviewVisit) -> Reaction {
    streamed(visit) { found in
      var line = JSONWriter(reservingCapacity: 1_024)
      line.beginObject()
      line.member("n", found.place)
      let body =
        switch found.answer {
        case .success(let kept):
          kept.rendering(as: .row)?.body ?? kept.problem?.json(root: visit.root, id: visit.id) ?? []
        case .failure(let problem): problem.json(root: visit.root, id: visit.id)
        }
      // The members of one object become those of another.
      let members = body.dropFirst().dropLast()
      if !members.isEmpty { line.bytes += [UInt8(ascii: ",")] + members }
      line.endObject()
      return line.bytes
    }
  }

  /// A card in HTML a line.
  func cards(_ visit: PreviewVisit) -> Reaction {
    let showsImages = visit.showsImages
    return streamed(visit) { found in
      var line = JSONWriter(reservingCapacity: 2_048)
      line.beginObject()
      line.member("n", found.place)
      line.member("html", card(of: found, showsImages))
      line.endObject()
      return line.bytes
    }
  }

  /// The page to try it, with the cards of the links in its query.
  func page(_ visit: PreviewVisit) throws(Problem) -> Reaction {
    guard let items = visit.head.queryItems else {
      throw Problem(.invalidInput, "the query is not encoded as a query is")
    }
    let text = items.filter { $0.name == "links" }.map(\.value).joined(separator: "\n")
    let links = Self.links(of: text)
    guard !links.isEmpty else { return .answer(html(visit, [], [])) }
    return .task { _ in
      guard links.count <= Self.most else { return .whole(visit.answer(to: Self.tooMany)) }
      var found: [Found] = []
      try? await find(links, visit, language: nil, PreviewQuestion.usualTimeout) { found.append($0) }
      let cards = found.sorted { $0.place < $1.place }.map { card(of: $0, visit.showsImages) }
      return .whole(html(visit, links, cards))
    }
  }

  private func html(_ visit: PreviewVisit, _ links: [String], _ cards: [String]) -> Response {
    let state = links.isEmpty ? "" : "\(cards.count) of \(links.count)."
    return visit.page(
      PreviewPages.page(links: links, showsImages: visit.showsImages, state: state, cards: cards),
      [("Cache-Control", "no-store")])
  }

  private func card(of found: Found, _ showsImages: Bool) -> String {
    switch found.answer {
    case .success(let kept):
      let age = Int(desk.now.milliseconds(since: kept.storedAt) / 1_000)
      return PreviewCard(
        kept.read, of: found.link, ageSeconds: found.origin == .waited ? nil : age, showsImage: showsImages,
        interface: "v1/preview"
      ).html
    case .failure(let problem):
      return PreviewCard(PreviewRow(problem), of: found.link, interface: "v1/preview").html
    }
  }

  private func streamed(_ visit: PreviewVisit, _ line: @escaping @Sendable (Found) -> [UInt8]) -> Reaction {
    .task(bodyLimit: Self.bodyLimit) { request in
      do throws(Problem) {
        let links = try Self.links(in: request)
        guard !links.isEmpty else { throw Problem(.missingInput, "there is no link in the body") }
        guard links.count <= Self.most else { throw Self.tooMany }
        // One that asks about a link says what is wrong with the others of the query, too.
        let question = try PreviewQuestion(query: "url=x&\(request.head.query ?? "")", kind: .title, as: .row)
        var head = ResponseHead(200, contentType: "application/jsonl")
        for (name, value) in visit.common + [("Cache-Control", "no-store")] { try? head.add(name, value) }
        return .stream(head) { stream in
          var sent = 0
          try await find(links, visit, language: question.key.language, question.timeoutMilliseconds) {
            found in
            let bytes = line(found) + [UInt8(ascii: "\n")]
            sent += bytes.count
            try await stream.write(bytes)
          }
          visit.note(200, bytes: sent)
        }
      } catch {
        return .whole(visit.answer(to: error))
      }
    }
  }

  private static let tooMany = Problem(.invalidInput, "there are more than \(most) links")

  /// - Parameter take: Called for one after the other.
  private func find(
    _ links: [String], _ visit: PreviewVisit, language: String?, _ milliseconds: Int64,
    _ take: (Found) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Found.self) { group in
      for (place, link) in links.enumerated() {
        group.addTask { await found(place, link, visit, language, milliseconds) }
      }
      for try await found in group { try await take(found) }
    }
  }

  private func found(
    _ place: Int, _ link: String, _ visit: PreviewVisit, _ language: String?, _ milliseconds: Int64
  ) async -> Found {
    do throws(Problem) {
      let key = try PreviewQuestion(link: link, kind: .title, as: .row, language: language).key
      switch desk.find(key) {
      case .fresh(let kept): return Found(place: place, link: link, answer: .success(kept), origin: .fresh)
      case .stale(let kept, _):
        return Found(place: place, link: link, answer: .success(kept), origin: .stale)
      case .nothing: break
      }
      try access.admitFetch(of: key, visit)
      let outcome = await desk.outcome(of: desk.fetch(key), within: milliseconds)
      return Found(place: place, link: link, answer: outcome)
    } catch {
      return Found(place: place, link: link, answer: .failure(error))
    }
  }

  private static func links(in request: Request) throws(Problem) -> [String] {
    let type = request.head["content-type"].map {
      String($0.prefix { $0 != ";" }).lowercased().trimmingSpaces()
    }
    switch type {
    case "application/json":
      guard let array = try? JSONDocument(parsing: request.body).root, array.kind == .array else {
        throw Problem(.invalidInput, "the body is no JSON array of links")
      }
      let links = array.elements.map(\.string)
      guard links.allSatisfy({ $0 != nil }) else {
        throw Problem(.invalidInput, "not all of the array are texts")
      }
      return links.compactMap(\.self)
    case "text/plain", nil:
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Problem(.invalidInput, "the body is not UTF-8")
      }
      return links(of: text)
    default:
      throw Problem("unsupported-media-type", 415, "the body can be application/json or text/plain")
    }
  }

  private static func links(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
  }
}

extension PreviewVisit {
  fileprivate var showsImages: Bool {
    head.queryItems?.contains { $0.name == "images" && $0.value == "no" } != true
  }
}
