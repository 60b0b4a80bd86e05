import { jsonStyle } from './json-style.ts'
import type { Mistake } from './mistake.ts'

const envelope = ['id', 'type', 'data', 'created_at']

/** Changes from parsing a JSON body and writing it again. `undone` is the original. */
export function jsonMistakes(text: string): Mistake<string>[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  const rewritten = { was: 'the body was parsed and written again', mender: 'body' } as const
  const compact = JSON.stringify(value)
  const mistakes: Mistake<string>[] = [
    { ...rewritten, fits: compactFits(text), undone: compact },
    ...reordered(value).map(undone => ({
      ...rewritten,
      fits: `with ${envelope.join(', ')} in this order and no spaces`,
      undone,
    })),
    ...spaced(value).map(({ how, undone }) => ({
      was: 'the spaces of the body were removed',
      fits: `if the body is written ${how}`,
      mender: 'body' as const,
      undone,
    })),
  ]
  if (typeof value === 'string') {
    mistakes.push({
      was: 'the body was converted to JSON twice',
      fits: 'with the text within the quotes',
      mender: 'body',
      undone: value,
    })
  }
  return mistakes.filter(mistake => mistake.undone !== text)
}

/** How the text is longer than the shortest form. */
function compactFits(text: string): string {
  const style = jsonStyle(text)
  if (style.lineBreaks) return 'if the line breaks and the indentation are removed'
  const after = [style.spaceAfterColon && '“:”', style.spaceAfterComma && '“,”'].filter(Boolean)
  const changes = [
    after.length > 0 && `the spaces after ${after.join(' and ')} are removed`,
    style.escapedSlashes && '“\\/” is written “/”',
    style.unicodeEscape !== null &&
      `“${style.unicodeEscape}” is written “${String(JSON.parse(`"${style.unicodeEscape}"`))}”`,
  ].filter(Boolean)
  return changes.length === 0 ? 'if it is written as JSON.stringify does' : `if ${changes.join(' and ')}`
}

/** The envelope's keys in our order. The original order within `data` is unknown. */
function reordered(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const entries = new Map(Object.entries(value))
  if (entries.size !== envelope.length || !envelope.every(name => entries.has(name))) return []
  return [JSON.stringify(Object.fromEntries(envelope.map(name => [name, entries.get(name)])))]
}

function spaced(value: unknown): { how: string; undone: string }[] {
  return [
    { how: 'with a space after each “:” and “,”', undone: oneLineWithSpaces(value) },
    { how: 'with an indentation of two spaces', undone: JSON.stringify(value, null, 2) },
    { how: 'with an indentation of four spaces', undone: JSON.stringify(value, null, 4) },
    { how: 'with an indentation of tabs', undone: JSON.stringify(value, null, '\t') },
  ]
}

/** The format that Python writes. */
function oneLineWithSpaces(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLineWithSpaces).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${oneLineWithSpaces(one)}`,
  )
  return `{${entries.join(', ')}}`
}
