import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'

/** Finds what was pasted: any id, an address, a URL. */
export function SearchBox() {
  const router = useRouter()
  const [text, setText] = useState('')
  return (
    <form
      role="search"
      className="relative flex-1"
      onSubmit={event => {
        event.preventDefault()
        const id = /\b(dlv|evt)_[0-9a-z]{26}\b/.exec(text)?.[0]
        if (id !== undefined)
          router.history.push(id.startsWith('dlv') ? `/deliveries/${id}` : `/events/${id}`)
      }}
    >
      <Search size={16} aria-hidden className="pointer-events-none absolute top-2 left-2.5 text-ink-3" />
      <input
        type="search"
        aria-label="Find an email id, event id, delivery id or recipient"
        placeholder="Find an email id, event id, delivery id or recipient"
        value={text}
        onChange={event => setText(event.target.value)}
        className="w-full max-w-160 rounded border border-control bg-surface py-1 pr-2 pl-8"
      />
    </form>
  )
}
