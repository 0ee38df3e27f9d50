import DualSendCommandLine
import Testing

@Suite("A unified diff", .timeLimit(.minutes(5)))
struct UnifiedDiffTests {
  @Test("prints differences that patch understands")
  func diff() {
    let old = (1...12).map { "line \($0)\n" }.joined()
    let new = old.replacing("line 3\n", with: "line three\n").replacing("line 12\n", with: "line 12")
    #expect(
      UnifiedDiff("A.swift", from: old, to: new).text == """
        --- a/A.swift
        +++ b/A.swift
        @@ -1,6 +1,6 @@
         line 1
         line 2
        -line 3
        +line three
         line 4
         line 5
         line 6
        @@ -9,4 +9,4 @@
         line 9
         line 10
         line 11
        -line 12
        +line 12
        \\ No newline at end of file

        """)
  }
}
