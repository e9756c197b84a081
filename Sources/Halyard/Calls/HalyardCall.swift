internal import Assembly
public import FoundationEssentials
internal import HalyardConcurrency
internal import Pipeline
internal import Roles

/// A question to a client, as a value: nothing starts before it is asked, and each time it is asked anew.
///
/// ```swift
/// let call = client.title("https://www.swift.org")
/// let page = try await call.get()
/// let handle = call.call { result in print(result) }
/// for try await page in call.stream { print(page.title) }
/// ```
///
/// Calls can be made of closures, so that the tests of your program need no client:
///
/// ```swift
/// let call = HalyardCall { PageInfo(resolved: ResolvedLink(input: "https://a.test/"), title: "A page") }
/// ```
public struct HalyardCall<Output: Sendable>: Sendable {
  /// Who answers.
  enum Source: Sendable {
    case job(AskedJob, read: @Sendable (AnswerRow) throws(HalyardError) -> Output)
    case work(@Sendable () async throws(HalyardError) -> Output)
  }

  let source: Source

  init(_ job: AskedJob, _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output) {
    source = .job(job, read: read)
  }

  /// A call that does some work of yours.
  ///
  /// - Parameter work: Done each time the call is asked. What it throws is the call's error: a ``HalyardError`` as it is, a
  ///   cancellation as ``HalyardError/Kind/cancelled``, anything else as ``HalyardError/Kind/underlying``.
  public init(_ work: @escaping @Sendable () async throws -> Output) {
    source = .work { () async throws(HalyardError) in
      do { return try await work() } catch {
        throw error.isCancellation ? .cancelledByCaller : HalyardError(thrown: error)
      }
    }
  }

  /// Asks, and returns the value. If the task is cancelled, the call is cancelled too.
  public func get() async throws(HalyardError) -> Output {
    guard !Task.isCancelled else { throw .cancelledByCaller }
    switch source {
    case .job(let job, let read): return try await answer { job.ask(read, $0) }.get()
    case .work(let work): return try await work()
    }
  }

  /// Asks, and returns what came of it, also when the task is cancelled; then the call is cancelled too.
  public func result() async -> Result<Output, HalyardError> {
    do throws(HalyardError) { return .success(try await get()) } catch { return .failure(error) }
  }

  /// Asks, and returns at once.
  ///
  /// - Parameter handler: Called exactly once, in a task of its own on Swift's thread pool, never inside this call or the
  ///   cancellation: it may take a lock that the caller holds. It must not block for long, as by waiting for another call.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func call(_ handler: @escaping @Sendable (Result<Output, HalyardError>) -> Void) -> any CallHandle {
    switch source {
    case .job(let job, let read): job.ask(read) { result in Task.detached { handler(result) } }
    // Work may take its time to notice that it is cancelled: a service answers at once.
    case .work: service { answer in handler(answer.mapError { HalyardError($0) }) }
    }
  }

  /// The value as a stream of one: iterating asks.
  public var stream: CallStream<Output> {
    CallStream(capacity: 1, cancellation: .cancelledByCaller) { values throws(HalyardError) in
      let value = try await get()
      // Refused when nothing iterates any more.
      _ = try? values.offer(value)
    }
  }

  /// The call as a service, for ``CallbackService/asAsync()`` and the other adapters.
  public var service: CallbackService<Void, Output, HalyardError> {
    switch source {
    case .job(let job, let read):
      .answering { _, answer in job.ask(read) { result in answer(result.mapError { .failed($0) }) } }
    case .work(let work): AsyncService(work).asCallback()
    }
  }
}

/// Values of a client, as they come, until they end or the stream throws a ``HalyardError``.
///
/// Nothing is asked before the first value is. Leaving the loop, and cancelling its task, cancels what is under way.
public typealias CallStream<Element: Sendable> = ValueStream<Element, HalyardError>

