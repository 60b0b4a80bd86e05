import { useEffect, useMemo, useState } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { formatMinute } from '../../format/times.ts'
import { bodyBytes, type Fields } from './fields.ts'
import { explain } from './mistakes/explain.ts'
import type { Explanation } from './mistakes/explanation.ts'
import type { KnownKey } from './mistakes/known-key.ts'
import { type SecretOwner, secretOwner } from './mistakes/secret-owner.ts'
import { headerValue } from './rules/header-value.ts'
import { type Judgement, judgePasted } from './rules/judge-pasted.ts'
import type { Pasted } from './rules/pasted.ts'
import type { Rule } from './rules/rule.ts'
import { signedAtMs, timeText } from './rules/signed-at.ts'
import { useFoundMistake } from './use-found-mistake.ts'
import type { SentRequest } from './use-sent-request.ts'

export interface Diagnosis {
  readonly rules: readonly Rule[]
  /** For each secret field. */
  readonly owners: readonly (SecretOwner | null)[]
  /** The state of the explanation: not needed, searching, or found. */
  readonly explanation: Explanation | 'searching' | null
  /** The endpoint that the header was sent to, if known. */
  readonly webhookId: string | null
}

/** What we know about the fields, and why nothing matches. */
export function useDiagnosis(
  fields: Fields,
  sent: SentRequest | null,
  known: readonly KnownKey[] | null,
): Diagnosis {
  const { header } = fields
  const clockMs = useNowMs()
  const secrets = useMemo(() => fields.secrets.filter(secret => secret !== ''), [fields.secrets])
  const body = useMemo(() => bodyBytes(fields), [fields])
  const rules = useJudgement({ header, secrets, body, nowMs: fields.nowMs ?? clockMs })?.rules ?? []
  const [first, second, third, fourth] = rules.map(rule => rule.state)
  const isUnexplained =
    first === 'good' && second !== 'bad' && fourth !== 'good' && body !== null && secrets.length > 0
  const found = useFoundMistake({ header, secrets, body }, isUnexplained)
  const webhookId = sent !== null && header === sent.header ? sent.webhookId : null
  const owners = useOwners(fields, known, webhookId)
  return { rules, owners, webhookId, explanation: explanation() }

  function explanation(): Diagnosis['explanation'] {
    if (!isUnexplained || body === null) return null
    if (found === 'searching') return found
    // rule 3 explains an incomplete secret
    if (found === null && third === 'bad') return null
    return explain({
      found,
      owners: owners.filter(owner => owner !== null),
      body,
      isAsSent: webhookId !== null && fields.bodyKind === 'text' && fields.text === sent?.body,
    })
  }
}

function useOwners(
  { header, secrets }: Fields,
  known: readonly KnownKey[] | null,
  webhookId: string | null,
): readonly (SecretOwner | null)[] {
  const { zone } = usePreferences()
  const time = timeText(headerValue(header))
  return secrets.map(secret =>
    known === null
      ? null
      : secretOwner({
          secret,
          known,
          webhookId,
          signedAtMs: time === undefined ? null : signedAtMs(time),
          day: iso => formatMinute(iso, zone, Date.now()),
        }),
  )
}

/** The result of every rule, updated on every change; null before the first result. */
function useJudgement({ header, secrets, body, nowMs }: Pasted): Judgement | null {
  const [judgement, setJudgement] = useState<Judgement | null>(null)
  useEffect(() => {
    let isWanted = true
    void judgePasted({ header, secrets, body, nowMs }).then(result => {
      if (isWanted) setJudgement(result)
    })
    return () => {
      isWanted = false
    }
  }, [header, secrets, body, nowMs])
  return judgement
}
