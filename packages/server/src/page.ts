import type { Page } from '@posthorn/contract'
import { decodeCursor, encodeCursor } from './domain/cursor.ts'
import { AppError } from './errors.ts'

/** Which part of a list is asked for. `cursor` is the opaque text of the page before. */
export interface PageInput {
  limit: number
  cursor?: string | undefined
}

/** Where in a list a row stands: its id or its number, or several values that say so together. */
type Position = string | number | readonly string[]

/**
 * Makes a page of rows that were read with `limit + 1`: the one too many only says that there is a next page. The
 * cursor is the position of the last row shown, so pages stay stable while rows are added.
 * @param lookedTo where the search for rows was broken off; the next page goes on there
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
  toItem: (row: Row) => Item,
  lookedTo: Position | null = null,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  const end = more ? positionOf(last) : lookedTo
  return {
    data: shown.map(toItem),
    next_cursor: end === null ? null : encodeCursor([end].flat().map(String)),
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id at which a page begins, or null for the first page. */
export function idCursor(cursor: string | undefined): string | null {
  return readCursor(cursor, uuidForm)?.[0] ?? null
}

/** The two ids at which a page begins, or null for the first page. */
export function twoIdsCursor(cursor: string | undefined): [string, string] | null {
  const [first, second] = readCursor(cursor, uuidForm, uuidForm) ?? []
  return first === undefined || second === undefined ? null : [first, second]
}

/** The sequence number at which a page begins, or null for the first page. */
export function sequenceCursor(cursor: string | undefined): number | null {
  const text = readCursor(cursor, /^[0-9]{1,15}$/)?.[0]
  return text === undefined ? null : Number(text)
}

function readCursor(cursor: string | undefined, ...forms: readonly RegExp[]): string[] | null {
  if (cursor === undefined) return null
  const values = decodeCursor(cursor) ?? []
  if (values.length !== forms.length || !forms.every((form, n) => form.test(values[n] ?? ''))) {
    const message = 'Use the next_cursor of the page before, of the same list.'
    throw new AppError('validation_failed', `The cursor cannot be read. ${message}`, [
      { path: '/cursor', message },
    ])
  }
  return values
}
