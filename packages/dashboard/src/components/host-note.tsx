import { TriangleAlert } from 'lucide-react'
import { hostSpellings } from '../format/host-spellings.ts'

/** Of a host with letters beyond ASCII both spellings, so that one that only looks like another is seen. */
export function HostNote({ url }: { url: string }) {
  const spellings = hostSpellings(url)
  if (spellings === null) return null
  return (
    <p className="flex items-start gap-2">
      <TriangleAlert size={16} role="img" aria-label="Look twice" className="mt-0.5 shrink-0 text-failed" />
      <span>
        This host has letters beyond a to z: <code className="break-all">{spellings.unicode}</code> ={' '}
        <code className="break-all">{spellings.ascii}</code>. Is it the one you mean?
      </span>
    </p>
  )
}
