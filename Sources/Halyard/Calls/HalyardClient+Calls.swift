public import FoundationEssentials
internal import Pipeline
internal import Roles

extension HalyardClient {
  /// Follows a link to where it leads.
  public func unfurl(_ url: String) -> HalyardCall<ResolvedLink> {
    call(JobDraft(kind: .unfurl, input: url)) { row throws(HalyardError) in ResolvedLink(row) }
  }

  /// Follows a link, and reads title and card of the page where it ends.
  ///
  /// - Parameter embed: Also ask the page's oEmbed endpoint, where it names one, for ``PageInfo/Card/embed``.
  public func title(_ url: String, embed: Bool = false) -> HalyardCall<PageInfo> {
    var draft = JobDraft(kind: .title, input: url)
    draft.reading.wantsEmbed = embed
    return call(draft) { row throws(HalyardError) in try PageInfo(row) }
  }

  /// Follows a link, and decodes the JSON where it ends.
  ///
  /// - Parameters:
  ///   - select: The part of it to decode, a JSON Pointer or a JSONPath query; nil for all of it.
  ///   - require: What must be there; else the call fails with ``HalyardError/Kind/decodeMismatch``.
  ///   - decoder: How dates, keys and the like are read.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, from url: String, select: String? = nil, require: [Requirement] = [],
    by decoder: JSONDecoder = JSONDecoder()
  ) -> HalyardCall<DecodedDocument<Value>> {
    call(JobDraft(kind: .decode, input: url, select: select, require: require.map(\.text))) {
      row throws(HalyardError) in try DecodedDocument(row, by: decoder)
    }
  }

  /// Runs a recipe, and decodes what it gathers.
  ///
  /// - Parameters:
  ///   - parameters: The recipe's parameters, by name.
  ///   - type: What its output is read as.
  ///   - decoder: How dates, keys and the like are read.
  public func run<Value: Decodable & Sendable>(
    _ recipe: Recipe, _ parameters: [String: RecipeParameter] = [:], as type: Value.Type,
    by decoder: JSONDecoder = JSONDecoder()
  ) -> HalyardCall<RecipeResult<Value>> {
    var draft = JobDraft(kind: .run, input: recipe.name)
    draft.reading.recipe = recipe.json
    draft.reading.parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.word)" }
    return call(draft) { row throws(HalyardError) in
      RecipeResult(row, try row.decoded(Value.self, by: decoder))
    }
  }

  private func call<Output: Sendable>(
    _ draft: JobDraft, _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output
  ) -> HalyardCall<Output> {
    HalyardCall(AskedJob(client: self, draft: draft), read)
  }
}

/// What else to do where a link ends: still one job, and one GET.
///
/// A call that was made of a closure has no link to go on from: these fail then. ``HalyardCall/then(_:)`` goes on from any call.
extension HalyardCall<ResolvedLink> {
  /// Reads title and card of the page too; see ``HalyardClient/title(_:embed:)``.
  public func title(embed: Bool = false) -> HalyardCall<PageInfo> {
    chained { client, link in client.title(link, embed: embed) }
  }

  /// Decodes the JSON too; see ``HalyardClient/decode(_:from:select:require:by:)``.
  public func decode<Value: Decodable & Sendable>(
    _ type: Value.Type, select: String? = nil, require: [Requirement] = [],
    by decoder: JSONDecoder = JSONDecoder()
  ) -> HalyardCall<DecodedDocument<Value>> {
    chained { client, link in
      client.decode(type, from: link, select: select, require: require, by: decoder)
    }
  }

  private func chained<New: Sendable>(
    _ next: (HalyardClient, String) -> HalyardCall<New>
  ) -> HalyardCall<New> {
    switch source {
    case .job(let job, _): next(job.client, job.draft.input ?? "")
    case .work:
      HalyardCall<New> {
        throw HalyardError(
          .missingInput, at: .input, "a call that was made of a closure has no link; go on with then(_:)")
      }
    }
  }
}
