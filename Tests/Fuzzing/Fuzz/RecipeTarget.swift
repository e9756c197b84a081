import JSONQuery
import Links
import Recipes

/// The first line is a template and a recipe, the rest a value and what every call answers.
@Sendable func checkRecipe(_ bytes: [UInt8]) {
  let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
  let rest = Array(bytes.dropFirst(line.count + 1))
  checkTemplate(String(decoding: line, as: UTF8.self), String(decoding: rest, as: UTF8.self))
  _ = LinkHeader.target("next", in: [String(decoding: line, as: UTF8.self)])
  do throws(RecipeProblems) {
    let recipe = try Recipe(parsing: line)
    check(recipe, answering: (try? JSONDocument(parsing: rest))?.root)
  } catch {
    require(!error.problems.isEmpty, "a recipe is refused without a reason")
    for problem in error.problems {
      require(problem.line >= 1 && problem.column >= 1, "no place: \(problem.message)")
      require(problem.line <= line.count + 1 && problem.column <= line.count + 1, "no such place")
    }
  }
}

/// It holds nothing that an address cannot hold, and what is simple reads back.
private func checkTemplate(_ text: String, _ value: String) {
  do throws(URITemplateError) {
    let template = try URITemplate(text)
    let full = String(decoding: template.expandedBytes { _ in value }.bytes, as: UTF8.self)
    require(full.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(full) is not plain ASCII")
    let none = String(decoding: template.expandedBytes { _ in nil as String? }.bytes, as: UTF8.self)
    require(
      template.variables.isEmpty ? none == full : none.utf8.count <= text.utf8.count * 3, "\(none) grew")
  } catch {
    require(error.offset <= text.utf8.count, "\(text) has no byte \(error.offset)")
  }
}

/// It ends, whatever is answered, and the calls ordered are the calls ended.
private func check(_ recipe: Recipe, answering document: JSONValue?) {
  let given = recipe.parameters.filter { $0.fallback == nil }.map { "\($0.name)=1" }
  guard let arguments = try? RecipeArguments(given, for: recipe),
    var run = try? RecipeRun(recipe, with: arguments)
  else { return }
  var open: [(id: CallID, url: String)] = []
  var orders = run.started()
  var calls = 0
  while true {
    for order in orders {
      switch order {
      case .call(let id, let url):
        require((try? WebURL(url))?.requestURL == url, "\(url) cannot be called")
        require(!open.contains { $0.id == id }, "a call is ordered twice")
        open.append((id, url))
      case .forget(let id, _): open.removeAll { $0.id == id }
      case .end(let outcome):
        require(outcome.value != nil || outcome.failure != nil, "neither value nor failure")
        require(open.isEmpty, "the end came early")
        return
      }
    }
    require(!open.isEmpty, "nothing is under way, and the run is not over")
    calls += 1
    // Pages and large arrays take long and show nothing new.
    guard calls < 200 else { return }
    let call = open.remove(at: calls * 7 % open.count)
    orders = answered(call, document, of: recipe, &run)
  }
}

private func answered(
  _ call: (id: CallID, url: String), _ document: JSONValue?, of recipe: Recipe, _ run: inout RecipeRun
) -> [RecipeOrder] {
  guard let document, call.id.ordinal % 5 != 4 else {
    return run.callFailed(call.id, RecipeFailure(kind: "timeout", "no answer"))
  }
  do throws(RecipeFailure) {
    let response = CallResponse(document, from: call.url, links: ["<?p=2>; rel=next"])
    return run.callAnswered(call.id, try recipe.steps[call.id.step].reading.answer(from: response))
  } catch {
    return run.callFailed(call.id, error)
  }
}
