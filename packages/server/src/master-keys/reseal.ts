import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { recordHead, type Seal, SealError } from '../seal/seal.ts'
import { sealedColumns, type SealedColumn } from './sealed-columns.ts'

export interface ResealOptions {
  db: Queryable
  seal: Seal
  /** The id of the master key that `seal` encrypts with. */
  keyId: string
  /** Called after each batch with the number of values so far. */
  onProgress: (done: number) => void
  /** Waits for rows that other transactions have locked. */
  wait: (ms: number) => Promise<void>
}

/** A value that no master key decrypts. It stays unchanged. */
export interface Unreadable {
  readonly column: SealedColumn
  readonly key: readonly string[]
  readonly reason: string
}

const batchRows = 100
const retryMs = 200

/**
 * Encrypts all values again that do not use the first master key. Each batch is a transaction that skips locked rows, so
 * that it never waits while it holds locks, and tries them again later. If it is stopped, the next run continues with the
 * values that are left.
 */
export async function reseal(
  options: ResealOptions,
): Promise<{ resealed: number; unreadable: Unreadable[] }> {
  const unreadable: Unreadable[] = []
  let resealed = 0
  for (const column of sealedColumns) {
    for (;;) {
      const pass = await passOver(column, options, count => options.onProgress((resealed += count)))
      if (!pass.skippedSome) {
        unreadable.push(...pass.unreadable)
        break
      }
      await options.wait(retryMs)
    }
  }
  return { resealed, unreadable }
}

interface Pass {
  unreadable: Unreadable[]
  /** Some rows were locked, or another process has used another key since. */
  skippedSome: boolean
}

async function passOver(
  column: SealedColumn,
  options: ResealOptions,
  onBatch: (count: number) => void,
): Promise<Pass> {
  const unreadable: Unreadable[] = []
  let after: readonly string[] | undefined = column.key.map(() => '00000000-0000-0000-0000-000000000000')
  while (after !== undefined) {
    const from: readonly string[] = after
    const batch = await options.db.transaction(async tx => await resealBatch(tx, column, options, from))
    unreadable.push(...batch.unreadable)
    if (batch.resealed > 0) onBatch(batch.resealed)
    after = batch.last
  }
  const [row] = await options.db.query<{ left: number }>(
    `select count(*) as left from ${column.table} where ${sealedOtherwise(column)}`,
    [Buffer.from(recordHead(options.keyId))],
  )
  return { unreadable, skippedSome: (row?.left ?? 0) > unreadable.length }
}

interface SealedRow {
  key: string[]
  sealed: Uint8Array
}

async function resealBatch(
  tx: Queryable,
  column: SealedColumn,
  { seal, keyId }: ResealOptions,
  after: readonly string[],
): Promise<{ resealed: number; unreadable: Unreadable[]; last: readonly string[] | undefined }> {
  const keyColumns = column.key.join(', ')
  const rows = await tx.query<SealedRow>(
    `select array[${keyColumns}] as key, ${column.column} as sealed from ${column.table}
     where ${sealedOtherwise(column)}
       and (${keyColumns}) > (${column.key.map((_, n) => `$${n + 2}::uuid`).join(', ')})
     order by ${keyColumns} limit ${batchRows} for update skip locked`,
    [Buffer.from(recordHead(keyId)), ...after],
  )
  const unreadable: Unreadable[] = []
  const fresh: SealedRow[] = []
  for (const { key, sealed } of rows) {
    const ids = column.idsOf(key)
    try {
      fresh.push({ key, sealed: seal.seal(column.purpose, ids, seal.open(column.purpose, ids, sealed)) })
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      unreadable.push({ column, key, reason: error.message })
    }
  }
  if (fresh.length > 0) await store(tx, column, fresh)
  return { resealed: fresh.length, unreadable, last: rows.at(-1)?.key }
}

async function store(tx: Queryable, column: SealedColumn, rows: readonly SealedRow[]): Promise<void> {
  const keys = column.key.map((_, n) => `$${n + 1}::uuid[]`)
  await tx.query(
    `update ${column.table} as t set ${column.column} = decode(fresh.sealed, 'hex')
     from unnest(${keys.join(', ')}, $${keys.length + 1}::text[]) as fresh (${column.key.join(', ')}, sealed)
     where ${column.key.map(name => `t.${name} = fresh.${name}`).join(' and ')}`,
    [
      ...column.key.map((_, n) => plainArray(rows.map(({ key }) => key[n] ?? ''))),
      plainArray(rows.map(({ sealed }) => Buffer.from(sealed).toString('hex'))),
    ],
  )
}

/** `$1` is the start of records with the new key. */
function sealedOtherwise({ column }: SealedColumn): string {
  return `${column} is not null and substr(${column}, 1, length($1::bytea)) <> $1::bytea`
}
