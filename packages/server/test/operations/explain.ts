import pg from 'pg'
import type { PreparedStatement, Queryable } from '../../src/db/database.ts'
import { plannedOnceSettings } from '../../src/db/session-settings.ts'
import type { VerbContext } from '../verbs/verb-context.ts'
import { applySettings } from '../support/apply-settings.ts'

/** A node of a plan in PostgreSQL's JSON format. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export interface Explained {
  plan: PlanNode
  ms: number
}

/** Runs a verb and explains every statement that it sends. */
export async function explain(
  ctx: VerbContext,
  run: (spied: VerbContext) => Promise<unknown>,
): Promise<Explained[]> {
  const explained: Explained[] = []
  const note = async (asked: Promise<ExplainRow[]>): Promise<void> => {
    const [root] = (await asked)[0]?.['QUERY PLAN'] ?? []
    if (root !== undefined) explained.push({ plan: root.Plan, ms: root['Execution Time'] })
  }
  const planned: Queryable['query'] = async (statement, values) => {
    await note(ctx.db.query(`${explaining} ${textOf(statement)}`, values))
    return await ctx.db.query(statement, values)
  }
  const plannedOnce: Queryable['query'] = async (statement, values = []) => {
    await ctx.db.transaction(async tx => {
      await applySettings(tx, plannedOnceSettings)
      await tx.query(`prepare explained as ${textOf(statement)}`)
      await note(tx.query(`${explaining} execute explained (${values.map(literal).join(', ')})`))
      await tx.query('deallocate explained')
    })
    return await ctx.db.query(statement, values)
  }
  await run({
    ...ctx,
    db: {
      query: planned,
      transaction: async () => await Promise.reject(new Error('lists open no transaction')),
    },
    history: { query: plannedOnce },
  })
  return explained
}

const explaining = 'explain (analyze, buffers, format json)'

interface ExplainRow {
  'QUERY PLAN': Array<{ Plan: PlanNode; 'Execution Time': number }>
}

function textOf(statement: string | PreparedStatement): string {
  return typeof statement === 'string' ? statement : statement.text
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : `${value as string | number}`)
}

/** All nodes of a plan. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
