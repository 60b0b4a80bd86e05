import { createInterface } from 'node:readline/promises'

/** Asks a question in the terminal. Ctrl-C, Ctrl-D and the end of the input count as an empty answer. */
export async function ask(
  question: string,
  streams: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream } = {
    input: process.stdin,
    output: process.stderr,
  },
): Promise<string> {
  const terminal = createInterface(streams)
  const answered = terminal.question(question)
  // the question itself rejects after Ctrl-C, and never settles at the end of the input
  const ended = new Promise<string>(resolve => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([answered, ended]).finally(() => terminal.close())
  return answer.trim()
}
