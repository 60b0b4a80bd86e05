const base = 36
const codeMax = 0x10_ff_ff

/** Decodes a host label given without its `xn--` (RFC 3492); null if it is not valid. */
export function decodePunycode(label: string): string | null {
  const split = label.lastIndexOf('-')
  const codes = Array.from(label.slice(0, Math.max(0, split)), letter => letter.charCodeAt(0))
  let [at, code, place, bias] = [split + 1, 128, 0, 72]
  while (at < label.length) {
    const before = place
    let weight = 1
    for (let step = base; ; step += base) {
      const digit = digitOf(label.charAt(at++))
      if (digit === null) return null
      place += digit * weight
      const threshold = Math.min(26, Math.max(1, step - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const count = codes.length + 1
    bias = adapted(place - before, count, before === 0)
    code += Math.floor(place / count)
    if (code > codeMax) return null
    place %= count
    codes.splice(place++, 0, code)
  }
  return String.fromCodePoint(...codes)
}

function digitOf(letter: string): number | null {
  if (/^[a-z]$/i.test(letter)) return letter.toLowerCase().charCodeAt(0) - 97
  return /^\d$/.test(letter) ? letter.charCodeAt(0) - 22 : null
}

function adapted(delta: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > 455; bias += base) rest = Math.floor(rest / 35)
  return bias + Math.floor((36 * rest) / (rest + 38))
}