extension HalyardCall {
  /// The call with its value turned into another.
  ///
  /// - Parameter transform: What it throws is the call's error, as for ``init(_:)``.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> HalyardCall<New> {
    HalyardCall<New> { try transform(try await get()) }
  }

  /// The call, and then another that follows from its value. The second is not asked if the first fails.
  ///
  /// - Parameter next: What it throws is the call's error, as for ``init(_:)``.
  public func then<New: Sendable>(
    _ next: @escaping @Sendable (Output) async throws -> HalyardCall<New>
  ) -> HalyardCall<New> {
    HalyardCall<New> { try await next(try await get()).get() }
  }
}

/// A job that a client is asked for.
struct AskedJob: Sendable {
  let client: HalyardClient
  /// As the options have it.
  let draft: JobDraft
  let options: CallOptions

  /// Asks, and reads what the row has.
  ///
  /// - Parameter answer: Called exactly once, on any thread, and also inside this call or the cancellation.
  func ask<Output: Sendable>(
    _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output,
    _ answer: @escaping @Sendable (Result<Output, HalyardError>) -> Void
  ) -> any CallHandle {
    let observation = Observation(of: draft, by: client.observers)
    return client.core.ask(draft, CallPriority(rawValue: options.priority.rawValue) ?? .normal) { row in
      // A call keeps its client alive.
      withExtendedLifetime(client) {
        var report = CallReport()
        let found = row.mapError { HalyardError(call: $0) }.flatMap { json in
          AnswerRow.read(json) { row throws(HalyardError) in
            report.note(row)
            return try read(row)
          }
        }
        observation?.end(report.of(found))
        answer(found)
      }
    }
  }
}

extension CallTicket: CallHandle {}

extension HalyardClient {
  /// Follows a link to where it leads.
  public func unfurl(
    _ link: some LinkConvertible, options: CallOptions = CallOptions()
  ) -> HalyardCall<ResolvedLink> {
    call(JobDraft(kind: .unfurl, input: link.linkText), options) { row throws(HalyardError) in
      ResolvedLink(row)
    }
  }

  /// Follows a link, and reads title and card of the page where it ends.
  ///
  /// - Parameter embed: Also ask the page's oEmbed endpoint, where it names one, for ``PageInfo/Card/embed``.
  public func title(
    _ link: some LinkConvertible, embed: Bool = false, options: CallOptions = CallOptions()
  ) -> HalyardCall<PageInfo> {
    var draft = JobDraft(kind: .title, input: link.linkText)
    draft.reading.wantsEmbed = embed
    return call(draft, options) { row throws(HalyardError) in try PageInfo(row) }
  }

  /// Follows a link, and decodes the JSON where it ends.
  ///
  /// - Parameters:
  ///   - select: The part of it to decode, a JSON Pointer or a JSONPath query; nil for all of it.
  ///   - require: What must be there; else the call fails with ``HalyardError/Kind/decodeMismatch``.
  ///   - decoder: How dates, keys and the like are read.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, from link: some LinkConvertible, select: String? = nil,
    require: [Requirement] = [], by decoder: JSONDecoder = JSONDecoder(), options: CallOptions = CallOptions()
  ) -> HalyardCall<DecodedDocument<Value>> {
    let draft = JobDraft(
      kind: .decode, input: link.linkText, select: select, require: require.map(\.text))
    return call(draft, options) { row throws(HalyardError) in try DecodedDocument(row, by: decoder) }
  }

  /// Runs a recipe, and decodes what it gathers.
  ///
  /// - Parameters:
  ///   - parameters: The recipe's parameters, by name.
  ///   - type: What its output is read as.
  ///   - decoder: How dates, keys and the like are read.
  ///   - options: For the run and each of its calls.
  public func run<Value: Decodable & Sendable>(
    _ recipe: Recipe, _ parameters: [String: RecipeParameter] = [:], as type: Value.Type,
    by decoder: JSONDecoder = JSONDecoder(), options: CallOptions = CallOptions()
  ) -> HalyardCall<RecipeResult<Value>> {
    var draft = JobDraft(kind: .run, input: recipe.name)
    draft.reading.recipe = recipe.json
    draft.reading.parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.word)" }
    return call(draft, options) { row throws(HalyardError) in
      RecipeResult(row, try row.decoded(Value.self, by: decoder))
    }
  }

  private func call<Output: Sendable>(
    _ draft: JobDraft, _ options: CallOptions,
    _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output
  ) -> HalyardCall<Output> {
    HalyardCall(AskedJob(client: self, draft: options.applied(to: draft), options: options), read)
  }
}

