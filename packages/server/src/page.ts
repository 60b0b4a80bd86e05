import type { Page } from '@posthorn/contract'
import { decodeCursor, encodeCursor } from './domain/cursor.ts'
import { AppError } from './errors.ts'

/** Which part of a list to return. `cursor` comes from the previous page. */
export interface PageInput {
  limit: number
  cursor?: string | undefined
}

/** The position of a row in a list: its id or its number, or several values. */
type Position = string | number | readonly string[]

/**
 * Makes a page from rows that were read with `limit + 1`; the extra row shows that there is a next page. The cursor is the
 * position of the last row, so pages stay stable while rows are added.
 * @param lookedTo where the scan stopped; the next page continues there
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

/** The id before the page; null for the first page. */
export function idCursor(cursor: string | undefined): string | null {
  return readCursor(cursor, uuidForm)?.[0] ?? null
}

/** The two ids before the page; null for the first page. */
export function twoIdsCursor(cursor: string | undefined): [string, string] | null {
  const [first, second] = readCursor(cursor, uuidForm, uuidForm) ?? []
  return first === undefined || second === undefined ? null : [first, second]
}

/** The sequence number before the page; null for the first page. */
export function sequenceCursor(cursor: string | undefined): number | null {
  const text = readCursor(cursor, /^[0-9]{1,15}$/)?.[0]
  return text === undefined ? null : Number(text)
}

function readCursor(cursor: string | undefined, ...forms: readonly RegExp[]): string[] | null {
  if (cursor === undefined) return null
  const values = decodeCursor(cursor) ?? []
  if (values.length !== forms.length || !forms.every((form, n) => form.test(values[n] ?? ''))) {
    const message = 'Use next_cursor from the previous page of the same list.'
    throw new AppError('validation_failed', `The cursor is not valid. ${message}`, [
      { path: '/cursor', message },
    ])
  }
  return values
}
