import type { ApiKey } from '@posthorn/contract'
import { Ban, CircleCheck, Hourglass, TriangleAlert } from 'lucide-react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatDay, formatWhole } from '../format/times.ts'
import { type ApiKeyState, apiKeyState } from '../words/api-key-words.ts'
import { Badge, type BadgeLook } from './badge.tsx'
import { Time } from './time.tsx'

const looks: Record<ApiKeyState, BadgeLook & { word: string }> = {
  live: { icon: CircleCheck, word: 'Live', look: 'bg-delivered-tint text-delivered' },
  ending: { icon: TriangleAlert, word: 'Expires soon', look: 'bg-failed-tint text-failed' },
  expired: { icon: Hourglass, word: 'Expired', look: 'bg-sunken text-ink-2' },
  revoked: { icon: Ban, word: 'Revoked', look: 'bg-sunken text-ink-2' },
}

/** Whether an API key works, as icon, word and colour, with the day of the change beside it. */
export function ApiKeyStateBadge({ apiKey }: { apiKey: ApiKey }) {
  const state = apiKeyState(apiKey, useNowMs())
  const { word, ...look } = looks[state]
  const at = apiKey.revoked_at ?? apiKey.expires_at
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <Badge {...look}>{word}</Badge>
      {at !== null && (
        <span className="whitespace-nowrap text-ink-2">
          {state === 'live' && 'until '}
          <Day at={at} />
        </span>
      )}
    </span>
  )
}

/** The day, or the time if it is within a day. */
function Day({ at }: { at: string }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  if (Math.abs(Date.parse(at) - nowMs) < 86_400_000) return <Time at={at} />
  return (
    <time dateTime={at} title={formatWhole(at, zone)}>
      {formatDay(at, zone, nowMs)}
    </time>
  )
}
