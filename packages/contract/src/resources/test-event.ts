import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'

/** Which kind of sample event an endpoint is to be sent. */
export const testEventCreate = z.strictObject({ type: z.enum(eventTypes) }).meta({ id: 'TestEventCreate' })

/** What was made of it: an event like every other, and its one delivery. */
export const testEvent = z.object({ event_id: id('evt'), delivery_id: id('dlv') }).meta({ id: 'TestEvent' })

export type TestEventCreate = z.output<typeof testEventCreate>
export type TestEvent = z.infer<typeof testEvent>
