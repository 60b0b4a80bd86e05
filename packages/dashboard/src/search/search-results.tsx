import { useEffect, useRef } from 'react'
import { WebhookBadge } from '../components/state-badge.tsx'
import { Time } from '../components/time.tsx'
import { shortId } from '../format/short-id.ts'
import { problemWords } from '../words/problem-words.ts'
import { addressOf } from '../words/url-words.ts'
import type { Match, MatchGroup } from './match.ts'

export interface SearchResultsProps {
  readonly listId: string
  readonly isOpen: boolean
  readonly isLooking: boolean
  readonly matches: readonly Match[]
  /** The match selected by the arrow keys; -1: none. */
  readonly active: number
  /** That nothing was found, and what can be. */
  readonly nothing: string | null
  readonly error: Error | null
  readonly onChoose: (match: Match) => void
}

/** The matches below the search box; the focus stays in the box. */
export function SearchResults(props: SearchResultsProps) {
  const { listId, isOpen, isLooking, matches, active, nothing, error, onChoose } = props
  const isEmpty = matches.length === 0
  const waiting = isEmpty && isLooking ? 'Looking…' : null
  const failed = isEmpty && error !== null ? problemWords(error) : null
  const words = failed ?? nothing ?? waiting
  return (
    <div
      hidden={!isOpen || (isEmpty && words === null)}
      className="absolute top-full left-0 z-20 mt-1 w-full wide:w-[min(56rem,calc(100vw-20rem))] rounded border border-line bg-surface shadow-float max-wide:fixed max-wide:inset-x-2 max-wide:top-14 max-wide:w-auto"
    >
      {words !== null && <p className="px-3 py-2 text-ink-2 wrap-anywhere">{words}</p>}
      <div
        id={listId}
        role="listbox"
        aria-label="Matches"
        className="max-h-[min(32rem,70dvh)] overflow-y-auto"
      >
        {groupsOf(matches).map(({ group, first, of }) => (
          <div key={group} role="group" aria-labelledby={`${listId}-group-${first}`}>
            <div
              id={`${listId}-group-${first}`}
              role="presentation"
              className="border-b border-line bg-paper px-3 py-1 text-label text-ink-3"
            >
              {group}
            </div>
            {of.map((match, number) => (
              <Option
                key={`${match.href} ${match.title}`}
                id={`${listId}-${first + number}`}
                match={match}
                isActive={first + number === active}
                onChoose={() => onChoose(match)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

interface OptionProps {
  readonly id: string
  readonly match: Match
  readonly isActive: boolean
  readonly onChoose: () => void
}

function Option({ id, match, isActive, onChoose }: OptionProps) {
  const option = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // the focus stays in the box
      onMouseDown={event => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={event => {
        if (event.key === 'Enter') onChoose()
      }}
      className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-1.5 hover:bg-sunken aria-selected:bg-selected aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-ink pointer-coarse:min-h-11"
    >
      <span className="min-w-0 flex-1 basis-72 wrap-anywhere max-wide:basis-full">
        <bdi>{match.title}</bdi>
        {match.reason !== undefined && <span className="text-ink-2"> · {match.reason}</span>}
      </span>
      {match.webhook !== undefined && <WebhookBadge {...match.webhook} />}
      {match.detail !== '' && match.detail !== match.title && (
        <code className="max-w-80 truncate text-ink-3 max-wide:max-w-full">{shortDetail(match.detail)}</code>
      )}
      {match.at !== undefined && lookedUp.has(match.group) && (
        <span className="max-wide:ml-auto">
          <Time at={match.at} />
        </span>
      )}
    </div>
  )
}

/** Their time tells similar ones apart. */
const lookedUp: ReadonlySet<MatchGroup> = new Set(['Found by id', 'Emails', 'Events', 'Webhook deliveries'])

/** A URL without its protocol, and an id without its middle. */
function shortDetail(detail: string): string {
  if (detail.includes('://')) return addressOf(detail)
  return /^[a-z]+_\S+$/.test(detail) ? shortId(detail) : detail
}

interface Group {
  readonly group: MatchGroup
  /** The place of its first match in the whole list. */
  readonly first: number
  readonly of: Match[]
}

/** Matches of a group are next to each other. */
function groupsOf(matches: readonly Match[]): Group[] {
  const groups: Group[] = []
  matches.forEach((match, place) => {
    const last = groups.at(-1)
    if (last?.group === match.group) last.of.push(match)
    else groups.push({ group: match.group, first: place, of: [match] })
  })
  return groups
}
