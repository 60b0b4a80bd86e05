import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { ask, askYesOrNo } from './ask.ts'

test.each([
  ['an answer', ' yes \n', 'yes'],
  ['Ctrl-C', '\u0003', ''],
  ['Ctrl-D', '\u0004', ''],
])('%s in a terminal ends the prompt', async (_name, typed, expected) => {
  const input = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY: true })
  const answer = ask('Continue? ', { input, output })
  input.write(typed)

  expect(await answer).toBe(expected)
})

test('the end of the input counts as an empty answer', async () => {
  const input = new PassThrough()
  const answer = ask('Continue? ', { input, output: new PassThrough() })
  input.end()

  expect(await answer).toBe('')
})

test.each([
  ['y', true],
  ['YES', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
])('only y and yes mean yes: "%s"', async (typed, expected) => {
  const input = new PassThrough()
  const answer = askYesOrNo('Delete? [y/N] ', { input, output: new PassThrough() })
  input.write(`${typed}\n`)

  expect(await answer).toBe(expected)
})
