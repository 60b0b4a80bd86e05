import { type EventType, eventTypes } from '@posthorn/contract'
import { UsageError } from './command-error.ts'

/** Parses event types separated by commas; `name` is the option for the error message. */
export function parseEventTypes(name: string, text: string): EventType[] {
  return text.split(',').map(part => parseEventType(name, part.trim()))
}

/** Parses one event type. */
export function parseEventType(name: string, text: string): EventType {
  const type = eventTypes.find(one => one === text)
  if (type === undefined) {
    throw new UsageError(`${name} must be one of ${eventTypes.join(', ')}, not "${text}"`)
  }
  return type
}
