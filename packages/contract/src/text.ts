import * as z from 'zod'

/** One line of text that people read: no control characters, which would break lists, logs and the database. */
export function line(lengthMax: number): z.ZodString {
  return z
    .string()
    .min(1)
    .max(lengthMax)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters')
}

/** Text that people read and that may have line breaks. */
export function paragraph(lengthMax: number): z.ZodString {
  return z
    .string()
    .max(lengthMax)
    .regex(/^[\n\t\P{Cc}]*$/u, 'must not contain control characters besides tabs and line breaks')
}
