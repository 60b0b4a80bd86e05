import * as z from 'zod'
import { ownHeaders } from '../own-headers.ts'
import { mailbox } from '../mailbox.ts'
import { mapOf } from '../map-of.ts'
import { line, paragraph } from '../text.ts'

/** Includes `to`, `cc` and `bcc`. Each recipient gets a separate copy. */
const recipientsMax = 100
const repliesMax = 10
/** Counts text, HTML and attachments in base64. */
const contentBytesMax = 9 * 1024 * 1024

const attachment = z.strictObject({
  filename: line(255).regex(/^[^/\\]*$/, 'must not contain / or \\'),
  content: z.base64().meta({ description: 'The bytes in base64.' }),
  content_type: z
    .string()
    .max(255)
    .regex(
      /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[ !#-[\]-~]*"))*$/,
      'must be a media type such as application/pdf or text/calendar; method=REQUEST',
    )
    .optional()
    .meta({
      description:
        'Defaults to the type that belongs to the extension of `filename`. `text/calendar; method=REQUEST` makes the part an invitation: an alternative to the text.',
    }),
  content_id: z
    .string()
    .max(128)
    .regex(/^[\w.@+-]+$/, 'must consist of letters, digits and . _ @ + -')
    .optional()
    .meta({ description: 'Shows the attachment inside the HTML at `cid:` followed by this value.' }),
})

const tags = mapOf(line(64), line(256)).refine(
  record => Object.keys(record).length <= 20,
  'must have at most 20 entries',
)

const metadata = mapOf(line(64), z.union([paragraph(1024), z.number(), z.boolean(), z.null()])).refine(
  record => Object.keys(record).length <= 50,
  'must have at most 50 entries',
)

/** An email to send. Each recipient gets a separate copy with its own return path. */
export const emailCreate = z
  .strictObject({
    from: mailbox,
    to: z.array(mailbox).min(1).max(recipientsMax),
    cc: z.array(mailbox).max(recipientsMax).optional(),
    bcc: z.array(mailbox).max(recipientsMax).optional(),
    subject: line(998),
    text: z.string().optional().meta({ description: 'The plain text body. Set `text`, `html`, or both.' }),
    html: z.string().optional().meta({ description: 'The HTML body.' }),
    reply_to: z
      .union([mailbox, z.array(mailbox).min(1).max(repliesMax)])
      .optional()
      .meta({ description: `An address, or up to ${repliesMax} of them.` }),
    headers: ownHeaders.optional(),
    attachments: z.array(attachment).max(50).optional(),
    tags: tags.optional().meta({ description: 'Returned in every event about the email.' }),
    metadata: metadata.optional().meta({ description: 'Returned in every event about the email.' }),
    unsubscribe: z
      .strictObject({ list: line(128).optional() })
      .optional()
      .meta({
        description:
          'Lets recipients unsubscribe with one click from `list`, or from all emails sent with `unsubscribe` if you omit `list`. Omit it for emails such as receipts.',
      }),
  })
  .superRefine((email, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (email.text === undefined && email.html === undefined) refuse('text', 'is required if html is missing')
    const all = email.to.length + (email.cc?.length ?? 0) + (email.bcc?.length ?? 0)
    if (all > recipientsMax)
      refuse('to', `must have at most ${recipientsMax} recipients, including cc and bcc`)
    if (contentBytes(email) > contentBytesMax) {
      refuse(
        'attachments',
        `must not make the email larger than ${contentBytesMax} bytes. Send a link instead`,
      )
    }
    if (email.unsubscribe === undefined) return
    for (const name of Object.keys(email.headers ?? {})) {
      if (/^list-unsubscribe(-post)?$/i.test(name))
        refuse('headers', `must not have ${name} if unsubscribe is set`)
    }
  })
  .meta({ id: 'EmailCreate' })

export type EmailCreate = z.output<typeof emailCreate>

function contentBytes(email: {
  text?: string | undefined
  html?: string | undefined
  attachments?: ReadonlyArray<{ content: string }> | undefined
}): number {
  const bytes = (text = ''): number => new TextEncoder().encode(text).length
  const attached = (email.attachments ?? []).reduce((sum, { content }) => sum + content.length, 0)
  return bytes(email.text) + bytes(email.html) + attached
}
