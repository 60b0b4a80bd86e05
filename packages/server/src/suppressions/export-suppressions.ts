import type { Ctx } from '../context.ts'
import { csvLine } from './csv.ts'
import { type SuppressionRow, suppressionColumns, toSuppression } from './row.ts'

/** How many rows are in memory at once. */
const pageMax = 1_000

/** Comes before every id. */
const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The active suppressions of an account as CSV, oldest first, in pieces. */
export async function* exportSuppressions(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
): AsyncGenerator<string, void> {
  let text = csvLine(['address', 'reason', 'scope', 'list', 'created_at', 'lapses_at'])
  for (let after = nilUuid; ; ) {
    const rows: SuppressionRow[] = await ctx.db.query<SuppressionRow>(
      // reads the primary key from the end of the last page; with the state as a condition, the planner may sort the rest instead
      `select ${suppressionColumns} from suppression s where s.account_id = $1 and s.id > $2 order by s.id limit $3`,
      [accountId, after, pageMax],
    )
    yield text + rows.filter(isListed).map(lineOf).join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageMax) return
    after = last.id
    text = ''
  }
}

/** Active, and not erased. */
function isListed({ state, address }: SuppressionRow): boolean {
  return state === 'active' && address !== null
}

function lineOf(row: SuppressionRow): string {
  const { address, reason, scope, created_at, lapses_at } = toSuppression(row)
  return csvLine([address ?? '', reason, scope.type, scope.id ?? '', created_at, lapses_at ?? ''])
}
