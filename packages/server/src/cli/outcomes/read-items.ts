import { CommandError } from '../command-error.ts'
import { ArrayItems } from './array-items.ts'
import type { Item, ItemReader } from './item.ts'
import { LineItems } from './line-items.ts'

/** Reads the outcomes in a JSON array or in NDJSON, and holds only one of them in memory. */
export async function* readItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Item, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let reader: ItemReader | null = null
  let beginning = ''
  for await (const chunk of chunks) {
    const text = decoded(() => decoder.decode(chunk, { stream: true }))
    if (reader !== null) {
      yield* reader.push(text)
      continue
    }
    beginning += text
    const [first] = beginning.trimStart()
    if (first === undefined) continue
    reader = first === '[' ? new ArrayItems() : new LineItems()
    yield* reader.push(beginning)
  }
  decoded(() => decoder.decode())
  if (reader !== null) yield* reader.end()
}

function decoded(decode: () => string): string {
  try {
    return decode()
  } catch (error) {
    throw new CommandError('not_utf8', 'the report is not valid UTF-8: convert it first', { cause: error })
  }
}
