import type { Client } from '@posthorn/client'
import type { PostfixRecord, SourceAccepted } from '@posthorn/contract'
import { isPassing, pauseBeforeTry } from '../passing-failure.ts'

/** So that no batch exceeds what the service takes at once, whatever stands in it. */
const recordsMax = 200
const pauseMsMax = 30_000

export interface Patience {
  /** Goes on trying while nobody answers; without it the first failure is thrown. */
  readonly waits: boolean
  readonly stop: AbortSignal
  readonly onWait: (error: Error) => void
}

/**
 * Reports records and resolves when the service has stored all of them. False when it was stopped before: then they
 * are to be told again.
 */
export async function reportPatiently(
  client: Pick<Client, 'reportPostfix'>,
  records: readonly PostfixRecord[],
  patience: Patience,
  onAnswer: (answer: SourceAccepted) => void,
): Promise<boolean> {
  for (let from = 0; from < records.length; from += recordsMax) {
    const answer = await reportOnce(client, records.slice(from, from + recordsMax), patience)
    if (answer === null) return false
    onAnswer(answer)
  }
  return true
}

async function reportOnce(
  client: Pick<Client, 'reportPostfix'>,
  records: PostfixRecord[],
  { waits, stop, onWait }: Patience,
): Promise<SourceAccepted | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.reportPostfix({ body: { records } })
    } catch (error) {
      if (!waits || !isPassing(error)) throw error
      if (tries === 0) onWait(error)
      await pauseBeforeTry(tries, pauseMsMax, stop)
      if (stop.aborted) return null
    }
  }
}
