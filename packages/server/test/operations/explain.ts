import type { PreparedStatement, Queryable } from '../../src/db/database.ts'
import type { VerbContext } from '../verbs/verb-context.ts'

/** A step of a plan, as PostgreSQL tells it. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

export interface Explained {
  plan: PlanNode
  ms: number
}

/** The very statements that a verb sends, each explained while it runs. */
export async function explain(
  ctx: VerbContext,
  run: (spied: VerbContext) => Promise<unknown>,
): Promise<Explained[]> {
  const explained: Explained[] = []
  const query: Queryable['query'] = async <Row extends object>(
    statement: string | PreparedStatement,
    values?: readonly unknown[],
  ): Promise<Row[]> => {
    const text = typeof statement === 'string' ? statement : statement.text
    const [row] = await ctx.db.query<{ 'QUERY PLAN': Array<{ Plan: PlanNode; 'Execution Time': number }> }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    const [root] = row?.['QUERY PLAN'] ?? []
    if (root !== undefined) explained.push({ plan: root.Plan, ms: root['Execution Time'] })
    return await ctx.db.query<Row>(statement, values)
  }
  await run({
    ...ctx,
    db: { query, transaction: async () => await Promise.reject(new Error('lists open no transaction')) },
  })
  return explained
}

/** A plan's steps, all of them. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
