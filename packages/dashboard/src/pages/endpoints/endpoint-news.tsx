import type { Webhook } from '@posthorn/contract'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'

/** The result of the last action, as long as it is true. */
export interface News {
  readonly words: string
  readonly status: Webhook['status']
}

/** Takes the focus, because the button of the action is gone. */
export function EndpointNews({ words }: { words: string }) {
  const line = useRef<HTMLParagraphElement>(null)
  useEffect(() => line.current?.focus(), [words])
  return (
    <p ref={line} tabIndex={-1} className="flex items-center gap-1.5 text-delivered">
      <CircleCheck size={16} aria-hidden /> {words}
    </p>
  )
}
