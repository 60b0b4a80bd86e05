import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { CommandError } from '../command-error.ts'

/** The name of a column, or a path such as `data.to`; the first that has a value counts. */
const place = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])
/** The whole value, or its beginning if it ends with `*`; one of several. */
const expected = z.union([z.string(), z.array(z.string()).min(1)])

const lineMap = z.strictObject({
  $comment: z.string().optional(),
  format: z.enum(['csv', 'json', 'pairs']),
  columns: z.array(z.string()).min(1).optional(),
  each: z.string().optional(),
  program: z.string().optional(),
  results: z
    .array(
      z.strictObject({
        when: z.record(z.string(), expected),
        disposition: z.enum(['accepted', 'permanent', 'expired', 'cancelled', 'deferred']),
      }),
    )
    .min(1),
  fields: z.strictObject({
    recipient: place,
    original_recipient: place.optional(),
    return_path: place.optional(),
    email_id: place.optional(),
    message_id: place.optional(),
    status: place.optional(),
    reply: place.optional(),
    relay: place.optional(),
    relay_ip: place.optional(),
    attempts: place.optional(),
    occurred_at: place.optional(),
  }),
})

/** Says what the lines of a log mean. docs/connect/lines.md describes it. */
export type LineMap = z.output<typeof lineMap>

export type MappedField = keyof LineMap['fields']

/**
 * Reads a map from a file.
 *
 * @throws CommandError `map_invalid`
 */
export function readLineMap(path: string): LineMap {
  let text: unknown
  try {
    text = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new CommandError('map_invalid', `cannot read the map ${path}: ${String(error)}`, { cause: error })
  }
  const { data, error } = lineMap.safeParse(text)
  if (data !== undefined) return data
  const problems = error.issues.map(({ path: at, message }) => `${at.join('.') || 'the map'}: ${message}`)
  throw new CommandError('map_invalid', `the map ${path} is wrong. ${problems.join('; ')}`)
}
