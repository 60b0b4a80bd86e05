import {
  type EventType,
  type EventTypeInfo,
  eventCatalogue,
  eventJsonSchema,
  eventTypes,
  optInEventTypes,
  type Page,
  sampleEvent,
} from '@posthorn/contract'
import { type PageInput, sequenceCursor, toPage } from '../page.ts'

/** Lists the event catalogue in pages, like every other list. */
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

/** Built on first use and cached, because building the schemas is expensive. */
let catalogue: EventTypeInfo[] | undefined

function toEventTypeInfo(type: EventType): EventTypeInfo {
  const { description } = eventCatalogue[type]
  const opt_in = optInEventTypes.some(one => one === type)
  return { type, description, opt_in, schema: eventJsonSchema(type), sample: sampleEvent(type) }
}
