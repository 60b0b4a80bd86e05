import { start } from './start.ts'

/** Runs one command; resolves with the exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const [command] = argv
  if (command === 'start') return await start()
  process.stderr.write('posthorn: only start is known so far\n')
  return 2
}
