import type { Readable } from 'node:stream'

/** Resolves when a program has printed a text, and rejects if the program ends before. */
export async function until(output: Readable, text: string): Promise<void> {
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    output.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(text)) resolve()
    })
    output.on('close', () => reject(new Error(`ended without "${text}": ${printed}`)))
  })
}
