import { useRouter } from '@tanstack/react-router'
import { Search as SearchIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useIsSilent } from '../api/use-silence.ts'
import { announce } from '../app/announce.ts'
import { keepRecipient } from '../app/recipient-memory.ts'
import { useSession } from '../app/session.ts'
import { useShortcuts } from '../app/shortcuts.ts'
import { countOf } from '../format/numbers.ts'
import { nothingFound } from '../words/search-words.ts'
import { findIds } from './find-ids.ts'
import { lengthMin } from './find-names.ts'
import type { Match } from './match.ts'
import { SearchResults } from './search-results.tsx'
import { useSearch } from './use-search.ts'

/**
 * Finds names, pages, actions, addresses, and the ids in a pasted text. Enter opens the selected match. The text goes only
 * to our API.
 */
export function SearchBox() {
  const router = useRouter()
  const { kind, retention_days: days } = useSession()
  const isSilent = useIsSilent()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  const [isOpen, setIsOpen] = useState(false)
  // chosen with the arrow keys; null: the first match, once all are known
  const [chosen, setChosen] = useState<number | null>(null)
  const { matches, isLooking, error, best, ask } = useSearch(text)
  const isFound = isLooking || matches.some(({ looksUp }) => looksUp !== true)
  const nothing = isFound || text.trim().length < lengthMin ? null : nothingFound(text, findIds(text), days)
  const active = Math.min(chosen ?? (isLooking ? -1 : 0), matches.length - 1)
  useFocusKeys(input)

  const write = (written: string): void => {
    setText(written)
    setChosen(null)
    setIsOpen(written !== '')
  }
  const open = (match: Match): void => {
    if (match.looksUp === true) return void lookUp().catch(() => setIsOpen(true))
    if (match.fills !== undefined) return write(match.fills)
    write('')
    input.current?.blur()
    const { recipient, asks } = match
    const recipientTicket = recipient === undefined ? undefined : keepRecipient(recipient)
    router.history.push(match.href, { recipientTicket, asks })
    // opening the page that is already open does not move the focus
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  // the reader may have typed more since
  const isStale = (): boolean => input.current?.value !== text
  const enter = async (): Promise<void> => {
    const match = matches[active] ?? (await best())
    if (isStale()) return
    if (match === undefined) await lookUp()
    else open(match)
  }
  const lookUp = async (): Promise<void> => {
    const found = await ask()
    if (isStale()) return
    const [only, ...others] = found
    if (only !== undefined && others.length === 0) return open(only)
    setIsOpen(true)
    setChosen(null)
    announce(
      found.length === 0
        ? nothingFound(text, findIds(text), days)
        : countOf(found.length, 'match', 'matches'),
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape') {
      if (isOpen) setIsOpen(false)
      else write('')
      event.preventDefault()
    } else if (step !== undefined && matches.length > 0) {
      event.preventDefault()
      setIsOpen(true)
      setChosen((Math.max(active, step === 1 ? -1 : 0) + step + matches.length) % matches.length)
    }
  }
  const isListed = isOpen && matches.length > 0
  return (
    <form
      role="search"
      className="min-w-0 flex-1"
      onSubmit={event => {
        event.preventDefault()
        // the error is shown in place of the matches
        if (text.trim() !== '') void enter().catch(() => setIsOpen(true))
      }}
    >
      <div className="relative max-w-160">
        <SearchIcon
          size={16}
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3"
        />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={labels[kind]}
          aria-expanded={isListed}
          aria-controls={listId}
          aria-autocomplete="list"
          {...(isListed && active >= 0 && { 'aria-activedescendant': `${listId}-${active}` })}
          placeholder={isSilent ? 'Search is off while this page contains a secret' : labels[kind]}
          disabled={isSilent}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          value={text}
          onChange={event => write(event.target.value)}
          onPaste={event => {
            const pasted = event.clipboardData.getData('text')
            if (!/[\r\n]/.test(pasted)) return
            // the field has one line and would join pasted lines
            event.preventDefault()
            const { selectionStart: start, selectionEnd: end } = event.currentTarget
            write(text.slice(0, start ?? 0) + pasted.replaceAll(/\s+/g, ' ') + text.slice(end ?? text.length))
          }}
          onFocus={() => setIsOpen(text !== '')}
          onBlur={() => setIsOpen(false)}
          onKeyDown={onKeyDown}
          className="peer w-full rounded border border-control bg-surface py-1 pr-2 pl-8 text-ellipsis wide:pr-8 pointer-coarse:min-h-11"
        />
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-ink-3 peer-focus:hidden max-wide:hidden"
        >
          /
        </kbd>
        <SearchResults
          listId={listId}
          isOpen={isOpen}
          isLooking={isLooking}
          matches={matches}
          active={active}
          nothing={nothing}
          error={error}
          onChoose={open}
        />
      </div>
    </form>
  )
}

const labels = {
  account: 'Search names, pages, addresses or ids',
  portal: 'Search names, pages, addresses or ids',
  operator: 'Search accounts, pages or ids',
} as const

/** `/`, and also Ctrl K or ⌘ K from within a field. */
function useFocusKeys(input: { readonly current: HTMLInputElement | null }): void {
  const focus = useMemo(
    () => (): void => {
      input.current?.focus()
      input.current?.select()
    },
    [input],
  )
  useShortcuts(useMemo(() => ({ '/': focus }), [focus]))
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [focus])
}
