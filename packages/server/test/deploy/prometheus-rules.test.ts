import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { canRun, hasProgram } from '../support/can-run.ts'
import { openShards } from '../support/shards.ts'
import { type AlertStory, alertStories, ordinaryDay } from './alert-stories.ts'
import { check } from './checkers.ts'

const path = fileURLToPath(new URL('../../../../deploy/helm/posthorn/prometheus-rules.yaml', import.meta.url))
const rules = readFileSync(path, 'utf8')
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runs = canRun('the alerts for Prometheus', hasProgram('promtool'), 'prometheus')

test.runIf(runs)('promtool accepts the alert rules, and rejects a broken one', () => {
  expect(check('promtool', ['check', 'rules', path])).toMatchObject({ passed: true })

  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, rules.replace('> 60', '> > 60'))
  expect(check('promtool', ['check', 'rules', wrong])).toMatchObject({ passed: false })
})

test('each alert has a story that raises it and one that does not', () => {
  expect(alerts.length).toBeGreaterThan(5)
  const told = (isRaised: boolean): string[] =>
    alertStories.filter(({ raised }) => (raised !== null) === isRaised).map(({ alert }) => alert)
  expect(new Set(told(true))).toEqual(new Set(alerts))
  expect(new Set(told(false))).toEqual(new Set(alerts))
})

test.runIf(runs).each(alertStories.filter(({ raised }) => raised !== null))(
  '$alert is raised, and nothing else: $name',
  story => {
    expect(promtoolTest(story)).toMatchObject({ passed: true })
  },
)

test.runIf(runs).each(alertStories.filter(({ raised }) => raised === null))(
  '$alert is not raised: $name',
  story => {
    expect(promtoolTest(story)).toMatchObject({ passed: true })
  },
)

test.runIf(runs)('nothing is raised on an ordinary day, and a story that says otherwise fails', () => {
  const story = { alert: 'PosthornDown', name: 'an ordinary day', series: {}, atMinutes: 100, raised: null }
  expect(promtoolTest(story)).toMatchObject({ passed: true })
  const raised = { labels: { severity: 'critical' }, summary: 'a does not answer /metrics' }
  expect(promtoolTest({ ...story, raised })).toMatchObject({ passed: false })
})

/** Runs a story with promtool. Without an alert it looks at every minute. */
function promtoolTest({ alert, series, atMinutes, raised }: AlertStory): ReturnType<typeof check> {
  const expected = raised && { exp_labels: raised.labels, exp_annotations: { summary: raised.summary } }
  const minutes = raised === null ? Array.from({ length: atMinutes + 1 }, (_, minute) => minute) : [atMinutes]
  const spec = join(folder, 'story.test.yaml')
  // JSON is YAML too
  const tests = {
    rule_files: [path],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries({ ...ordinaryDay, ...series }).map(([name, values]) => ({
          series: name,
          values,
        })),
        alert_rule_test: minutes.flatMap(minute =>
          alerts.map(alertname => ({
            eval_time: `${minute}m`,
            alertname,
            exp_alerts: alertname === alert && expected !== null ? [expected] : [],
          })),
        ),
      },
    ],
  }
  writeFileSync(spec, JSON.stringify(tests))
  return check('promtool', ['test', 'rules', spec])
}

test('every metric in the alert rules exists in the service or in a front', async () => {
  await using shards = await openShards(1, { shard: { POSTHORN_SMTP_URL: 'smtp://127.0.0.1:9' } })
  const metrics = await (await fetch(`${shards.url}/metrics`)).text()

  const asked = new Set(rules.match(/\bposthorn_\w+/g))
  expect(asked.size).toBeGreaterThan(5)
  expect([...asked].filter(name => !metrics.includes(`# TYPE ${name} `))).toEqual([])
})
