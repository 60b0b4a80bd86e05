import * as z from 'zod'
import { kumomtaQuery, messageQuery, postfixReport, sourceAccepted } from '../resources/source-report.ts'
import { route } from '../route.ts'

const tag = 'Sources'
const bytesMax = 10 * 1024 * 1024
const success = {
  status: 202,
  description: 'What it made, and what was ignored.',
  schema: sourceAccepted,
} as const

export const sourceRoutes = {
  reportPostfix: route({
    operationId: 'reportPostfix',
    method: 'POST',
    path: '/v1/sources/postfix',
    summary: 'Report what Postfix logged',
    description:
      'What `posthorn ingest postfix` sends. The return path names email and recipient, and counts only when its token verifies.',
    tag,
    auth: 'operator_or_ingest',
    body: { schema: postfixReport, mediaTypes: ['application/json'], bytesMax },
    success,
    errors: ['account_mismatch', 'event_too_large', 'overloaded'],
  }),
  reportKumomta: route({
    operationId: 'reportKumomta',
    method: 'POST',
    path: '/v1/sources/kumomta',
    summary: 'Take the log records of KumoMTA',
    description:
      'One record of its log hook, an array of up to 1,000, or as many lines of NDJSON. Records that cannot be read are ignored, not refused, because nobody could correct them.',
    tag,
    auth: 'operator_or_ingest',
    query: kumomtaQuery,
    body: {
      schema: z.union([z.looseObject({}), z.array(z.looseObject({})).min(1).max(1_000)]),
      lineSchema: z.looseObject({}),
      mediaTypes: ['application/json', 'application/x-ndjson'],
      bytesMax,
    },
    success,
    errors: ['account_mismatch', 'batch_too_large', 'event_too_large', 'overloaded'],
  }),
  reportMessage: route({
    operationId: 'reportMessage',
    method: 'POST',
    path: '/v1/sources/message',
    summary: 'Take a bounce, a spam complaint or a mail to unsubscribe',
    description:
      'The whole message, as it arrived: a delivery status notification (RFC 3464), an abuse report (RFC 5965), or a mail to an unsubscribe address. It counts only when it bears a token of ours.',
    tag,
    auth: 'operator_or_ingest',
    query: messageQuery,
    body: { schema: z.string(), mediaTypes: ['message/rfc822'], bytesMax },
    success,
    errors: ['event_too_large', 'overloaded'],
  }),
} as const
