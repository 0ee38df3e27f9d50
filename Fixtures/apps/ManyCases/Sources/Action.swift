/// All that a person does in the garden.
enum Action: String, CaseIterable {
  case bedOpened, bedClosed, bedAdded, bedRemoved, bedMoved, bedRenamed, bedShared, bedWatered, bedCut,
    bedCounted, bedSorted, bedShown, bedHidden, bedPrinted, bedFailed
  case plantOpened, plantClosed, plantAdded, plantRemoved, plantMoved, plantRenamed, plantShared, plantWatered,
    plantCut, plantCounted, plantSorted, plantShown, plantHidden, plantPrinted, plantFailed
  case seedOpened, seedClosed, seedAdded, seedRemoved, seedMoved, seedRenamed, seedShared, seedWatered,
    seedCut, seedCounted, seedSorted, seedShown, seedHidden, seedPrinted, seedFailed
  case toolOpened, toolClosed, toolAdded, toolRemoved, toolMoved, toolRenamed, toolShared, toolWatered,
    toolCut, toolCounted, toolSorted, toolShown, toolHidden, toolPrinted, toolFailed
  case potOpened, potClosed, potAdded, potRemoved, potMoved, potRenamed, potShared, potWatered, potCut,
    potCounted, potSorted, potShown, potHidden, potPrinted, potFailed
  case shedOpened, shedClosed, shedAdded, shedRemoved, shedMoved, shedRenamed, shedShared, shedWatered,
    shedCut, shedCounted, shedSorted, shedShown, shedHidden, shedPrinted, shedFailed
  case pathOpened, pathClosed, pathAdded, pathRemoved, pathMoved, pathRenamed, pathShared, pathWatered,
    pathCut, pathCounted, pathSorted, pathShown, pathHidden, pathPrinted, pathFailed
  case pondOpened, pondClosed, pondAdded, pondRemoved, pondMoved, pondRenamed, pondShared, pondWatered,
    pondCut, pondCounted, pondSorted, pondShown, pondHidden, pondPrinted, pondFailed
  case lawnOpened, lawnClosed, lawnAdded, lawnRemoved, lawnMoved, lawnRenamed, lawnShared, lawnWatered,
    lawnCut, lawnCounted, lawnSorted, lawnShown, lawnHidden, lawnPrinted, lawnFailed
  case fenceOpened, fenceClosed, fenceAdded, fenceRemoved, fenceMoved, fenceRenamed, fenceShared, fenceWatered,
    fenceCut, fenceCounted, fenceSorted, fenceShown, fenceHidden, fencePrinted, fenceFailed
  case treeOpened, treeClosed, treeAdded, treeRemoved, treeMoved, treeRenamed, treeShared, treeWatered,
    treeCut, treeCounted, treeSorted, treeShown, treeHidden, treePrinted, treeFailed
  case herbOpened, herbClosed, herbAdded, herbRemoved, herbMoved, herbRenamed, herbShared, herbWatered,
    herbCut, herbCounted, herbSorted, herbShown, herbHidden, herbPrinted, herbFailed
  case roseOpened, roseClosed, roseAdded, roseRemoved, roseMoved, roseRenamed, roseShared, roseWatered,
    roseCut, roseCounted, roseSorted, roseShown, roseHidden, rosePrinted, roseFailed
  case hedgeOpened, hedgeClosed, hedgeAdded, hedgeRemoved, hedgeMoved, hedgeRenamed, hedgeShared, hedgeWatered,
    hedgeCut, hedgeCounted, hedgeSorted, hedgeShown, hedgeHidden, hedgePrinted, hedgeFailed
  case compostOpened, compostClosed, compostAdded, compostRemoved, compostMoved, compostRenamed, compostShared,
    compostWatered, compostCut, compostCounted, compostSorted, compostShown, compostHidden, compostPrinted,
    compostFailed
  case bulbOpened, bulbClosed, bulbAdded, bulbRemoved, bulbMoved, bulbRenamed, bulbShared, bulbWatered,
    bulbCut, bulbCounted, bulbSorted, bulbShown, bulbHidden, bulbPrinted, bulbFailed
  case vineOpened, vineClosed, vineAdded, vineRemoved, vineMoved, vineRenamed, vineShared, vineWatered,
    vineCut, vineCounted, vineSorted, vineShown, vineHidden, vinePrinted, vineFailed
  case mulchOpened, mulchClosed, mulchAdded, mulchRemoved, mulchMoved, mulchRenamed, mulchShared, mulchWatered,
    mulchCut, mulchCounted, mulchSorted, mulchShown, mulchHidden, mulchPrinted, mulchFailed
  case hoseOpened, hoseClosed, hoseAdded, hoseRemoved, hoseMoved, hoseRenamed, hoseShared, hoseWatered,
    hoseCut, hoseCounted, hoseSorted, hoseShown, hoseHidden, hosePrinted, hoseFailed
  case gateOpened, gateClosed, gateAdded, gateRemoved, gateMoved, gateRenamed, gateShared, gateWatered,
    gateCut, gateCounted, gateSorted, gateShown, gateHidden, gatePrinted, gateFailed
}

extension Action {
  /// `bedAdded` is `garden_bed_added`.
  var eventName: String { "garden_" + rawValue.snakeCased }
}
