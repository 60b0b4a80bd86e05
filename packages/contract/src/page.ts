import * as z from 'zod'

/** The query parameters of every list. */
export const pageQuery = z.strictObject({
  limit: wholeNumber({ min: 1, max: 250 })
    .transform(limit => limit ?? 50)
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: 250,
      description: 'How many items to return. Defaults to 50.',
    }),
  cursor: z
    .string()
    .min(1)
    .max(1024)
    .optional()
    .meta({ description: 'The `next_cursor` of the previous page.' }),
})

/** One page of a list, newest first unless the route says otherwise. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` to get the next page. Null on the last page.' }),
  })
}

/** One page of a list that a front merges from all shards. */
export function mergedPageOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend({
    unavailable_shards: z.array(z.int()).optional().meta({
      description:
        'Only if a shard does not respond: the numbers of the shards whose items are missing. Installations with one shard never have it.',
    }),
  })
}

/** One page as the service returns it before serialization. */
export interface Page<Item> {
  data: Item[]
  next_cursor: string | null
  unavailable_shards?: number[] | undefined
}

/** A whole number in a query string, or undefined if it is missing. */
export function wholeNumber({ min, max }: { min: number; max: number }) {
  return z
    .unknown()
    .optional()
    .transform((text, context): number | undefined => {
      if (text === undefined) return undefined
      const number = typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      if (number >= min && number <= max) return number
      context.addIssue({ code: 'custom', message: `must be a whole number from ${min} to ${max}` })
      return z.NEVER
    })
}

/** A filter that takes one of `values`, or several separated by commas. */
export function anyOf<const Value extends string>(values: readonly Value[]) {
  const isValue = (text: string): text is Value => (values as readonly string[]).includes(text)
  return z
    .string()
    .transform((text, context): Value[] => {
      const chosen = text.split(',')
      if (chosen.every(isValue)) return [...new Set(chosen)]
      context.addIssue({
        code: 'custom',
        message: `must be one of ${values.join(', ')}, or several separated by commas`,
      })
      return z.NEVER
    })
    .meta({ description: `One of \`${values.join('`, `')}\`, or several separated by commas.` })
}
