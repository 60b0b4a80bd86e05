import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventBody as storedBody } from '../../server/src/domain/event-body.ts'
import { eventBody } from '../src/format/event-body.ts'

test('the page rebuilds the signed bytes exactly, with any order, escapes and numbers in the data', () => {
  fc.assert(
    fc.property(fc.object({ withNullPrototype: false }), data => {
      const stored = storedBody({
        id: 'evt_01kaf8j7m3e5rtk9s7v2n1p0qw',
        type: 'email.delivered',
        // as reported: JSON with keys such as "10" and "__proto__"
        data: JSON.parse(JSON.stringify({ metadata: data, 10: '\u2028', é: -0, to: ['\ud800'] })),
        createdAt: '2026-11-21T04:00:01.120Z',
      }).toString()
      // the service's answer, as the page parses it
      const answered = JSON.parse(JSON.stringify({ ...JSON.parse(stored), erased_at: null, deliveries: [] }))
      expect(eventBody(answered)).toBe(stored)
    }),
  )
})
