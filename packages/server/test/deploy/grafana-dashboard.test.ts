import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import * as z from 'zod'
import { canRun, hasProgram } from '../support/can-run.ts'
import { openShards } from '../support/shards.ts'
import { check } from './checkers.ts'

const path = new URL('../../../../deploy/grafana-dashboard.json', import.meta.url)
const datasource = z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') })

/** The part of Grafana's schema that the dashboard uses. */
const dashboardSchema = z.strictObject({
  title: z.string(),
  uid: z.string(),
  tags: z.array(z.string()),
  schemaVersion: z.int().min(36),
  editable: z.boolean(),
  timezone: z.string(),
  refresh: z.string(),
  time: z.strictObject({ from: z.string(), to: z.string() }),
  templating: z.strictObject({
    list: z.tuple([
      z.looseObject({
        name: z.literal('datasource'),
        type: z.literal('datasource'),
        query: z.literal('prometheus'),
      }),
    ]),
  }),
  annotations: z.strictObject({ list: z.array(z.never()) }),
  panels: z.array(
    z.strictObject({
      id: z.int().positive(),
      type: z.enum(['stat', 'timeseries']),
      title: z.string().min(1),
      description: z.string().min(1),
      datasource,
      gridPos: z.strictObject({
        x: z.int().min(0).max(23),
        y: z.int().min(0),
        w: z.int().min(1).max(24),
        h: z.int().min(1),
      }),
      fieldConfig: z.strictObject({
        defaults: z.looseObject({ unit: z.string() }),
        overrides: z.array(z.never()),
      }),
      targets: z
        .array(
          z.strictObject({
            refId: z.string().regex(/^[A-Z]$/),
            datasource,
            expr: z.string().min(1),
            legendFormat: z.string().min(1),
          }),
        )
        .min(1),
    }),
  ),
})

const { panels } = dashboardSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

test('each panel of the Grafana dashboard has an id and a place of its own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24)
    return Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`)
  })
  expect(new Set(cells).size).toBe(cells.length)
})

test('every metric of the Grafana dashboard exists in the service', async () => {
  await using shards = await openShards(1, { shard: { POSTHORN_SMTP_URL: 'smtp://127.0.0.1:9' } })
  const metrics = await (await fetch(`${shards.url}/metrics`)).text()

  const asked = new Set(queries.flatMap(query => query.match(/\bposthorn_\w+/g) ?? []))
  expect(asked.size).toBeGreaterThan(10)
  const names = [...asked].map(name => name.replace(/_bucket$/, ''))
  expect(names.filter(name => !metrics.includes(`# TYPE ${name} `))).toEqual([])
})

const folder = mkdtempSync(join(tmpdir(), 'posthorn-dashboard-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.runIf(canRun('the queries of the Grafana dashboard', hasProgram('promtool'), 'prometheus'))(
  'Prometheus understands every query of the Grafana dashboard',
  () => {
    const checked = (exprs: readonly string[]): boolean => {
      const rules = exprs.map((expr, n) => ({
        record: `query_${n}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }))
      const file = join(folder, 'queries.yaml')
      // JSON is YAML too
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
      return check('promtool', ['check', 'rules', file]).passed
    }
    expect(checked(queries)).toBe(true)
    expect(checked([...queries, 'sum('])).toBe(false)
  },
)
