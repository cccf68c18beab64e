/// A table whose columns are as wide as their widest cell, two spaces apart.
package struct Table {
    private let rows: [[String]]

    package init(rows: [[String]]) { self.rows = rows }

    package var lines: [String] {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - DisplayWidth.columns(of: $0)) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
