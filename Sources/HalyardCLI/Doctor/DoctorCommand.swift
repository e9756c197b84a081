import Assembly
import Curl
import FetchCurl
import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
import Roles
import SQLite
import Sandbox
import ZeroMQ

/// The command `doctor`: is this machine fit to run halyard? It changes nothing, and talks to nothing but the fleet.
struct DoctorCommand {
  let arguments: ParsedArguments

  /// Fails when there is trouble; a warning is none.
  func run() async throws -> ExitCode {
    let (fleet, status) = try await fleet()
    var findings = [libraries, certificates, descriptors, ledger(of: status), fleet]
    findings.append(
      DoctorRules.sandbox(
        hasFilters: KernelSandbox.hasFilters, landlock: KernelSandbox.landlockVersion))
    try arguments.show(json: findings.flatMap(\.json), text: findings.map(\.text).joined())
    return findings.contains { $0.state == .trouble } ? .someFailed : .ok
  }

  private var libraries: Finding {
    DoctorRules.libraries(
      curl: curlVersion, others: ["ZeroMQ/\(ZeroMQLibrary.version)", "SQLite/\(SQLiteLibrary.version)"])
  }

  private var certificates: Finding {
    let file = arguments[LinkOption.cacert] ?? authorityFile
    let isReadable = file.map(mayReadFile) ?? false
    return DoctorRules.certificates(
      file: file, isReadable: isReadable, loads: isReadable && file.map(CurlSettings.canTrust) ?? false)
  }

  private var descriptors: Finding {
    var options = PipelineOptions()
    options.roles.fetcher.concurrency = LinkOption.concurrency.fallback
    let wanted = options.network(SystemClock()).wantedDescriptors(threads: processors)
    return DoctorRules.descriptors(
      limit: raiseDescriptorLimit(to: wanted), wanted: wanted,
      fewest: DescriptorRoom.fewestOfFleet)
  }

  /// - Parameter status: What the fleet says; nil when none answers.
  private func ledger(of status: StatusText?) -> Finding {
    if let missing = status?.missingLedger { return DoctorRules.ledger(missing: missing) }
    let directory =
      arguments[FleetOption.fleet]?.directory ?? FleetPlace.defaultDirectory(arguments.environment)
    let path =
      arguments[FleetOption.ledger] ?? LedgerMark.noted(in: directory)?.ledger ?? "\(directory)/ledger.db"
    let free = directories(above: absolutePath(path)).lazy.compactMap { freeBytes(at: $0) }.first
    guard ((try? FileFacts(at: path)) ?? nil) != nil else {
      return DoctorRules.ledger(path, header: nil, free: free, isInUse: status != nil)
    }
    do {
      var header: [UInt8] = []
      let file = try SafeFile.readingTrusted(path: path)
      while header.count < LedgerHeader.size, case let chunk = try file.readChunk(limit: LedgerHeader.size),
        !chunk.isEmpty
      {
        header += chunk
      }
      return DoctorRules.ledger(path, header: header, free: free, isInUse: status != nil)
    } catch let error as DistrustedPath {
      // A fleet that runs has opened it before.
      return .trouble("ledger", error.message, fix: "the next start refuses it as it is")
    } catch {
      return .trouble("ledger", "\(path): \(error)", fix: "name a file that this user may write to")
    }
  }

  private func fleet() async throws -> (Finding, StatusText?) {
    let isNamed = arguments.isSet(FleetOption.fleet)
    let place = arguments.fleetPlace
    if !isNamed, let directory = place.directory,
      Set(fileNames(in: directory)).isDisjoint(with: [FleetPlace.socket, RunDirectory.note])
    {
      return (.ok("fleet", "none runs in \(directory)"), nil)
    }
    do {
      let status = try await arguments.fleet().withLink {
        try StatusText(try await $0.client.ask(StatusQuestion()).bytes)
      }
      guard status.isWell else {
        let words = "\(place.address) answers, and is not well"
        return (.warning("fleet", words, fix: "halyard status"), status)
      }
      return (.ok("fleet", "\(place.address) answers"), status)
    } catch let error as FleetSilent {
      let fix = error.next(arguments.environment)
      let state = isNamed ? Finding.State.trouble : .warning
      return (Finding(check: "fleet", state: state, message: error.words, fix: fix), nil)
    } catch let error as DistrustedPath {
      return (
        .trouble(
          "fleet", error.message,
          fix: "halyard up --check --run-dir \(ShellWord.quoted(place.directory ?? "DIR"))"), nil
      )
    } catch let error as InputError {
      return (.trouble("fleet", "\(error.source): \(error.problem)", fix: "halyard keys --help"), nil)
    }
  }
}
