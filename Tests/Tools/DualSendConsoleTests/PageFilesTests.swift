import DualSendCommandTesting
import Foundation
import Testing

@testable import DualSendConsole

@Suite("The files of the console's page")
struct PageFilesTests {
  private let files: TemporaryFiles

  init() throws {
    files = try TemporaryFiles()
  }

  /// A page with a file of each kind, in a folder.
  private func page(in folder: URL) throws -> PageFiles? {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["index.html", ".secret.html", "notes.txt"] {
      try Data(name.utf8).write(to: folder.appendingPathComponent(name))
    }
    return PageFiles(folder: folder)
  }

  @Test("are beside the program, in the bundle of each system", arguments: 0..<3)
  func bundle(kind: Int) throws {
    let places = PageFiles.places(in: files.folder)
    try #require(places.count == 3)
    let page = try #require(try page(in: places[kind]))
    #expect(page.answer([""])?.body == Array("index.html".utf8))
  }

  @Test("are served by plain names of known types only")
  func names() throws {
    let page = try #require(try page(in: files.folder.appendingPathComponent("page/inner")))
    #expect(page.answer(["index.html"]) != nil)
    for path in [[".secret.html"], ["notes.txt"], ["..", "index.html"], ["inner", "index.html"], ["index.html", ""]] {
      #expect(page.answer(path) == nil, "\(path)")
    }
  }

  @Test("are missed where there is no index.html")
  func noPage() throws {
    #expect(PageFiles(folder: files.folder.appendingPathComponent("none")) == nil)
  }
}
