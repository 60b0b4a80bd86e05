import type { WebhookHealth } from '@posthorn/contract'
import { degradedWords, disabledWords, failingWords, goneWords, type Reader } from './health-words.ts'
import { needsAttention } from './needs-attention.ts'

/** A warning about one endpoint, with the next step. */
export interface EndpointNotice {
  readonly tone: 'exhausted' | 'failed'
  /** The state as a word, for readers who do not see its colour. */
  readonly word: 'Disabled' | 'Failing' | 'Degraded' | 'Warning'
  readonly headline: string
  readonly detail: string
  /** The label of the link to the endpoint. */
  readonly step: string
}

/** The most important warning about an endpoint; null if it needs no attention. */
export function endpointNotice(health: WebhookHealth, name: string, reader: Reader): EndpointNotice | null {
  const gone = goneWords(health)
  if (!needsAttention(health)) return gone === null ? null : goneNotice(gone, name)
  const { state, warnings } = health
  if (state === 'disabled') {
    const stopped = warnings.find(({ code }) => code === 'disabled_failing' || code === 'disabled_gone')
    const { headline, detail } = disabledWords(health, { at: stopped?.since ?? null, by: null }, reader)
    return {
      tone: 'exhausted',
      word: 'Disabled',
      headline: `${name} is disabled.`,
      detail: joined([headline, detail, ...othersOf(health)]),
      step: 'See why and enable',
    }
  }
  if (state === 'failing') {
    const { headline, detail } = failingWords(health, name, reader)
    return {
      tone: 'failed',
      word: 'Failing',
      headline,
      detail: joined([detail, ...othersOf(health)]),
      step: 'Open',
    }
  }
  if (state === 'degraded') {
    const { headline, detail } = degradedWords(health, reader)
    return {
      tone: 'failed',
      word: 'Degraded',
      headline: `${name}: ${headline}`,
      detail: joined([detail, ...othersOf(health)]),
      step: 'Open',
    }
  }
  const [first, ...others] = warnings
  return {
    tone: 'failed',
    word: 'Warning',
    headline: `${name}: ${first?.message ?? ''}`,
    detail: joined(others.map(warning => warning.message)),
    step: 'Open',
  }
}

/** It was enabled again after a 410, and nobody has replayed what the 410 gave up. */
function goneNotice(gone: string, name: string): EndpointNotice {
  return {
    tone: 'failed',
    word: 'Warning',
    headline: `${name}: ${gone}`,
    detail: 'The endpoint is enabled again, so you can replay them.',
    step: 'Open and replay',
  }
}

/** The warnings about being disabled repeat the notice's own sentences. */
function othersOf({ warnings }: WebhookHealth): string[] {
  return warnings
    .filter(({ code }) => !['disabled_failing', 'disabled_gone', 'failing_half_time'].includes(code))
    .map(warning => warning.message)
}

function joined(sentences: readonly (string | null)[]): string {
  return sentences.filter(sentence => sentence !== null).join(' ')
}
