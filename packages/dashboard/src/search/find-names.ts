import { type Match, matchGroups } from './match.ts'

/** Shorter texts match almost everything. */
export const lengthMin = 2
const perGroupMax = 5

/**
 * The things whose name, detail or alias has each word of the text, best first. Words match from their start, and parts of
 * URLs anywhere, so `rot crm` finds `Rotate key of CRM`. Groups with the best names come first.
 */
export function findNames(text: string, things: readonly Match[]): Match[] {
  const words = fold(text)
    .split(' ')
    .filter(word => word !== '')
  if (fold(text).length < lengthMin) return []
  const found = things.flatMap(thing => {
    const score = scoreOf(words, thing)
    return score === null ? [] : [{ thing, score }]
  })
  const groups = matchGroups
    .map(group =>
      found
        .filter(({ thing }) => thing.group === group)
        .toSorted((a, b) => a.score - b.score || a.thing.title.length - b.thing.title.length),
    )
    .filter(group => group.length > 0)
    .toSorted(([a], [b]) => (a?.score ?? 0) - (b?.score ?? 0))
  return groups.flatMap(group => group.slice(0, perGroupMax).map(({ thing }) => thing))
}

/** 0: the name starts with the text; 1: its words do; 2: other texts match; null: no match. */
function scoreOf(words: readonly string[], { title, detail, alias = '' }: Match): number | null {
  const name = fold(title)
  if (name.startsWith(words.join(' '))) return 0
  const starts = name.split(/[^\p{L}\p{N}]+/u)
  const begins = (word: string): boolean =>
    name.includes(` ${word}`) || starts.some(start => start.startsWith(word))
  if (words.every(begins)) return 1
  const others = ` ${fold(alias)} ${fold(detail)}`
  return words.every(word => begins(word) || others.includes(word)) ? 2 : null
}

/** Without case, accents, protocols and double spaces. */
function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/(?<=.)\/$/, '')
}
