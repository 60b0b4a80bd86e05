import { type CsvRecord, CsvReader } from './csv.ts'

/** The records of a CSV file in UTF-8 while it arrives. Records that are not valid UTF-8 come with a reason instead of fields. */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRecord, void> {
  const decoder = new TextDecoder()
  const reader = new CsvReader()
  const isValid = utf8Check()
  for await (const chunk of chunks) {
    const records = reader.push(decoder.decode(chunk, { stream: true }))
    yield* isValid(chunk) ? records : records.map(rejectUnreadable)
  }
  const rest = [...reader.push(decoder.decode()), ...reader.end()]
  yield* isValid() ? rest : rest.map(rejectUnreadable)
}

/** Returns whether everything so far is valid UTF-8. Without a chunk, the text ends here. */
function utf8Check(): (chunk?: Uint8Array) => boolean {
  const strict = new TextDecoder('utf-8', { fatal: true })
  let isValid = true
  return chunk => {
    try {
      if (isValid) strict.decode(chunk, { stream: chunk !== undefined })
    } catch {
      isValid = false
    }
    return isValid
  }
}

/** Invalid UTF-8 becomes U+FFFD, which valid text rarely contains. */
function rejectUnreadable(record: CsvRecord): CsvRecord {
  const isUnreadable = 'fields' in record && record.fields.some(text => text.includes('\ufffd'))
  return isUnreadable ? { line: record.line, reason: 'is not valid UTF-8' } : record
}
