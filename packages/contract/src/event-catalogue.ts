import * as z from 'zod'
import type { EventType } from './event-type.ts'
import { emailComplainedData, emailComplainedSample } from './events/email-complained.ts'
import { emailDeferredData, emailDeferredSample } from './events/email-deferred.ts'
import { emailSuppressedData, emailSuppressedSample } from './events/email-suppressed.ts'
import { emailBouncedData, emailBouncedSample } from './events/email-bounced.ts'
import { emailDeliveredData, emailDeliveredSample } from './events/email-delivered.ts'
import { emailFailedData, emailFailedSample } from './events/email-failed.ts'
import { emailUnsubscribedData, emailUnsubscribedSample } from './events/email-unsubscribed.ts'
import { id } from './ids.ts'
import { toJsonSchema } from './json-schema.ts'
import { timestamp } from './timestamp.ts'

/** Each event type with its meaning, its JSON body and an example. */
export const eventCatalogue = {
  'email.delivered': {
    description: 'The recipient’s mail server accepted the email.',
    body: bodyOf('email.delivered', 'EmailDeliveredEvent', emailDeliveredData),
    sampleData: emailDeliveredSample,
  },
  'email.bounced': {
    description: 'A confirmed permanent failure of the recipient’s address.',
    body: bodyOf('email.bounced', 'EmailBouncedEvent', emailBouncedData),
    sampleData: emailBouncedSample,
  },
  'email.failed': {
    description: 'The email did not arrive because of an infrastructure, policy or signing failure.',
    body: bodyOf('email.failed', 'EmailFailedEvent', emailFailedData),
    sampleData: emailFailedSample,
  },
  'email.unsubscribed': {
    description: 'The recipient unsubscribed or reported the email as spam.',
    body: bodyOf('email.unsubscribed', 'EmailUnsubscribedEvent', emailUnsubscribedData),
    sampleData: emailUnsubscribedSample,
  },
  'email.complained': {
    description: 'The recipient reported the email as spam. email.unsubscribed also reports it.',
    body: bodyOf('email.complained', 'EmailComplainedEvent', emailComplainedData),
    sampleData: emailComplainedSample,
  },
  'email.deferred': {
    description:
      'The email was not delivered yet, and the mail server tries again. Only the first time for each recipient.',
    body: bodyOf('email.deferred', 'EmailDeferredEvent', emailDeferredData),
    sampleData: emailDeferredSample,
  },
  'email.suppressed': {
    description: 'The email was not sent, because the address is suppressed. email.failed also reports it.',
    body: bodyOf('email.suppressed', 'EmailSuppressedEvent', emailSuppressedData),
    sampleData: emailSuppressedSample,
  },
} as const satisfies Record<EventType, { description: string; body: z.ZodObject; sampleData: object }>

/** A sample event of a type, as a receiver gets it. */
export function sampleEvent(type: EventType) {
  return {
    id: 'evt_01kaf8j7m3e5rtk9s7v2n1p0qw',
    type,
    data: eventCatalogue[type].sampleData,
    created_at: '2026-11-21T04:00:01.120Z',
  }
}

/** The JSON Schema (2020-12) of a whole event of this type. Receivers ignore fields that it does not name. */
export function eventJsonSchema(type: EventType): Record<string, unknown> {
  return toJsonSchema(eventCatalogue[type].body)
}

function bodyOf<Type extends EventType, Data extends z.ZodType>(type: Type, name: string, data: Data) {
  return z
    .object({
      id: id('evt').meta({ description: 'The unique id of the event. Use it to ignore duplicates.' }),
      type: z.literal(type),
      data: data.meta({ description: 'What happened to which email and recipient.' }),
      created_at: timestamp.meta({
        description: 'When Posthorn created the event. `data.occurred_at` says when it happened.',
      }),
    })
    .meta({ id: name })
}
