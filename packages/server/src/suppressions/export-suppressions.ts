import type { Ctx } from '../context.ts'
import { csvLine } from '../domain/csv.ts'
import { type SuppressionRow, suppressionColumns, suppressionState, toSuppression } from './row.ts'

/** So many are held in memory at once. */
const pageMax = 1_000

/** The addresses that an account does not write to as CSV, oldest first, a piece at a time. */
export async function* exportSuppressions(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
): AsyncGenerator<string, void> {
  let text = csvLine(['address', 'reason', 'scope', 'list', 'created_at', 'lapses_at'])
  for (let after: string | null = null; ; ) {
    const rows: SuppressionRow[] = await ctx.db.query<SuppressionRow>(
      // along the primary key from where the last page ended; an erased address is gone
      `select ${suppressionColumns} from suppression s
       where s.account_id = $1 and ($2::uuid is null or s.id > $2) and s.address is not null
         and ${suppressionState} = 'active'
       order by s.id limit $3`,
      [accountId, after, pageMax],
    )
    yield text + rows.map(lineOf).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageMax) return
    after = last.id
    text = ''
  }
}

function lineOf(row: SuppressionRow): string {
  const { address, reason, scope, created_at, lapses_at } = toSuppression(row)
  return csvLine([address ?? '', reason, scope.type, scope.id ?? '', created_at, lapses_at ?? ''])
}
