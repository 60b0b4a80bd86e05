import { StateBadge } from '../components/state-badge.tsx'
import { Time } from '../components/time.tsx'
import { shortId } from '../format/short-id.ts'
import { problemWords } from '../words/problem-words.ts'
import type { Match } from './match.ts'

export interface SearchResultsProps {
  readonly listId: string
  readonly isOpen: boolean
  readonly isLooking: boolean
  readonly matches: readonly Match[]
  /** The match selected by the arrow keys; -1: none. */
  readonly active: number
  /** Why there is nothing to show. */
  readonly nothing: string | null
  readonly error: Error | null
  readonly onChoose: (match: Match) => void
}

/** The matches below the search box; the focus stays in the box. */
export function SearchResults(props: SearchResultsProps) {
  const { listId, isOpen, isLooking, matches, active, nothing, error, onChoose } = props
  const words = error !== null ? problemWords(error) : (nothing ?? (isLooking ? 'Looking…' : null))
  const isEmpty = matches.length === 0
  return (
    <div
      hidden={!isOpen || (isEmpty && words === null)}
      className="absolute top-full left-0 z-20 mt-1 w-full max-w-180 rounded border border-line bg-surface shadow-float max-wide:fixed max-wide:inset-x-2 max-wide:top-14 max-wide:w-auto"
    >
      {isEmpty && words !== null && <p className="px-3 py-2 text-ink-2">{words}</p>}
      <div id={listId} role="listbox" aria-label="Matches" className="max-h-96 overflow-y-auto">
        {matches.map((match, place) => (
          <div
            key={`${match.href} ${match.title}`}
            id={`${listId}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === active}
            // the focus stays in the box
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChoose(match)}
            onKeyDown={event => {
              if (event.key === 'Enter') onChoose(match)
            }}
            className="flex min-h-9 cursor-pointer flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-1.5 last:border-0 hover:bg-sunken aria-selected:bg-selected aria-selected:outline-2 aria-selected:-outline-offset-2 aria-selected:outline-ink pointer-coarse:min-h-11"
          >
            {match.state !== undefined && <StateBadge state={match.state}>{match.reason}</StateBadge>}
            <bdi className="min-w-0 flex-1 truncate max-wide:order-first max-wide:basis-full">
              {match.title}
            </bdi>
            <code className="truncate text-ink-3 max-wide:hidden">{shortId(match.detail)}</code>
            {match.at !== undefined && (
              <span className="max-wide:ml-auto">
                <Time at={match.at} />
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
