import * as z from 'zod'
import { kumomtaLogRecord, kumomtaReport } from '../resources/kumomta-record.ts'
import { kumomtaQuery, messageQuery, postfixReport, sourceAccepted } from '../resources/source-report.ts'
import { route } from '../route.ts'

const tag = 'Sources'
const bytesMax = 10 * 1024 * 1024
const success = {
  status: 202,
  description: 'The events that the report created, and the items that Posthorn ignored.',
  schema: sourceAccepted,
} as const

export const sourceRoutes = {
  reportPostfix: route({
    operationId: 'reportPostfix',
    method: 'POST',
    path: '/v1/sources/postfix',
    summary: 'Report lines of a mail server’s log',
    description:
      'Accepts the records that `posthorn ingest` reads from the log of Postfix, Exim or another mail server. For emails that Posthorn sent, the return path identifies the email, and Posthorn checks its token. For other emails, set `email_id`.',
    tag,
    auth: 'operator_or_ingest',
    role: 'change',
    front: 'report',
    body: { schema: postfixReport, mediaTypes: ['application/json'], bytesMax },
    success,
    errors: ['account_mismatch', 'event_too_large', 'overloaded'],
  }),
  reportKumomta: route({
    operationId: 'reportKumomta',
    method: 'POST',
    path: '/v1/sources/kumomta',
    summary: 'Report log records of KumoMTA',
    description:
      'Accepts log records from the log hook of KumoMTA: one record, an array of up to 1,000, or NDJSON with one record per line. Posthorn ignores records that it cannot read and lists them in the response, so they never block the log hook.',
    tag,
    auth: 'operator_or_ingest',
    role: 'change',
    front: 'report',
    query: kumomtaQuery,
    body: {
      schema: kumomtaReport,
      lineSchema: kumomtaLogRecord,
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
    summary: 'Report a bounce message, spam complaint or unsubscribe email',
    description:
      'Accepts a whole message as your mail server received it: a delivery status notification (RFC 3464), an abuse report (RFC 5965), or an email to an unsubscribe address. Posthorn acts on it only if it has a valid token from an email that Posthorn sent.',
    tag,
    auth: 'operator_or_ingest',
    role: 'change',
    front: 'report',
    query: messageQuery,
    body: { schema: z.string(), mediaTypes: ['message/rfc822'], bytesMax },
    success,
    errors: ['event_too_large', 'overloaded'],
  }),
} as const