/// What else to do where a link ends: still one job, and one GET.
///
/// A call that was made of a closure has no link to go on from: these fail then. ``HalyardCall/then(_:)`` goes on from any call.
extension HalyardCall<ResolvedLink> {
  /// Reads title and card of the page too, with the same options; see ``HalyardClient/title(_:embed:options:)``.
  public func title(embed: Bool = false) -> HalyardCall<PageInfo> {
    chained { client, link, options in client.title(link, embed: embed, options: options) }
  }

  /// Decodes the JSON too, with the same options; see ``HalyardClient/decode(_:from:select:require:by:options:)``.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, select: String? = nil, require: [Requirement] = [],
    by decoder: JSONDecoder = JSONDecoder()
  ) -> HalyardCall<DecodedDocument<Value>> {
    chained { client, link, options in
      client.decode(type, from: link, select: select, require: require, by: decoder, options: options)
    }
  }

  private func chained<New: Sendable>(
    _ next: (HalyardClient, String, CallOptions) -> HalyardCall<New>
  ) -> HalyardCall<New> {
    switch source {
    case .job(let job, _): next(job.client, job.draft.input ?? "", job.options)
    case .work:
      HalyardCall<New> {
        throw HalyardError(
          .missingInput, at: .input, "a call that was made of a closure has no link; go on with then(_:)")
      }
    }
  }
}

/// What a client takes as a link: a `String`, a `Substring`, a `URL`, or a type of yours.
public protocol LinkConvertible: Sendable {
  /// The link as text. What is wrong with it, the call fails with.
  var linkText: String { get }
}

extension String: LinkConvertible {
  /// The same text.
  public var linkText: String { self }
}

extension Substring: LinkConvertible {
  /// The same text.
  public var linkText: String { String(self) }
}

extension URL: LinkConvertible {
  /// The whole URL; one that is relative to another is resolved against it.
  public var linkText: String { absoluteString }
}

/// What a document must hold for ``HalyardClient/decode(_:from:select:require:by:options:)``.
///
/// ```swift
/// let user = client.decode(User.self, from: link, require: [Requirement("/id", .integer), Requirement("$..name", .string, .null)])
/// ```
public struct Requirement: Hashable, Sendable {
  /// A type of JSON.
  public enum ValueType: String, CaseIterable, Sendable {
    case string
    /// Any number, also a whole one.
    case number
    /// A whole number.
    case integer
    case boolean
    case object
    case array
    case null
    /// Whatever is there.
    case any
  }

  /// A JSON Pointer or a JSONPath query; all that it finds must be of one of the types.
  public var path: String
  /// The types that what is found may have.
  public var types: [ValueType]
  /// Whether nothing needs to be there.
  public var isOptional: Bool

  /// - Parameters:
  ///   - path: A JSON Pointer or a JSONPath query.
  ///   - types: At least one.
  ///   - isOptional: Whether nothing needs to be there.
  public init(_ path: String, _ types: ValueType..., isOptional: Bool = false) {
    precondition(!types.isEmpty, "the requirement for \(path) names no type")
    (self.path, self.types, self.isOptional) = (path, types, isOptional)
  }

  /// As `--require` has it.
  var text: String {
    "\(path):\(types.map(\.rawValue).joined(separator: "|"))\(isOptional ? "?" : "")"
  }
}
