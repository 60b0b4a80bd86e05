import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { canRun, hasProgram } from '../support/can-run.ts'
import { openShards } from '../support/shards.ts'
import { check } from './checkers.ts'

const path = fileURLToPath(new URL('../../../../deploy/helm/posthorn/prometheus-rules.yaml', import.meta.url))
const rules = readFileSync(path, 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runs = canRun('the alerts for Prometheus', hasProgram('promtool'), 'prometheus')

test.runIf(runs)('promtool accepts the alert rules, and rejects a broken one', () => {
  expect(check('promtool', ['check', 'rules', path])).toMatchObject({ passed: true })

  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, rules.replace('> 60', '> > 60'))
  expect(check('promtool', ['check', 'rules', wrong])).toMatchObject({ passed: false })
})

test.runIf(runs)(
  'a delivery that no process takes raises an alert after five minutes, and not earlier',
  () => {
    const spec = join(folder, 'late.test.yaml')
    writeFileSync(
      spec,
      `rule_files: ['${path}']
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'posthorn_oldest_due_age_seconds{instance="a"}', values: '0 0 90+60x20' }
    alert_rule_test:
      - { eval_time: 4m, alertname: PosthornDeliveriesLate, exp_alerts: [] }
      - eval_time: 8m
        alertname: PosthornDeliveriesLate
        exp_alerts:
          - exp_labels: { severity: critical }
            exp_annotations: { summary: 'A delivery has been due for 450 s and no process takes it' }
`,
    )
    expect(check('promtool', ['test', 'rules', spec])).toMatchObject({ passed: true })
  },
)

test.runIf(runs)('mail that the server does not take raises an alert, unless it takes other mail', () => {
  const spec = join(folder, 'mail.test.yaml')
  writeFileSync(
    spec,
    `rule_files: ['${path}']
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'posthorn_handovers_waiting{instance="a",shard="0"}', values: '3x60' }
      - { series: 'posthorn_handovers_total{instance="a",shard="0",result="again"}', values: '0+2x60' }
      - { series: 'posthorn_handovers_waiting{instance="a",shard="1"}', values: '4x60' }
      - { series: 'posthorn_handovers_total{instance="a",shard="1",result="handed_over"}', values: '0+1x60' }
    alert_rule_test:
      - { eval_time: 14m, alertname: PosthornMailWaits, exp_alerts: [] }
      - eval_time: 40m
        alertname: PosthornMailWaits
        exp_alerts:
          - exp_labels: { severity: warning, shard: '0' }
            exp_annotations: { summary: 'Email for 3 recipients waits, and the mail server has taken none for 15 minutes' }
`,
  )
  expect(check('promtool', ['test', 'rules', spec])).toMatchObject({ passed: true })
})

test('every metric in the alert rules exists in the service or in a front', async () => {
  await using shards = await openShards(1, { shard: { POSTHORN_SMTP_URL: 'smtp://127.0.0.1:9' } })
  const metrics = await (await fetch(`${shards.url}/metrics`)).text()

  const asked = new Set(rules.match(/\bposthorn_\w+/g))
  expect(asked.size).toBeGreaterThan(5)
  expect([...asked].filter(name => !metrics.includes(`# TYPE ${name} `))).toEqual([])
})
