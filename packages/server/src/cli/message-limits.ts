import type { Option } from './command.ts'
import type { CommandInput } from './command-input.ts'
import { wholeNumber } from './whole-number.ts'

/** How many messages an account may send. */
export const messageLimitOptions = {
  'messages-per-hour': {
    value: 'number',
    meaning: 'Messages per hour at most, one for each recipient; "none" removes the limit.',
  },
  'messages-per-day': { value: 'number', meaning: 'The same for each day in UTC.' },
} as const satisfies Record<string, Option>

/** The given limits as the API takes them. */
export function messageLimitsIn(input: CommandInput) {
  const perHour = limitIn(input, 'messages-per-hour')
  const perDay = limitIn(input, 'messages-per-day')
  return {
    ...(perHour !== undefined && { messages_per_hour: perHour }),
    ...(perDay !== undefined && { messages_per_day: perDay }),
  }
}

function limitIn(input: CommandInput, name: keyof typeof messageLimitOptions): number | null | undefined {
  return input.text(name) === 'none' ? null : wholeNumber(input, name)
}
