import { emailAddress, emailCreate } from '@posthorn/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { unquoted } from '../../../src/domain/folded-address.ts'
import { smtpAddress } from '../../../src/domain/smtp-address.ts'
import { readIncoming } from '../../../src/mail/read-incoming.ts'
import { fault } from '../fault.ts'
import { type AddressParts, readByGrammar } from './address-grammar.ts'
import { addresses } from './addresses.ts'
import { readByPython } from './read-by-python.ts'
import { newSeed } from './seed.ts'

/** Compares our parsing of addresses with other parsers, and measures the time that headers take. */
export function addressFaults(addressCount: number, headerCount: number): void {
  fault(
    'G12',
    'addresses are accepted and parsed exactly as in the grammar of RFC 5321',
    async seen => {
      const taken: Array<{ text: string; parts: AddressParts }> = []
      fc.assert(
        fc.property(addresses, text => {
          const ours = readByUs(text)
          expect(ours, JSON.stringify(text)).toEqual(readByGrammar(text))
          if (ours === null) return
          taken.push({ text, parts: ours })
          // a deliverable address may also be reported, suppressed, erased and searched for
          expect(emailAddress.safeParse(text).success, text).toBe(true)
          expect(readByGrammar(smtpAddress(text)), text).toEqual(ours)
          expect(emailCreate.safeParse(emailTo(`Ann "Q" <${text}>`)).success).toBe(false)
          expect(emailCreate.safeParse(emailTo(`"Ann, Q" <${text}>`)).data?.to[0]).toEqual({
            name: 'Ann, Q',
            address: text,
          })
        }),
        { numRuns: addressCount, seed: newSeed() },
      )
      // comparing only refusals would show nothing
      expect(taken.length).toBeGreaterThan(addressCount / 5)
      // Python parses written addresses: ASCII only, and quoted where necessary
      const written = taken.filter(({ text }) => /^[\0-\x7f]*$/.test(text))
      const read = readByPython(written.map(({ text }) => smtpAddress(text)))
      for (const [index, parts] of read?.entries() ?? []) {
        expect(parts, written[index]?.text).toEqual(written[index]?.parts)
      }
      const beside = read === null ? 'no Python' : `${read.length} read by Python as well`
      seen(`${addressCount.toLocaleString('en')} addresses: ${taken.length} accepted, ${beside}`)
    },
    3_600_000,
  )

  fault(
    'G12',
    'a header of addresses costs at most about four times as much as plain words of equal length',
    async seen => {
      const plain = await costOf('X-Words', 'word '.repeat(headerBytes / 5))
      let most = 0
      await fc.assert(
        fc.asyncProperty(field, unit, async (name, part) => {
          const cost = await costOf(name, part.repeat(Math.ceil(headerBytes / part.length)))
          most = Math.max(most, cost)
          expect(cost, JSON.stringify([name, part])).toBeLessThan(plain * 4 + 50)
        }),
        { numRuns: headerCount, seed: newSeed() },
      )
      seen(`${headerCount} headers of ${headerBytes / 1_000} kB: ${Math.round(most)} ms at most`)
    },
    3_600_000,
  )
}

const headerBytes = 400_000
const field = fc.constantFrom(
  'From',
  'Sender',
  'To',
  'Cc',
  'Bcc',
  'Reply-To',
  'Delivered-To',
  'Return-Path',
  'List-Unsubscribe',
)
const unit = fc
  .array(fc.constantFrom(...Array.from('a1@.<>(),:;"\\ []=?'), 'a:b@c;', '\r\n ', '=?utf-8?Q?a?=', 'To: '), {
    minLength: 1,
    maxLength: 6,
  })
  .map(parts => parts.join(''))

const emailTo = (to: string): object => ({ from: 'a@shop.example', to: [to], subject: 'Hi', text: 'x' })

function readByUs(text: string): AddressParts | null {
  // white space around a mailbox is not part of the address
  if (text !== text.trim()) return null
  const [mailbox] = emailCreate.safeParse(emailTo(text)).data?.to ?? []
  if (mailbox === undefined || mailbox.name !== null || mailbox.address !== text) return null
  const at = text.lastIndexOf('@')
  return { local: unquoted(text.slice(0, at)), domain: text.slice(at + 1) }
}

/** CPU time in milliseconds, the best of three, because the machine may be busy. */
async function costOf(name: string, value: string): Promise<number> {
  const mail = Buffer.from(`${name}: ${value}\r\nSubject: x\r\n\r\nhello\r\n`)
  const costs: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    await readIncoming(mail)
    costs.push(process.cpuUsage(before).user / 1_000)
  }
  return Math.min(...costs)
}
