import type { Option } from './command.ts'
import type { CommandInput } from './command-input.ts'
import { wholeNumber } from './whole-number.ts'

/** Chooses the shard that a command is about. */
export const shardOption = {
  shard: { value: 'number', meaning: 'The shard, if the service is a front; otherwise omit it.' },
} as const satisfies Record<string, Option>

/** The query that names the shard; empty without the option. */
export function shardQueryOf(input: CommandInput): { readonly shard?: number } {
  const shard = wholeNumber(input, 'shard')
  return shard === undefined ? {} : { shard }
}
