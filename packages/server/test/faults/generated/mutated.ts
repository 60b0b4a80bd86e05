import fc from 'fast-check'

interface Edit {
  place: number
  length: number
  how: 'replace' | 'insert' | 'remove' | 'repeat' | 'cut'
  bytes: Uint8Array
}

/** One of the samples with up to six changes. `tokens` are typical parts of such input. */
export function mutated(samples: readonly Buffer[], tokens: readonly string[]): fc.Arbitrary<Buffer> {
  const edit = fc.record<Edit>({
    place: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
    how: fc.constantFrom('replace', 'insert', 'remove', 'repeat', 'cut'),
    bytes: fc.oneof(
      fc.constantFrom(...tokens).map(token => Buffer.from(token)),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
    ),
  })
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 6 }))
    .map(([sample, edits]) => edits.reduce(edited, sample))
}

function edited(bytes: Buffer, { place, length, how, bytes: fresh }: Edit): Buffer {
  const at = place % (bytes.length + 1)
  const [before, part, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ]
  switch (how) {
    case 'replace':
      return Buffer.concat([before, fresh, after])
    case 'insert':
      return Buffer.concat([before, fresh, part, after])
    case 'remove':
      return Buffer.concat([before, after])
    case 'repeat':
      return Buffer.concat([before, part, part, part, after])
    case 'cut':
      return before
  }
}
