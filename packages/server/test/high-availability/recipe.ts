import { readFileSync } from 'node:fs'

const page = new URL('../../../../docs/run/high-availability.md', import.meta.url)

/** The configuration files of `docs/run/high-availability.md`, so that the tests run what its readers run. */
export class Recipe {
  readonly #files: ReadonlyMap<string, string>
  readonly #values: Readonly<Record<string, string>>

  private constructor(files: ReadonlyMap<string, string>, values: Readonly<Record<string, string>>) {
    this.#files = files
    this.#values = values
  }

  /** @param values what to write instead of placeholders, such as a password or a folder */
  static read(values: Readonly<Record<string, string>>): Recipe {
    const blocks = readFileSync(page, 'utf8').matchAll(/^```\w+\n# (\/\S+)\n(.*?)^```$/gms)
    return new Recipe(new Map([...blocks].map(([, path = '', text = '']) => [path, text])), values)
  }

  /** One file, with more values for the machine that it is for. */
  file(path: string, values: Readonly<Record<string, string>> = {}): string {
    const text = this.#files.get(path)
    if (text === undefined) throw new Error(`docs/run/high-availability.md shows no ${path}`)
    return Object.entries({ ...this.#values, ...values }).reduce(
      (filled, [placeholder, value]) => filled.replaceAll(placeholder, value),
      text,
    )
  }

  /** A file of `NAME=value` lines. */
  variables(path: string, values: Readonly<Record<string, string>> = {}): Record<string, string> {
    const lines = this.file(path, values).trim().split('\n')
    return Object.fromEntries(lines.map(line => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]))
  }
}
