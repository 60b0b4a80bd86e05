import type { ReactNode } from 'react'

export interface ChartTableProps {
  readonly label: string
  readonly columns: readonly string[]
  /** The first cell of each row is its header. Called only if the table is shown. */
  readonly rows: () => readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  readonly heightLook: string
}

/** The numbers of a chart, in its place and at its height. */
export function ChartTable({ label, columns, rows, heightLook }: ChartTableProps) {
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className={`mb-6 overflow-auto rounded border border-line ${heightLook}`}
    >
      <table className="w-full border-collapse text-left text-label">
        <thead className="sticky top-0 bg-surface text-label text-ink-3">
          <tr>
            {columns.map((column, place) => (
              <th
                key={column}
                scope="col"
                className={`px-1.5 py-1.5 font-normal ${place === 0 ? '' : 'text-right'}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows().map(row => (
            <tr key={row.key} className="border-t border-line">
              {row.cells.map((cell, place) =>
                place === 0 ? (
                  <th
                    key={columns[place]}
                    scope="row"
                    className="px-1.5 py-1.5 font-normal whitespace-nowrap"
                  >
                    {cell}
                  </th>
                ) : (
                  <td key={columns[place]} className="px-1.5 py-1.5 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
