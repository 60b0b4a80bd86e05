/** Flaws that a JSON value must not be accepted with. */
export const flaws = [
  'half a character',
  'half a character in a name',
  'a huge number',
  'very many names',
] as const

export type Flaw = (typeof flaws)[number]

/** A JSON text with a flaw, and the position of the flaw. */
export interface FlawedJson {
  text: string
  /** The path in the refusal (RFC 6901). */
  path: string
}

/**
 * Puts a flaw into the value at one of its positions.
 * @param bytesMax the size limit of a text with very many names
 */
export function withFlaw(value: unknown, place: number, flaw: Flaw, bytesMax: number): FlawedJson {
  const whole = { value: structuredClone(value) }
  const places = placesIn(whole)
  const chosen = places[place % places.length] ?? { holder: whole, key: 'value' }
  const name = nameMark + JSON.stringify(place)
  const isName = flaw === 'half a character in a name'
  const pointer = pointerTo(whole, chosen) + (isName ? `/${halfShown}` : '')
  Reflect.set(chosen.holder, chosen.key, isName ? { [name]: 1 } : valueMark)
  const text = JSON.stringify(whole.value).replace(JSON.stringify(name), `"${halfWritten}"`)
  return {
    text: text.replace(JSON.stringify(valueMark), () => written(flaw, bytesMax - text.length)),
    path: pointer,
  }
}

const valueMark = '@value@'
const nameMark = '@name@'
const halfWritten = 'x\\udc00'
const halfShown = 'x\ufffd'

function written(flaw: Flaw, bytesMax: number): string {
  switch (flaw) {
    case 'half a character':
    case 'half a character in a name':
      return `"${halfWritten}"`
    case 'a huge number':
      return '9007199254740993'
    case 'very many names': {
      const count = Math.min(1_000_000, Math.floor(bytesMax / 12))
      return `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`
    }
  }
}

interface Place {
  holder: object
  key: string
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)])
}

function pointerTo(whole: object, { holder, key }: Place): string {
  const search = (value: unknown): string[] | null => {
    if (value === holder) return [key]
    if (typeof value !== 'object' || value === null) return null
    for (const [name, inner] of Object.entries(value)) {
      const rest = search(inner)
      if (rest !== null) return [name, ...rest]
    }
    return null
  }
  const [, ...path] = search(whole) ?? []
  return path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
