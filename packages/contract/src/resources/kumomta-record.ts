import * as z from 'zod'

const text = z.string().max(65_536)

/** A log record of KumoMTA, as far as it is looked at; what else stands in it does not matter. */
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
