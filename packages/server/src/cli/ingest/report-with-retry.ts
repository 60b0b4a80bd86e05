import type { Client } from '@posthorn/client'
import type { PostfixRecord, SourceAccepted } from '@posthorn/contract'
import { isTemporary, pauseBeforeTry } from '../temporary-failure.ts'

/** Small enough that the largest records stay below the service's limit. */
const recordsMax = 200
const pauseMsMax = 30_000

export interface RetryOptions {
  /** Whether to retry while the service does not answer; otherwise throws the first error. */
  readonly waits: boolean
  readonly stop: AbortSignal
  readonly onWait: (error: Error) => void
}

/** Reports records. False if it was stopped before the service stored all of them, so they must be reported again. */
export async function reportWithRetry(
  client: Pick<Client, 'reportPostfix'>,
  records: readonly PostfixRecord[],
  retrying: RetryOptions,
  onAnswer: (answer: SourceAccepted) => void,
): Promise<boolean> {
  for (let from = 0; from < records.length; from += recordsMax) {
    const answer = await reportOnce(client, records.slice(from, from + recordsMax), retrying)
    if (answer === null) return false
    onAnswer(answer)
  }
  return true
}

async function reportOnce(
  client: Pick<Client, 'reportPostfix'>,
  records: PostfixRecord[],
  { waits, stop, onWait }: RetryOptions,
): Promise<SourceAccepted | null> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.reportPostfix({ body: { records } })
    } catch (error) {
      if (!waits || !isTemporary(error)) throw error
      if (tries === 0) onWait(error)
      await pauseBeforeTry(tries, pauseMsMax, stop)
      if (stop.aborted) return null
    }
  }
}
