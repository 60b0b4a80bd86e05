import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { canRun, hasProgram } from '../support/can-run.ts'
import { check } from './checkers.ts'

const chart = join(import.meta.dirname, '../../../../deploy/helm/posthorn')
/** A helm that Go built without flags believes that it is much older. */
const kubernetes = ['--kube-version', '1.37.0']
const examples = readdirSync(join(chart, 'ci'))
const folder = mkdtempSync(join(tmpdir(), 'posthorn-chart-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runs = canRun(
  'the Helm chart',
  hasProgram('helm') && hasProgram('kubernetes-validate'),
  'helm (go install helm.sh/helm/v3/cmd/helm@latest) and kubernetes-validate (pip)',
)

describe.runIf(runs)('the Helm chart', () => {
  test.each(examples)('renders valid objects from %s', example => {
    const values = ['--values', join(chart, 'ci', example)]
    expect(check('helm', ['lint', '--strict', ...kubernetes, chart, ...values])).toMatchObject({
      passed: true,
    })
    const objects = rendered(values)
    const known = objects.filter(object => !object.includes('monitoring.coreos.com'))
    const path = join(folder, example)
    writeFileSync(path, known.join('\n---\n'))
    expect(check('kubernetes-validate', ['--strict', path])).toMatchObject({ passed: true })
    console.log(`${example}: ${objects.map(kindOf).join(', ')}`)
  })

  test('the schemas reject a misspelt field', () => {
    const [deployment = ''] = rendered(['--values', join(chart, 'ci/large.yaml')]).filter(isDeployment)
    const path = join(folder, 'wrong.yaml')
    writeFileSync(path, deployment.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem'))
    expect(check('kubernetes-validate', ['--strict', path])).toMatchObject({ passed: false })
  })

  test('pods get their secrets from a Secret, and neither root nor a writable root', () => {
    for (const example of examples) {
      for (const deployment of rendered(['--values', join(chart, 'ci', example)]).filter(isDeployment)) {
        expect(deployment).toMatch(/runAsNonRoot: true[^]*readOnlyRootFilesystem: true/)
        expect(deployment).not.toMatch(/ADMIN_TOKEN|MASTER_KEYS|DATABASE_URL/)
      }
    }
  })

  test('a network policy lets pods reach the internet, and inside the cluster only what is listed', () => {
    const objects = rendered(['--values', join(chart, 'ci/postgresql.yaml')])
    const [policy = ''] = objects.filter(object => kindOf(object) === 'NetworkPolicy')
    for (const network of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7']) {
      expect(policy).toContain(network)
    }
    expect(policy).toMatch(/app: postgresql[^]*port: 5432/)
    expect(policy).not.toContain('587')
  })

  const image = ['--set', 'image.repository=posthorn']
  test.each([
    { args: [], says: 'set image.repository' },
    { args: image, says: 'set database.existingSecret' },
    { args: [...image, '--set', 'embedded.enabled=true,split=true'], says: 'use PostgreSQL' },
    {
      args: [...image, '--set', 'embedded.enabled=true,database.existingSecret=x'],
      says: 'needs no database',
    },
  ])('refuses values that cannot work: $says', ({ args, says }) => {
    const { passed, said } = check('helm', ['template', ...kubernetes, 'try', chart, ...args])
    expect({ passed, said }).toEqual({ passed: false, said: expect.stringContaining(says) as string })
  })
})

function rendered(values: string[]): string[] {
  const text = execFileSync('helm', ['template', ...kubernetes, 'try', chart, ...values], {
    encoding: 'utf8',
  })
  return text.split(/^---$/m).filter(object => kindOf(object) !== undefined)
}

function kindOf(object: string): string | undefined {
  return /^kind: (\w+)$/m.exec(object)?.[1]
}

function isDeployment(object: string): boolean {
  return kindOf(object) === 'Deployment'
}
