import { createInterface } from 'node:readline/promises'

interface Streams {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** Asks a question in the terminal. Ctrl-C, Ctrl-D and the end of the input count as an empty answer. */
export async function ask(
  question: string,
  streams: Streams = { input: process.stdin, output: process.stderr },
): Promise<string> {
  const terminal = createInterface(streams)
  const answered = terminal.question(question)
  // the question itself rejects after Ctrl-C, and never settles at the end of the input
  const ended = new Promise<string>(resolve => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([answered, ended]).finally(() => terminal.close())
  return answer.trim()
}

/** Asks a question that ends with [y/N]. Everything but y and yes means no. */
export async function askYesOrNo(question: string, streams?: Streams): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(question, streams))
}
