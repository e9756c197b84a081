import Assembly
import HTTPMessages
import HTTPServer
import HalyardConcurrency
import JSONQuery
import LedgerSQLite
import LinkPreviews
import Pipeline
import Posix
import Roles

/// Answers about links, about several of them each as soon as it is known.
struct PreviewAnswers: Sendable {
  let desk: PreviewDesk
  let access: PreviewAccess
  /// Where cards lead to for more.
  let pages: [PreviewCard.Page]

  private static let most = 50
  /// The status in logs and metrics when there was no one to answer, as nginx has it.
  private static let clientLeft = 499
  /// Room for so many of the longest links.
  private static let bodyLimit = 512 << 10

  private struct Found: Sendable {
    var place: Int
    var link: String
    var row: PreviewRow
    /// nil for what was just fetched, or not at all.
    var ageSeconds: Int?
  }

  func one(_ visit: PreviewVisit, _ kind: JobKind, _ shape: PreviewShape) throws(Problem) -> Reaction {
    let question = try PreviewQuestion(query: visit.head.query, kind: kind, as: shape)
    switch try look(for: question, visit) {
    case .known(let found): return .answer(visit.answer(found, to: question, at: desk.now))
    case .underWay(let flight):
      return .later(within: question.timeoutMilliseconds) { complete in
        let place = flight.whenLanded { outcome in complete { answer(with: outcome, to: question, visit) } }
        return Waiting {
          flight.left(place)
          return answer(with: nil, to: question, visit)
        } left: {
          flight.left(place)
          desk.counters.ended(.left)
          visit.note(Self.clientLeft, bytes: 0)
        }
      }
    }
  }

  private func answer(
    with outcome: Flight.Outcome?, to question: PreviewQuestion, _ visit: PreviewVisit
  ) -> Response {
    do throws(Problem) {
      return visit.answer(try desk.found(outcome), to: question, at: desk.now)
    } catch {
      return visit.answer(to: error)
    }
  }

  /// A preview a line.
  func lines(_ visit: PreviewVisit) -> Reaction {
    streamed(visit) { found, line in
      if let problem = found.row.problem {
        line.member("link", found.link)
        problem.write(root: visit.root, id: visit.id, to: &line)
      } else {
        PreviewShape.row.write(found.row, cacheSeconds: 0, to: &line)
      }
    }
  }

  /// A card in HTML a line.
  func cards(_ visit: PreviewVisit) -> Reaction {
    streamed(visit) { found, line in line.member("html", card(of: found, visit)) }
  }

  /// The page to try it, with the cards of the links in its query.
  func page(_ visit: PreviewVisit) throws(Problem) -> Reaction {
    let terms = try Self.terms(of: visit)
    let texts = (visit.head.queryItems ?? []).filter { $0.name == "links" }.map(\.value)
    let links = try Self.bounded(Self.links(of: texts.joined(separator: "\n")))
    return visit.task { _ throws(Problem) in
      var found: [Found] = []
      try? await find(links, as: terms, visit) { found.append($0) }
      let cards = found.sorted { $0.place < $1.place }.map { card(of: $0, visit) }
      let state = links.isEmpty ? "" : "\(cards.count) of \(links.count)."
      let html = PreviewPages.page(
        links: links, showsImages: visit.showsImages, state: state, cards: cards, token: visit.token)
      return .whole(visit.page(html, [("Cache-Control", "no-store")]))
    }
  }

  private func card(of found: Found, _ visit: PreviewVisit) -> String {
    PreviewCard(
      found.row, of: found.link, ageSeconds: found.ageSeconds, showsImage: visit.showsImages, pages: pages,
      token: visit.token
    ).html
  }

  private func streamed(
    _ visit: PreviewVisit, _ write: @escaping @Sendable (Found, inout JSONWriter) -> Void
  ) -> Reaction {
    visit.task(bodyLimit: Self.bodyLimit) { request throws(Problem) in
      let links = try Self.bounded(Self.links(in: request))
      guard !links.isEmpty else { throw Problem(.missingInput, "there is no link in the body") }
      let terms = try Self.terms(of: visit)
      var head = ResponseHead(200, contentType: "application/jsonl")
      for (name, value) in visit.common + [("Cache-Control", "no-store")] { head.add(name, value) }
      return .stream(head) { stream in
        var sent = 0
        defer { visit.note(200, bytes: sent) }
        try await find(links, as: terms, visit) { found in
          let bytes = JSONWriter.line(reservingCapacity: 2_048) { line in
            line.member("n", found.place)
            write(found, &line)
          }
          sent += bytes.count
          try await stream.write(bytes)
        }
      }
    }
  }

