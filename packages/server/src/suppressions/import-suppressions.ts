import {
  plainMessage,
  type SuppressionCreate,
  suppressionCreate,
  type SuppressionImport,
  suppressionReasons,
} from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { CsvRecord } from './csv.ts'
import { readCsv } from './read-csv.ts'
import { AppError } from '../errors.ts'
import { addListed, type Listed } from './add-listed.ts'

/** How many records are stored in one transaction and are in memory at once. */
const batchMax = 1_000
const rejectionsMax = 1_000

/**
 * Imports a list of addresses while it arrives. If the connection breaks, stored suppressions stay, and the client can send
 * the list again.
 * @param chunks CSV in UTF-8 with a header
 */
export async function importSuppressions(
  ctx: Ctx,
  accountId: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<SuppressionImport> {
  const tally: SuppressionImport = { lines: 0, added: 0, unchanged: 0, rejected: 0, rejections: [] }
  let columns: Columns | null = null
  let batch: Listed[] = []
  const store = async (): Promise<void> => {
    const added = await addListed(ctx, accountId, batch)
    tally.added += added
    tally.unchanged += batch.length - added
    batch = []
  }
  for await (const record of readCsv(chunks)) {
    if (columns === null) {
      columns = readHeader(record)
      continue
    }
    tally.lines++
    const read = 'reason' in record ? record.reason : readRecord(record.fields, columns)
    if (typeof read === 'string') {
      tally.rejected++
      if (tally.rejections.length < rejectionsMax) tally.rejections.push({ line: record.line, reason: read })
      continue
    }
    batch.push(read)
    if (batch.length === batchMax) await store()
  }
  if (columns === null) throw headerMissing()
  if (batch.length > 0) await store()
  return tally
}

/** The index of each field in a record; -1 if it is missing. */
interface Columns {
  readonly address: number
  readonly reason: number
  readonly scope: number
  readonly list: number
}

function readHeader(record: CsvRecord): Columns {
  const names = 'fields' in record ? record.fields.map(name => name.trim().toLowerCase()) : []
  const columns = {
    address: names.indexOf('address'),
    reason: names.indexOf('reason'),
    scope: names.indexOf('scope'),
    list: names.indexOf('list'),
  }
  if (columns.address === -1) throw headerMissing()
  return columns
}

function headerMissing(): AppError {
  const message = 'must begin with a line that names the columns, one of them address'
  return new AppError('validation_failed', `The body ${message}.`, [{ path: '', message }])
}

/** @returns a text if the record is rejected */
function readRecord(fields: readonly string[], columns: Columns): Listed | string {
  const field = (at: number): string => fields[at]?.trim() ?? ''
  const given = field(columns.reason) || 'manual'
  const reason = suppressionReasons.find(one => one === given)
  if (reason === undefined) return `reason must be one of ${suppressionReasons.join(', ')}`
  const list = fields[columns.list] ?? ''
  const checked = suppressionCreate.safeParse(
    {
      address: field(columns.address),
      scope: { type: field(columns.scope) || 'all_mail', ...(list !== '' && { id: list }) },
    },
    { error: plainMessage },
  )
  if (checked.success) return { ...withScope(checked.data), reason }
  return checked.error.issues.map(({ path, message }) => `${columnOf(path)} ${message}`).join('; ')
}

function withScope({ address, scope = { type: 'all_mail' } }: SuppressionCreate): Omit<Listed, 'reason'> {
  return { address, scope: scope.type, list: scope.id ?? null }
}

function columnOf(path: readonly PropertyKey[]): string {
  switch (path.join('.')) {
    case 'scope.type':
      return 'scope'
    case 'scope.id':
      return 'list'
    default:
      return 'address'
  }
}
