import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, CsvReader } from './csv.ts'

const field = fc.string({
  unit: fc.constantFrom('a', 'é', '"', ',', '\r', '\n', ' ', '\ufeff', "'", '='),
  maxLength: 6,
})
// a record of one empty field is a blank line
const records = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 })

test('written records are read back unchanged, however the text is split', () => {
  fc.assert(
    fc.property(records, fc.integer({ min: 1, max: 9 }), (written, cut) => {
      const text = written.map(csvLine).join('')
      const reader = new CsvReader()
      const read = []
      for (let at = 0; at < text.length; at += cut) read.push(...reader.push(text.slice(at, at + cut)))
      read.push(...reader.end())
      expect(read.map(record => ('fields' in record ? record.fields : record))).toEqual(written)
    }),
  )
})

test.each([
  [
    'a,b\nc',
    [
      [1, 'a', 'b'],
      [2, 'c'],
    ],
  ],
  [
    'a\r\n\r\n"b\n"\r\nc\r\n',
    [
      [1, 'a'],
      [3, 'b\n'],
      [5, 'c'],
    ],
  ],
  [
    'a,\n,b',
    [
      [1, 'a', ''],
      [2, '', 'b'],
    ],
  ],
])('%j is read as the expected records', (text, expected) => {
  const reader = new CsvReader()
  const read = [...reader.push(text), ...reader.end()]
  expect(
    read.map(record => [record.line, ...('fields' in record ? record.fields : [record.reason])]),
  ).toEqual(expected)
})

test('a malformed record costs one line, and an overlong one is reported once', () => {
  const reader = new CsvReader()
  expect(reader.push('a"b,c\nd\n"e"f\ng\n')).toEqual([
    { line: 1, reason: 'has a quote in the wrong place' },
    { line: 2, fields: ['d'] },
    { line: 3, reason: 'has a quote in the wrong place' },
    { line: 4, fields: ['g'] },
  ])
  const long = Array.from({ length: 50 }, () => reader.push('x'.repeat(1_000))).flat()
  expect(long).toEqual([{ line: 5, reason: expect.stringMatching(/^is longer than 8192 characters/) }])
  expect([...reader.push('\nh\n'), ...reader.end()]).toEqual([{ line: 6, fields: ['h'] }])
})

test.each(['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1', "'=1"])(
  'a spreadsheet does not run %j as a formula',
  formula => {
    const line = csvLine([formula, formula])
    expect(line).not.toMatch(/(^|,)"?[=+\-@\t\r]/)
    expect(new CsvReader().push(line)).toEqual([{ line: 1, fields: [formula, formula] }])
  },
)

test('other apostrophes stay, and spaces count only within quotes', () => {
  expect(csvLine(["o'neil", "'"])).toBe("o'neil,'\r\n")
  expect(new CsvReader().push('\'o, a ," b "\n')).toEqual([{ line: 1, fields: ["'o", 'a', ' b '] }])
})
