import * as z from 'zod'
import { eventTypes } from '../event-type.ts'
import { id } from '../ids.ts'

/** The type of sample event to send. */
export const testEventCreate = z.strictObject({ type: z.enum(eventTypes) }).meta({ id: 'TestEventCreate' })

/** The sample event and its delivery. */
export const testEvent = z.object({ event_id: id('evt'), delivery_id: id('dlv') }).meta({ id: 'TestEvent' })

export type TestEventCreate = z.output<typeof testEventCreate>
export type TestEvent = z.infer<typeof testEvent>
