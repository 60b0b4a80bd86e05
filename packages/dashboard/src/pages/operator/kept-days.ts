import type { System } from '@posthorn/contract'

/** The tables whose rows the page shows. */
type Table = 'event' | 'delivery' | 'attempt'

/** One day of events with their deliveries and attempts. */
export interface KeptDay {
  /** `2026-11-21`, in UTC. */
  readonly day: string
  readonly sizeBytes: number
  /** The database's estimate; null: not analysed yet. */
  readonly rows: Readonly<Record<'event' | 'delivery' | 'attempt', number | null>>
}

/** The partitions of each day that has or had data, in the given order. Empty days are prepared in advance. */
export function keptDays(partitions: System['partitions']): KeptDay[] {
  const days = Map.groupBy(partitions, ({ day }) => day)
  const used = [...days].filter(([, ofDay]) => ofDay.some(partition => !partition.is_empty))
  return used.map(([day, ofDay]) => {
    const rowsOf = (table: Table): number | null =>
      ofDay.find(partition => partition.table === table)?.rows_estimate ?? null
    return {
      day,
      sizeBytes: ofDay.reduce((sum, partition) => sum + partition.size_bytes, 0),
      rows: { event: rowsOf('event'), delivery: rowsOf('delivery'), attempt: rowsOf('attempt') },
    }
  })
}
