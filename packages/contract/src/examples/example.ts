import type * as z from 'zod'
import type { Route } from '../route.ts'
import type { OperationId, Routes } from '../routes.ts'

/** A request that the API reference shows, with its response. Its ids are from `exampleIds`. */
export interface Example {
  readonly query?: Readonly<Record<string, string>>
  /** JSON, or the text of another media type. */
  readonly body?: unknown
  readonly answer?: unknown
  /** The same operation as a dry run. */
  readonly dryRun?: { readonly body: unknown; readonly answer: unknown }
}

/** One example for each operation. */
export type Examples = { readonly [Id in OperationId]: ExampleOf<Routes[Id]> }

type ExampleOf<R extends Route> = Pick<Example, 'query'> &
  (R['body'] extends { readonly schema: infer Body } ? { readonly body: InputOf<Body> } : { body?: never }) &
  (R['success'] extends { readonly schema: infer Answer }
    ? { readonly answer: InputOf<Answer> }
    : { answer?: never }) &
  (R['dryRun'] extends { readonly schema: infer Answer }
    ? {
        readonly dryRun: {
          readonly body: R['body'] extends { readonly schema: infer Body } ? InputOf<Body> : never
          readonly answer: InputOf<Answer>
        }
      }
    : { dryRun?: never })

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never
