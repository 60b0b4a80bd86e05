import { type EventType, eventTypes } from '@posthorn/contract'
import { UsageError } from './command-error.ts'

/** Types of events, separated by commas; `name` is what the command line calls them. */
export function parseEventTypes(name: string, text: string): EventType[] {
  return text.split(',').map(part => parseEventType(name, part.trim()))
}

/** One type of event. */
export function parseEventType(name: string, text: string): EventType {
  const type = eventTypes.find(one => one === text)
  if (type === undefined) throw new UsageError(`${name} takes ${eventTypes.join(', ')}, not "${text}"`)
  return type
}
