@testable import Parity
