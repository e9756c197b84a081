import Halyard
import HalyardConcurrency
import Testing

struct Broken: Error, Hashable {
  var input: Int
}

typealias Answer = ServiceAnswer<String, Broken>

/// How a service is called.
enum Style: String, CaseIterable, Sendable {
  case async
  case callback
  case stream
}

/// From one style to another; all nine.
struct Direction: Sendable, CustomTestStringConvertible {
  var source: Style
  var target: Style

  var testDescription: String { "\(source) as \(target)" }

  static let all = Style.allCases.flatMap { source in
    Style.allCases.map { Direction(source: source, target: $0) }
  }
}

/// A service in one of the styles.
enum StyledService: Sendable {
  case async(AsyncService<Int, String, Broken>)
  case callback(CallbackService<Int, String, Broken>)
  case stream(StreamService<Int, String, Broken>)

  func adapted(to style: Style) -> StyledService {
    switch (self, style) {
    case (.async(let service), .async): .async(service.asAsync())
    case (.async(let service), .callback): .callback(service.asCallback())
    case (.async(let service), .stream): .stream(service.asStream())
    case (.callback(let service), .async): .async(service.asAsync())
    case (.callback(let service), .callback): .callback(service.asCallback())
    case (.callback(let service), .stream): .stream(service.asStream())
    case (.stream(let service), .async): .async(service.asAsync())
    case (.stream(let service), .callback): .callback(service.asCallback())
    case (.stream(let service), .stream): .stream(service.asStream())
    }
  }

  /// Calls it, and collects every answer that it gives.
  func call(_ input: Int) -> Call {
    let answers = TaskChannel<Answer>(capacity: .unbounded)
    let handle: any CallHandle =
      switch self {
      case .async(let service):
        Task { await Call.tell(answers) { () throws(ServiceError<Broken>) in try await service(input) } }
      case .callback(let service): service(input) { _ = try? answers.offer($0) }
      case .stream(let service):
        Task {
          await Call.tell(answers) { () throws(ServiceError<Broken>) in try await Call.only(service(input)) }
        }
      }
    return Call(answers: answers, handle: handle)
  }
}

/// A call under way.
struct Call: Sendable {
  let answers: TaskChannel<Answer>
  let handle: any CallHandle

  func cancel() { handle.cancel() }

  /// The first answer.
  func answer() async throws -> Answer {
    try #require(try await answers.receive())
  }

  fileprivate static func tell(
    _ answers: TaskChannel<Answer>, _ call: () async throws(ServiceError<Broken>) -> String
  ) async {
    let answer: Answer
    do throws(ServiceError<Broken>) { answer = .success(try await call()) } catch { answer = .failure(error) }
    _ = try? answers.offer(answer)
  }

  /// All values of a stream that is expected to have one.
  fileprivate static func only(
    _ stream: ServiceStream<String, Broken>
  ) async throws(ServiceError<Broken>) -> String {
    var values: [String] = []
    for try await value in stream { values.append(value) }
    return values.joined(separator: " and ")
  }
}
