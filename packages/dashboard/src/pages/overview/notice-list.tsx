import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'

/** Notices below each other. A phone shows the first one, so that the figures stay near, and offers the others. */
export function NoticeList({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  const isFolded = count > 1 && !isOpen
  return (
    <>
      <ul className={`space-y-2 ${isFolded ? 'max-wide:[&>li:not(:first-child)]:hidden' : ''}`}>
        {children}
      </ul>
      {isFolded && (
        <Button kind="quiet" className="wide:hidden" onClick={() => setOpen(true)}>
          {count - 1} more
        </Button>
      )}
    </>
  )
}
