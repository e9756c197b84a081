import Assembly
import Curl
import FetchCurl
import LedgerSQLite
import Posix
import Roles
import SQLite
import Sandbox
import ZeroMQ

/// The command `doctor`: is this machine fit to run halyard? It changes nothing, and talks to nothing but the fleet.
struct DoctorCommand {
  let arguments: ParsedArguments
  let environment: [String: String]

  /// Fails when there is trouble; a warning is none.
  func run() async throws -> ExitCode {
    var findings = [libraries, certificates, descriptors, ledger]
    findings.append(try await fleet())
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
    options.concurrency = LinkOption.concurrency.fallback
    let wanted = options.network(SystemClock()).wantedDescriptors(threads: processors)
    return DoctorRules.descriptors(
      limit: raiseDescriptorLimit(to: wanted), wanted: wanted,
      fewest: DescriptorRoom.fewestOfFleet)
  }

  private var ledger: Finding {
    let fleet = try? arguments.place(FleetOption.fleet)?.directory
    let directory = fleet ?? FleetPlace.defaultDirectory(environment)
    let path =
      arguments[FleetOption.ledger] ?? LedgerMark.noted(in: directory)?.ledger ?? "\(directory)/ledger.db"
    let free = directories(above: absolutePath(path)).lazy.compactMap { freeBytes(at: $0) }.first
    guard ((try? FileFacts(at: path)) ?? nil) != nil else {
      return DoctorRules.ledger(path, header: nil, free: free)
    }
    do {
      var header: [UInt8] = []
      let file = try Descriptor.reading(path: path)
      while header.count < LedgerHeader.size, case let chunk = try file.readChunk(limit: LedgerHeader.size),
        !chunk.isEmpty
      {
        header += chunk
      }
      return DoctorRules.ledger(path, header: header, free: free)
    } catch {
      return .trouble("ledger", "\(path): \(error.message)", fix: "name a file that this user may write to")
    }
  }

  private func fleet() async throws -> Finding {
    let named = try arguments.place(FleetOption.fleet)
    let place = named ?? FleetPlace(runDirectory: FleetPlace.defaultDirectory(environment))
    if named == nil, let directory = place.directory,
      Set(fileNames(in: directory)).isDisjoint(with: [FleetPlace.socket, RunDirectory.note])
    {
      return .ok("fleet", "none runs in \(directory)")
    }
    do {
      let status = try await FleetLinkPlan(arguments, environment: environment).withLink {
        try StatusText(try await $0.client.status())
      }
      guard status.isWell else {
        return .warning("fleet", "\(place.address) answers, and is not well", fix: "halyard status")
      }
      return .ok("fleet", "\(place.address) answers")
    } catch let error as FleetSilent {
      let fix = error.next(environment)
      return named == nil
        ? .warning("fleet", error.words, fix: fix) : .trouble("fleet", error.words, fix: fix)
    } catch let error as DistrustedPath {
      return .trouble("fleet", error.message, fix: "halyard up --check --run-dir DIR")
    } catch let error as InputError {
      return .trouble("fleet", "\(error.source): \(error.problem)", fix: "halyard keys --help")
    }
  }
}
