import type { Attempt, Delivery, ExhaustedReason, Webhook } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { countOf, formatDuration } from '../format/numbers.ts'
import { attemptAdvice, attemptHeadline } from './attempt-words.ts'
import type { Sentence } from './sentence.ts'
import { waitingFacts, waitingWords } from './waiting-words.ts'

export interface VerdictInput {
  readonly delivery: Delivery
  /** Null if the endpoint was deleted or is not loaded yet. */
  readonly endpoint: Pick<Webhook, 'disabled_reason'> | null
  /** For how many days events are kept. */
  readonly retentionDays: number
  readonly nowMs: number
}

/** The explanation of a delivery, in this order: the reason, what happened and follows, and what to do. */
export interface DeliveryVerdict {
  readonly headline: string
  readonly facts: readonly Sentence[]
  /** Empty if there is nothing to do. */
  readonly advice: string
}

const lateMs = 60_000

/** Answers "did you send it, and why did it fail?". */
export function deliveryVerdict(input: VerdictInput): DeliveryVerdict {
  const { delivery } = input
  const attempts = (delivery.attempts ?? []).toSorted((a, b) => a.number - b.number)
  switch (delivery.state) {
    case 'delivered':
      return delivered(delivery, attempts)
    case 'failed':
      return {
        headline: lastHeadline(delivery, attempts),
        facts: [sent(delivery), ...nextTry(input)],
        advice: attemptAdvice(attempts.at(-1) ?? { error: null }),
      }
    case 'pending':
      return pending(input, attempts)
    case 'exhausted':
      return exhausted(input, attempts)
  }
}

function delivered(delivery: Delivery, attempts: readonly Attempt[]): DeliveryVerdict {
  const success = attempts.find(attempt => attempt.outcome === 'delivered')
  const tries = success?.number ?? delivery.attempt_count
  const at = delivery.delivered_at ?? success?.started_at ?? delivery.created_at
  const facts: Sentence[] = [[`${timesSent(delivery.attempt_count)}, delivered `, { at }, '.']]
  const delayMs = Date.parse(at) - Date.parse(delivery.created_at)
  if (delayMs >= lateMs) {
    const late = `: ${formatDuration(delayMs)} late, ${countOf(tries, 'attempt', 'attempts')}.`
    facts.push(['Created ', { at: delivery.created_at }, ', delivered ', { at }, late])
  }
  const last = attempts.at(-1)
  if (success !== undefined && last !== undefined && last.outcome === 'failed') {
    facts.push(['Sent again ', { at: last.started_at }, `. That failed: ${attemptHeadline(last)}`])
  }
  return {
    headline: success === undefined ? 'It was delivered.' : attemptHeadline(success),
    facts,
    advice: '',
  }
}

function pending(input: VerdictInput, attempts: readonly Attempt[]): DeliveryVerdict {
  const { delivery, endpoint, nowMs } = input
  const { waiting_for: waiting, attempt_count: tries } = delivery
  const last = attempts.at(-1)
  const facts: Sentence[] = []
  if (tries > 0) facts.push(sent(delivery))
  if (last !== undefined) facts.push([`Last attempt: ${attemptHeadline(last)}`])
  if (waiting === null) {
    return { headline: `It is being sent${tries > 0 ? ' again' : ''}.`, facts, advice: '' }
  }
  if (waiting.reason === 'retry') facts.push(...nextTry(input))
  else facts.push(...waitingFacts(waiting, nowMs))
  return { headline: waitingWords(waiting, endpoint), facts, advice: '' }
}

function exhausted({ delivery, retentionDays }: VerdictInput, attempts: readonly Attempt[]): DeliveryVerdict {
  const facts = delivery.attempt_count === 0 ? [['It was never sent.']] : [sent(delivery)]
  const given = (headline: string, advice = ''): DeliveryVerdict => ({ headline, facts, advice })
  const reason: ExhaustedReason = delivery.reason ?? 'retries_used'
  switch (reason) {
    case 'retries_used': {
      const all = `All ${countOf(delivery.attempt_count, 'attempt', 'attempts')} failed`
      const last = delivery.last_attempt_at
      const gaveUp: Sentence =
        last === null ? ['We gave up.'] : [`${all}, the last `, { at: last }, '. We gave up.']
      return {
        headline: lastHeadline(delivery, attempts),
        facts: [gaveUp],
        advice: attemptAdvice(attempts.at(-1) ?? { error: null }),
      }
    }
    case 'endpoint_gone':
      return given(
        'Your server answered 410 (gone), so we stopped at once.',
        'Enable the endpoint when your server can receive events again. Then send this one again.',
      )
    case 'endpoint_deleted':
      return given('The endpoint was deleted before this was delivered.')
    case 'erased':
      return given('The recipient was erased, so we do not send this again.')
    case 'expired':
      return given(`It was still waiting when we deleted the event, after ${retentionDays} days.`)
    case 'process_lost':
      return given(
        'We gave up: our processes crashed repeatedly while they sent it.',
        'Your server may have received it. Send it again, and tell the operator.',
      )
  }
}

function lastHeadline({ last_error_code: code }: Delivery, attempts: readonly Attempt[]): string {
  const failure = attempts.findLast(attempt => attempt.outcome === 'failed')
  if (failure !== undefined) return attemptHeadline(failure)
  return code === null ? 'It failed.' : `${attemptErrorTexts[code].label}.`
}

function sent({ attempt_count: count, last_attempt_at: at }: Delivery): Sentence {
  if (at === null) return [`${timesSent(count)}.`]
  return [`${timesSent(count)}, ${count > 1 ? 'the last time ' : ''}`, { at }, '.']
}

function timesSent(count: number): string {
  return count === 1 ? 'Sent once' : `Sent ${countOf(count, 'time', 'times')}`
}

/** When the next attempt starts, or what it waits for. */
function nextTry({ delivery, endpoint, nowMs }: VerdictInput): Sentence[] {
  const { next_attempt_at: next, waiting_for: waiting, retries_left: left, state } = delivery
  // the queue of a deleted endpoint is about to be given up
  if (waiting === null) return endpoint === null ? [] : [['An attempt is under way.']]
  if (waiting.reason !== 'retry' || next === null) {
    return [[waitingWords(waiting, endpoint)], ...waitingFacts(waiting, nowMs)]
  }
  if (Date.parse(next) <= nowMs) return [['The next attempt is due now.']]
  const more = left > 1 ? `, at most ${left} more` : ', the last one'
  return [['Next attempt ', { at: next, relative: true }, `${state === 'failed' ? more : ''}.`]]
}
