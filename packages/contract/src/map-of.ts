import * as z from 'zod'

/** Rejects an object with the name `__proto__`, because a record would drop it silently. */
export const namesChecked = z.transform((value: unknown, context) => {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    context.issues.push({
      code: 'custom',
      input: value,
      path: ['__proto__'],
      message: 'is not an allowed name',
    })
  }
  return value
})

/** An object with names that the caller chooses. */
export function mapOf<Name extends z.core.$ZodRecordKey, Value extends z.ZodType>(name: Name, value: Value) {
  return z.pipe(namesChecked, z.record(name, value))
}
