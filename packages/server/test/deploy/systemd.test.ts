import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { canRun, hasProgram } from '../support/can-run.ts'
import { check } from './checkers.ts'

const unit = readFileSync(new URL('../../../../deploy/posthorn.service', import.meta.url), 'utf8')
const bin = join(import.meta.dirname, '../../bin/posthorn.js')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-unit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const runs = canRun('the systemd unit', hasProgram('systemd-analyze'), 'systemd')

describe.runIf(runs)('the systemd unit', () => {
  test('is accepted by systemd', () => {
    expect(check('systemd-analyze', ['verify', '--man=no', written(unit)])).toEqual({
      passed: true,
      said: '',
    })
  })

  test('has a security exposure below 2 of 10', () => {
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', written(unit)]
    expect(check('systemd-analyze', args).passed).toBe(true)
  })

  test('fails the checks with a misspelt setting or without its sandbox settings', () => {
    const misspelt = written(unit.replace('KillMode=mixed', 'KillMode=gently'))
    expect(check('systemd-analyze', ['verify', '--man=no', misspelt]).said).toContain('gently')
    const open = written(unit.replaceAll(/^(Protect|Private|Restrict|SystemCall|DynamicUser).*$/gm, ''))
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', open]
    expect(check('systemd-analyze', args).passed).toBe(false)
  })
})

/** Writes the unit file with the program of this clone, because the checker requires that the program exists. */
function written(text: string): string {
  const path = join(folder, 'posthorn.service')
  writeFileSync(path, text.replace('/opt/posthorn/node_modules/.bin/posthorn', bin))
  return path
}
