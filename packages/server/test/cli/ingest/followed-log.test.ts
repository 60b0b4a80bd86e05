import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { FollowedLog } from '../../../src/cli/ingest/followed-log.ts'
import type { LogPosition } from '../../../src/cli/ingest/log-file.ts'

/** Creates a log in its own folder, with functions to write it and to read it from the saved position. */
function newLog() {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-log-'))
  const path = join(folder, 'mail.log')
  writeFileSync(path, '')
  let reader: FollowedLog | null = null
  let written: LogPosition | null = null
  let lines = 0
  let rotations = 0
  const read: string[] = []
  const shift = (put: (path: string) => void): void => {
    for (let n = rotations; n > 0; n--) renameSync(`${path}.${n}`, `${path}.${n + 1}`)
    put(`${path}.1`)
    rotations++
  }
  const log = {
    path,
    write: (count: number): void => {
      for (let n = 0; n < count; n++) appendFileSync(path, `line ${++lines}\n`)
    },
    append: (text: string | Buffer): void => appendFileSync(path, text),
    rename: (): void => {
      shift(to => renameSync(path, to))
      writeFileSync(path, '')
    },
    copyAndTruncate: (): void => {
      shift(to => copyFileSync(path, to))
      truncateSync(path)
    },
    /** Reads to the end, or a limited number of pieces. */
    read: (turns = 1_000): void => {
      reader ??= new FollowedLog(path, written)
      for (let n = 0; n < turns; n++) {
        const found = reader.nextLines()
        if (found.length === 0) break
        read.push(...found.map(String))
      }
      written = reader.position
    },
    restart: (): void => {
      reader?.[Symbol.dispose]()
      reader = null
    },
    lines: (): string[] => read,
    expected: (): string[] => Array.from({ length: lines }, (_, n) => `line ${n + 1}`),
    close: (): void => {
      log.restart()
      rmSync(folder, { recursive: true })
    },
    reader: (): FollowedLog | null => reader,
  }
  return log
}

function openLog(): ReturnType<typeof newLog> {
  const log = newLog()
  onTestFinished(log.close)
  return log
}

test('each line is read once and in order across writes, restarts and rotations', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ act: fc.constant('write' as const), count: fc.nat(40) }) },
    {
      weight: 3,
      arbitrary: fc.record({ act: fc.constantFrom('read', 'restart', 'rename', 'copyAndTruncate') }),
    },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), steps => {
      const log = newLog()
      log.write(1)
      log.read()
      try {
        for (const step of steps) {
          if (step.act === 'write') log.write('count' in step ? step.count : 0)
          else log[step.act as 'read' | 'restart' | 'rename' | 'copyAndTruncate']()
        }
        log.write(1)
        log.read()
        // the first read moves to the new file, and the second one reads it
        log.read()
        expect(log.lines()).toEqual(log.expected())
      } finally {
        log.close()
      }
    }),
    { numRuns: 100 },
  )
})

test('lines added to the renamed file before the new one is written are read first', () => {
  const log = openLog()
  log.write(2)
  log.read()
  log.rename()
  // the log daemon still has the old file open
  appendFileSync(`${log.path}.1`, 'late\n')
  log.read()
  log.append('new\n')
  log.read()
  expect(log.lines()).toEqual(['line 1', 'line 2', 'late', 'new'])
})

test('a log that was rotated before any of it was read is read from its start', () => {
  const log = openLog()
  log.write(2)
  log.read(0)
  log.restart()
  log.rename()
  log.write(1)
  log.read()
  expect(log.lines()).toEqual(log.expected())
})

test('a line that is still being written is not read until it is complete', () => {
  const log = openLog()
  log.append('half')
  log.read()
  expect(log.lines()).toEqual([])
  expect(String(log.reader()?.unfinishedLine())).toBe('half')
  log.append(' a line\n')
  log.read()
  expect(log.lines()).toEqual(['half a line'])
})

test('the last line of a rotated file needs no line break', () => {
  const log = openLog()
  log.append('whole\nhalf')
  log.read()
  log.rename()
  log.append('new\n')
  log.read()
  expect(log.lines()).toEqual(['whole', 'half', 'new'])
})

test('an overlong line is skipped, including its rest after a restart', () => {
  const log = openLog()
  log.append(`first\n${'x'.repeat(600_000)}`)
  log.read()
  log.restart()
  log.append(`${'y'.repeat(600_000)}\n\0\u0001\xff\nlast\n`)
  log.read()
  expect(log.lines().map(line => line.length < 20 && line)).toEqual(['first', '\0\u0001\xff', 'last'])
})

test('if the file read last is gone, the log is read from its start and this is reported', () => {
  const log = openLog()
  log.write(3)
  log.read()
  log.restart()
  rmSync(log.path)
  writeFileSync(log.path, 'other\n')
  log.read()
  expect(log.reader()?.hasLostItsPlace).toBe(true)
  expect(log.lines()).toEqual(['line 1', 'line 2', 'line 3', 'other'])
})

test('reading continues when a log that was briefly missing reappears', () => {
  const log = openLog()
  log.write(1)
  log.read()
  renameSync(log.path, `${log.path}.1`)
  log.read()
  expect(existsSync(log.path)).toBe(false)
  writeFileSync(log.path, 'new\n')
  log.read()
  expect(log.lines()).toEqual(['line 1', 'new'])
})
