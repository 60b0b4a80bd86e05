import fc from 'fast-check'
import { beyondAscii } from './address-grammar.ts'

const words = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/)
const others = [...beyondAscii.keys()]
/** The parts of addresses, and characters that break them. */
const pieces = [
  ...Array.from('ab1 .@"\\<>(),:;[]-_+=\t\r\n\0'),
  '..',
  '"."',
  '\\"',
  '@@',
  'a'.repeat(33),
  'é'.repeat(17),
  ...others,
]

const bare = fc.array(fc.oneof(words, fc.constantFrom('.', '..', 'ü', '日')), { minLength: 1, maxLength: 5 })
const quoted = fc
  .array(fc.oneof(words, fc.constantFrom(...Array.from(' .@(),:;[]'), '\\"', '\\\\', '\\a', 'ü', '\u00a0')), {
    minLength: 1,
    maxLength: 6,
  })
  .map(parts => ['"', ...parts, '"'])
const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/),
  fc.constantFrom('_dmarc', 'münchen', '日本', 'x'.repeat(63), 'x'.repeat(64), '1'),
)
const domain = fc.array(label, { minLength: 1, maxLength: 5 }).map(labels => labels.join('.'))

/** Addresses of RFC 5321, and texts that are nearly addresses. */
export const addresses: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(bare, quoted).map(parts => parts.join('')),
    domain,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('insert', 'replace', 'remove'), fc.constantFrom(...pieces)), {
      maxLength: 3,
    }),
    fc.boolean(),
  )
  .map(([local, host, edits, isWhole]) => {
    const characters = Array.from(`${local}@${host}`)
    for (const [place, how, piece] of isWhole ? [] : edits) {
      const at = place % (characters.length + 1)
      characters.splice(at, how === 'insert' ? 0 : 1, ...(how === 'remove' ? [] : Array.from(piece)))
    }
    return characters.join('')
  })
