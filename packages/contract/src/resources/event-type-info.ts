import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { pageOf } from '../page.ts'

/** One entry of the event catalogue. */
export const eventTypeInfo = z
  .object({
    type: z.enum(eventTypes),
    description: z.string(),
    opt_in: z
      .boolean()
      .meta({ description: '`true`: an endpoint gets this type only if it names it in `events`.' }),
    schema: z
      .record(z.string(), z.unknown())
      .meta({ description: 'JSON Schema (2020-12) of the whole event.' }),
    sample: z.record(z.string(), z.unknown()).meta({ description: 'A sample event.' }),
  })
  .meta({ id: 'EventTypeInfo' })

export const eventTypeInfoPage = pageOf(eventTypeInfo).meta({ id: 'EventTypeInfoPage' })

export type EventTypeInfo = z.infer<typeof eventTypeInfo>
