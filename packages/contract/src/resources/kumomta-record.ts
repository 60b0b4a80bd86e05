import * as z from 'zod'

const anything = z.unknown().optional()

/** Accepts any object, because unreadable records are ignored and not refused. */
export const kumomtaLogRecord = z
  .looseObject({
    type: anything.meta({
      description: 'The type of the record, such as `Delivery`, `Bounce`, `Expiration` or `Feedback`.',
    }),
    id: anything.meta({ description: 'The id of the message in the spool of KumoMTA.' }),
    sender: anything.meta({ description: 'The return path.' }),
    recipient: anything.meta({ description: 'The recipient address, or a list of them.' }),
    response: anything.meta({ description: 'The reply of the mail server.' }),
  })
  .meta({ id: 'KumomtaLogRecord' })

/** One log record, or an array of up to 1,000. */
export const kumomtaReport = z
  .union([kumomtaLogRecord, z.array(kumomtaLogRecord).min(1).max(1_000)])
  .meta({ id: 'KumomtaReport' })

const text = z.string().max(65_536)

/** The fields of a KumoMTA log record that Posthorn reads. */
export const kumomtaRecord = z.looseObject({
  type: z.string().max(64),
  id: z.string().max(200),
  sender: z.string().max(1_000).nullish(),
  recipient: z.union([z.string().max(1_000), z.array(z.string().max(1_000)).max(1_000)]).nullish(),
  response: z
    .looseObject({
      code: z.int(),
      enhanced_code: z.looseObject({ class: z.int(), subject: z.int(), detail: z.int() }).nullish(),
      content: text,
      command: z.string().max(2_000).nullish(),
    })
    .nullish(),
  peer_address: z.looseObject({ name: z.string().max(1_000), addr: z.string().max(1_000) }).nullish(),
  timestamp: z.number().nullish(),
  num_attempts: z.int().nullish(),
  feedback_report: z
    .looseObject({
      feedback_type: z.string().max(64).nullish(),
      original_mail_from: z.string().max(1_000).nullish(),
      original_message: z.string().nullish(),
    })
    .nullish(),
  meta: z.record(z.string(), z.unknown()).nullish(),
  headers: z.record(z.string(), z.unknown()).nullish(),
})

export type KumomtaRecord = z.output<typeof kumomtaRecord>
