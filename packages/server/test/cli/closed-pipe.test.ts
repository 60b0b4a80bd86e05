import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../bin/posthorn.js', import.meta.url))

test('a command whose reader has exited stops without a stack trace', () => {
  const { stderr } = spawnSync('sh', ['-c', '"$0" "$1" --help | true', process.execPath, program], {
    encoding: 'utf8',
  })

  expect(stderr).toBe('')
})
