import { routes } from '@posthorn/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLogRecord } from '../../../src/cli/ingest/log-record.ts'

const anyText = fc
  .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(String.raw`\udce9`, '😀', 'x'), fc.nat(5_000))
  .map(([start, unit, count]) => start + String(JSON.parse(`"${unit}"`)).repeat(count))

test('whatever a log contains, its record is one that the service accepts', () => {
  fc.assert(
    fc.property(
      fc.array(anyText, { minLength: 7, maxLength: 7 }),
      fc.integer({ min: 1 }),
      (texts, attempts) => {
        const [from = '', messageId = '', recipient = '', origTo = '', relay = '', dsn = '', reason = ''] =
          texts
        const outcome = { from, messageId, recipient: `a${recipient}`, origTo, relay, dsn, reason, attempts }
        const record = toLogRecord(
          'lines',
          { ...outcome, disposition: 'permanent', header: 'order-1', isPerRecipient: true, atMs: 0 },
          Buffer.from('line'),
          { accountId: undefined, by: 'header' },
        )
        // as the client sends it
        const body: unknown = JSON.parse(JSON.stringify({ records: [record] }))
        expect(routes.reportPostfix.body.schema.safeParse(body).error).toBeUndefined()
        expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/)
      },
    ),
  )
})
