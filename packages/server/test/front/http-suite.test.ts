import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { httpSuite } from './http-suite.ts'

test('every file of the suite that runs through a front exists', () => {
  expect(httpSuite.filter(file => !existsSync(new URL(`../../../${file}`, import.meta.url)))).toEqual([])
})
