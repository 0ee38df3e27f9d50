import SwiftSyntax

/// A function that logs what it is given, named without being called: whoever gets it may call it with anything.
struct HandedOn: Sendable {
  /// Where the name stands: the place, and its bytes from the file's start.
  let standpoint: Standpoint
  let offset: Int
  let name: String
  /// The functions that are meant; empty if that is not known.
  let wrappers: Set<Wrapper>

  var reason: String {
    wrappers.isEmpty
      ? "`\(name)` may be a function that is handed on as a value: what it is a member of is not known"
      : "`\(name)` is handed on as a value, and called elsewhere"
  }
}

/// Names that may be functions, without a call.
extension CallTracer {
  /// What a name stands for.
  private enum Meaning {
    case wrappers(Set<Wrapper>)
    /// Perhaps a function that logs.
    case unknown
    case other
  }

  /// Looks at some names when the evaluator meets them, with the values of that moment.
  func watch(_ references: [DeclReferenceExprSyntax], in file: Int) {
    guard !references.isEmpty else { return }
    let own = Set(references.map(\.id))
    met = []
    evaluator.referenceRecorder = { [unowned self] name, context, path in
      guard context.file == file, own.contains(name.id) else { return }
      met.insert(name.id)
      note(name, context, path)
    }
  }

  /// Looks at those that the evaluator did not come by.
  func noteUnmet(_ references: [DeclReferenceExprSyntax], _ file: Int, _ typeName: String?) {
    for name in references where !met.contains(name.id) {
      let own = typeName.flatMap { evaluator.index.type($0, in: nil, file: file) }
      let context = EvaluationContext(
        file: file, typeName: typeName, selfValue: own.map { SourceValue(.instance(type: $0, fields: nil)) })
      note(name, context, Path())
    }
    handedOn.sort { $0.offset < $1.offset }
  }

  private func note(_ name: DeclReferenceExprSyntax, _ context: EvaluationContext, _ path: Path) {
    let wrappers: Set<Wrapper>
    switch evaluator.unobserved({ meaning(of: name, context, path) }) {
    case .other: return
    case .unknown: wrappers = []
    case .wrappers(let found): wrappers = found
    }
    let offset = name.positionAfterSkippingLeadingTrivia.utf8Offset
    guard !handedOn.contains(where: { $0.offset == offset }) else { return }
    handedOn.append(
      HandedOn(
        standpoint: Standpoint(name, converter), offset: offset, name: name.baseName.identifierText, wrappers: wrappers)
    )
  }

  private func meaning(
    of name: DeclReferenceExprSyntax, _ context: EvaluationContext, _ path: Path
  ) -> Meaning {
    let text = name.baseName.identifierText
    let fitting = (wrappers[text] ?? []).filter { name.labels == nil || name.labels == $0.declaration.labels }
    let isLogging = functions.contains {
      $0.name == text && $0.type == nil && $0.receiverProtocol == nil
        && (name.labels == nil || name.labels == $0.labels)
    }
    guard !fitting.isEmpty || isLogging else { return .other }
    guard let member = name.whole.as(MemberAccessExprSyntax.self) else {
      guard let root = name.keyPathRoot else { return plain(text, fitting, isLogging, context) }
      let type = root.plainName.flatMap { evaluator.index.type($0, in: context.typeName, file: context.file) }
      return type.map { self.member(text, of: $0, fitting, isLogging, context) } ?? .unknown
    }
    guard let base = member.base else {
      return fitting.contains(where: \.declaration.isStatic) ? .unknown : .other
    }
    if name.isCallee {
      // `Analytics.track(analytics)` is no call yet, but the function of one of its values.
      let owner = evaluator.typeNamed(base, context, path)
      let unbound = fitting.filter { wrapper in
        !wrapper.declaration.isStatic && owner.map { isMember(wrapper, of: $0, context.file) } == true
      }
      return unbound.isEmpty ? .other : .wrappers(Set(unbound))
    }
    if let type = evaluator.typeNamed(base, context, path) {
      return self.member(text, of: type, fitting, isLogging, context)
    }
    var path = path
    // The type of a value has the same members, as far as they are told apart here.
    let whole = evaluator.value(base.typeArgument ?? base, context, &path).unwrapped
    var found: Set<Wrapper> = []
    var isUnknown = false
    for value in whole.alternatives {
      guard let type = value.typeID else {
        isUnknown = isUnknown || value.isOpenShape
        continue
      }
      switch self.member(text, of: type, fitting, isLogging, context) {
      case .wrappers(let more): found.formUnion(more)
      case .unknown: isUnknown = true
      case .other: continue
      }
    }
    if isUnknown { return .unknown }
    return found.isEmpty ? .other : .wrappers(found)
  }

  /// A name without anything before it.
  private func plain(
    _ text: String, _ fitting: [Wrapper], _ isLogging: Bool, _ context: EvaluationContext
  ) -> Meaning {
    if context.names.ids[text] != nil { return .other }
    if let local = context.names.functions[text] {
      // In a script the functions of the file are statements like others.
      let place = Place(file: context.file, offset: local.positionAfterSkippingLeadingTrivia.utf8Offset)
      let meant = fitting.filter { $0.declaration.place == place }
      return meant.isEmpty ? .other : .wrappers(Set(meant))
    }
    if let type = context.selfValue?.typeID {
      let own = fitting.filter { isMember($0, of: type, context.file) }
      if !own.isEmpty { return .wrappers(Set(own)) }
      if !evaluator.index.members(text, of: type, file: context.file).isEmpty { return .other }
    }
    // An extension of a type of other sources.
    let visible = fitting.filter { wrapper in
      (wrapper.owner == nil || wrapper.owner?.name == context.typeName)
        && (!wrapper.declaration.isPrivate || wrapper.declaration.place.file == context.file)
    }
    if !visible.isEmpty { return .wrappers(Set(visible)) }
    return isLogging ? .unknown : .other
  }

  /// A member of a type, or of a value of it.
  private func member(
    _ text: String, of type: TypeID, _ fitting: [Wrapper], _ isLogging: Bool, _ context: EvaluationContext
  ) -> Meaning {
    let own = fitting.filter { isMember($0, of: type, context.file) }
    if !own.isEmpty { return .wrappers(Set(own)) }
    let members = evaluator.index.members(text, of: type, file: context.file)
    if members.contains(where: { $0.kind != .function }) { return .other }
    // A protocol's requirement may be any type's; the old logger itself is mostly one.
    return isLogging || evaluator.index.isRequirement(text, of: type, file: context.file) ? .unknown : .other
  }

  private func isMember(_ wrapper: Wrapper, of type: TypeID, _ file: Int) -> Bool {
    wrapper.owner == type
      || evaluator.index.methods(wrapper.declaration.name, of: type, file: file)
        .contains { $0.place == wrapper.declaration.place }
  }
}