  /// - Parameter take: Called for one after the other.
  private func find(
    _ links: [String], as terms: PreviewQuestion, _ visit: PreviewVisit,
    _ take: (Found) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Found.self) { group in
      for (place, link) in links.enumerated() {
        group.addTask { await found(link, at: place, as: terms, visit) }
      }
      for try await found in group { try await take(found) }
    }
  }

  private func found(
    _ link: String, at place: Int, as terms: PreviewQuestion, _ visit: PreviewVisit
  ) async -> Found {
    do throws(Problem) {
      let found: FoundPreview
      switch try look(for: terms.about(link), visit) {
      case .known(let known): found = known
      case .underWay(let flight):
        found = try desk.found(await flight.outcome(within: terms.timeoutMilliseconds))
      }
      let age = Int(desk.now.milliseconds(since: found.preview.storedAt) / 1_000)
      return Found(
        place: place, link: link, row: found.preview.read, ageSeconds: found.origin == .waited ? nil : age)
    } catch {
      return Found(place: place, link: link, row: PreviewRow(error))
    }
  }

  private enum Look {
    case known(FoundPreview)
    case underWay(Flight)
  }

  private func look(for question: PreviewQuestion, _ visit: PreviewVisit) throws(Problem) -> Look {
    if !question.wantsNew, let found = desk.find(question.key) { return .known(found) }
    try access.admitFetch(for: question, visit)
    let flight = desk.fetch(question.key, isAnew: question.wantsNew)
    guard question.timeoutMilliseconds > 0 else {
      desk.counters.ended(.late)
      throw Problem("pending", 202, "the link is being fetched; ask again soon", isRetryable: true)
    }
    return .underWay(flight)
  }
}

/// What is asked about several links.
extension PreviewAnswers {
  private static func terms(of visit: PreviewVisit) throws(Problem) -> PreviewQuestion {
    try PreviewQuestion(query: visit.head.query, kind: .title, as: .row, namesLink: false)
  }

  private static func bounded(_ links: [String]) throws(Problem) -> [String] {
    guard links.count <= most else { throw Problem(.invalidInput, "there are more than \(most) links") }
    return links
  }

  private static func links(in request: Request) throws(Problem) -> [String] {
    guard request.head["content-encoding"] == nil else {
      throw Problem("unsupported-media-type", 415, "the body cannot be compressed")
    }
    switch request.head["content-type"]?.mediaType {
    case "application/json":
      guard let array = try? JSONDocument(parsing: request.body).root, array.kind == .array else {
        throw Problem(.invalidInput, "the body is no JSON array of links")
      }
      let links = array.elements.compactMap(\.string)
      guard links.count == array.count else {
        throw Problem(.invalidInput, "not all of the array are texts")
      }
      return links
    case "text/plain", nil:
      guard let text = String(validating: request.body, as: UTF8.self) else {
        throw Problem(.invalidInput, "the body is not UTF-8")
      }
      return links(of: text)
    default:
      throw Problem(
        "unsupported-media-type", 415,
        "send a link a line with Content-Type: text/plain, or a JSON array with application/json")
    }
  }

  private static func links(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
  }
}

extension PreviewVisit {
  /// With which a page was asked for.
  fileprivate var token: String? {
    holder == nil ? nil : head.queryItems?.first { $0.name == "api_key" }?.value
  }

  fileprivate var showsImages: Bool {
    head.queryItems?.contains { $0.name == "images" && $0.value == "no" } != true
  }
}

/// Answers in a file, behind those in memory: a restart keeps them.
final class AnswerFile: ResultCache {
  private let file: SQLiteResultCache
  /// Links that are to be fetched whatever is known of them.
  private let fetchedAnew = Lock<Set<String>>([])

  init(_ path: String) async throws {
    file = try await SQLiteResultCache.open(path: path)
  }

  func close() async {
    guard let fault = await file.close() else { return }
    Message.show("halyard: \(fault.message)\nhalyard: not all answers are kept for the next start\n")
  }

  /// From now on nothing is known of a link, until it is fetched.
  func forgets(_ link: String) { fetchedAnew.withLock { _ = $0.insert(link) } }

  func isFetched(_ link: String) { fetchedAnew.withLock { _ = $0.remove(link) } }

  func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    var found = try await file.find(questions, bytes: bytes)
    let anew = fetchedAnew.withLock { $0 }
    guard !anew.isEmpty else { return found }
    // A question ends with its link.
    for (index, question) in questions.enumerated()
    where question.split(separator: "\n").last.map({ anew.contains(String($0)) }) == true {
      found[index] = nil
    }
    return found
  }

  func store(_ answers: [CachedAnswer]) throws(LedgerError) { try file.store(answers) }
}

/// A fleet fetches them, before those of other batches.
struct FleetCalls: CallBackend {
  let plan: FleetLinkPlan

  private static let jobsAtStart = 2_048
  private static let weight: UInt32 = 1_000

  func run(_ session: CallSession) async throws {
    try await plan.withLink { link in
      var settings = ProducerSettings(batch: link.ports.passingBatch(), start: Self.jobsAtStart)
      var terms = BatchTerms()
      terms.weight = Self.weight
      settings.terms = terms
      try await session.run(link.producer(settings))
    }
  }
}
