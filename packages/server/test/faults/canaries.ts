/** Secrets of a test, and every place that showed one without permission. */
export class Canaries {
  readonly #secrets: Array<{ name: string; forms: string[]; mayShow: (where: string) => boolean }> = []
  readonly #texts: Array<{ where: string; text: string }> = []

  /** Searches for `value` from now on. Only places that `mayShow` accepts may show it. */
  add(name: string, value: string, mayShow: (where: string) => boolean = () => false): string {
    if (value.length < 12) throw new Error(`${name} is too short to be told from chance: ${value}`)
    this.#secrets.push({ name, forms: formsOf(Buffer.from(value)), mayShow })
    return value
  }

  /** A secret that this place shows once. No other place may show it, and this place may not show it again. */
  shownIn(where: string, name: string, value: string | undefined): string {
    const text = this.#texts.find(one => one.where === where)?.text
    if (value === undefined || text?.includes(value) !== true) throw new Error(`${name} is not in ${where}`)
    return this.add(name, value, other => other === where)
  }

  /** For bytes, such as a key that is configured in base64. */
  addBytes(name: string, value: Uint8Array): void {
    this.#secrets.push({ name, forms: formsOf(Buffer.from(value)).slice(2), mayShow: () => false })
  }

  /** Stores text that was written, answered or stored, until `found` searches it. */
  wrote(where: string, text: string): void {
    this.#texts.push({ where, text })
  }

  /** The text from one place. */
  textOf(where: string): string {
    return this.#texts.find(one => one.where === where)?.text ?? ''
  }

  get size(): { secrets: number; texts: number; bytes: number } {
    const bytes = this.#texts.reduce((sum, { text }) => sum + text.length, 0)
    return { secrets: this.#secrets.length, texts: this.#texts.length, bytes }
  }

  /** Secrets in wrong places: "API key in GET /v1/api-keys". */
  found(): string[] {
    const all: string[] = []
    for (const { where, text } of this.#texts) {
      for (const { name, forms, mayShow } of this.#secrets) {
        if (!mayShow(where) && forms.some(form => text.includes(form))) all.push(`${name} in ${where}`)
      }
    }
    return [...new Set(all)]
  }
}

/** The secret unchanged, percent-encoded, in hex, and in base64 at each of the three possible offsets. */
function formsOf(secret: Buffer): string[] {
  const text = secret.toString('utf8')
  const base64 = [0, 1, 2].flatMap(offset => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret])
    // the characters at both ends depend on the neighboring bytes
    const from = offset === 0 ? 0 : 4
    const whole = (text64: string): string => text64.replace(/=+$/, '').slice(from, -2)
    return [whole(encoded.toString('base64')), whole(encoded.toString('base64url'))]
  })
  return [text, encodeURIComponent(text), secret.toString('hex'), ...base64]
}
