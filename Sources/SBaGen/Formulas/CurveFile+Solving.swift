import Patches

extension CurveFile {
    /// Finds the unknowns by Newton's method, with differences for derivatives.
    mutating func solve(_ session: [Double]) throws(CurveFormula.Failure) {
        guard let (unknowns, equations) = solved else { return }
        let places = unknowns.map { names.firstIndex(of: $0)! - Self.ownNames.count }
        func errors(_ parameters: [Double]) -> [Double] {
            equations.map { $0.0.value(session + parameters) - $0.1.value(session + parameters) }
        }
        for _ in 0..<100 {
            let now = errors(parameters)
            guard now.allSatisfy(\.isFinite) else { break }
            if now.allSatisfy({ abs($0) <= 1e-9 }) { return }
            var matrix = equations.indices.map { row in Array(repeating: 0.0, count: places.count) + [-now[row]] }
            for (column, place) in places.enumerated() {
                var moved = parameters
                let step = 1e-6 * max(1, abs(moved[place]))
                moved[place] += step
                for (row, error) in errors(moved).enumerated() { matrix[row][column] = (error - now[row]) / step }
            }
            guard let change = Self.eliminate(&matrix) else { break }
            for (column, place) in places.enumerated() { parameters[place] += change[column] }
        }
        throw .init(sentence: "`solve` finds no solution: give the unknowns other values to begin with, by `param`")
    }

    /// The solution of linear equations, each with its right side behind; `nil` if there is not exactly one.
    private static func eliminate(_ matrix: inout [[Double]]) -> [Double]? {
        let count = matrix.count
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(matrix[$0][column]) < abs(matrix[$1][column]) }),
                abs(matrix[pivot][column]) > 1e-12, matrix[pivot][column].isFinite
            else { return nil }
            matrix.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = matrix[row][column] / matrix[column][column]
                for place in column...count { matrix[row][place] -= factor * matrix[column][place] }
            }
        }
        let solution = (0..<count).map { matrix[$0][count] / matrix[$0][$0] }
        return solution.allSatisfy(\.isFinite) ? solution : nil
    }
}
