import { expect, test } from 'vitest'
import { outcomeReasons, outcomeReasonsSummary } from './outcome-reasons.ts'

const now = {
  bounced_by_category: { invalid_recipient: 40, invalid_domain: 3 },
  failed_by_reason: { spam_rejected: 12 },
}

test('bounces and failures are in one list, with what they were before', () => {
  const earlier = { bounced_by_category: { invalid_recipient: 31 }, failed_by_reason: {} }
  expect(outcomeReasons(now, earlier).map(({ label, count, before }) => [label, count, before])).toEqual([
    ['No such mailbox', 40, 31],
    ['Refused as spam', 12, 0],
    ['No such domain', 3, 0],
  ])
  expect(outcomeReasons(now, null).map(({ before }) => before)).toEqual([null, null, null])
})

test('the chart of reasons is named by a sentence about its content', () => {
  expect(outcomeReasonsSummary(outcomeReasons(now, null), 'the last 7 days')).toBe(
    '55 emails bounced or failed in the last 7 days, 40 of them: No such mailbox.',
  )
  expect(outcomeReasonsSummary([], 'the last hour')).toBe('No email bounced or failed in the last hour.')
})
