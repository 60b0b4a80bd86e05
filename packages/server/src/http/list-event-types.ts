import {
  type EventType,
  type EventTypeInfo,
  eventCatalogue,
  eventJsonSchema,
  eventTypes,
  type Page,
  sampleEvent,
} from '@posthorn/contract'
import { type PageInput, sequenceCursor, toPage } from '../page.ts'

/** The catalogue of events, a list like every other though it is short. */
export function listEventTypes({ limit, cursor }: PageInput): Page<EventTypeInfo> {
  const after = sequenceCursor(cursor) ?? 0
  catalogue ??= eventTypes.map(toEventTypeInfo)
  const rows = catalogue.slice(after, after + limit + 1)
  return toPage(
    rows,
    limit,
    ({ type }) => eventTypes.indexOf(type) + 1,
    info => info,
  )
}

/** Made when it is first asked for, and the same for everybody: a schema leaves a third of a megabyte of garbage. */
let catalogue: EventTypeInfo[] | undefined

function toEventTypeInfo(type: EventType): EventTypeInfo {
  const { description } = eventCatalogue[type]
  return { type, description, schema: eventJsonSchema(type), sample: sampleEvent(type) }
}
