import * as z from 'zod'

/** One line of text without control characters, because these would break lists, logs and the database. */
export function line(lengthMax: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
}

/** Text that may have line breaks and tabs. */
export function paragraph(lengthMax: number): z.ZodString {
  return z
    .string()
    .max(lengthMax)
    .regex(/^[\n\t\P{Cc}]*$/u, 'must not contain control characters except tabs and line breaks')
}
