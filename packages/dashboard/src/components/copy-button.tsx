import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { announce } from '../app/announce.ts'
import { Button } from './button.tsx'
import type { ButtonKind } from './button-look.ts'

export interface CopyButtonProps {
  readonly text: string
  /** The name of the copied text: `event id`. */
  readonly what: string
  /** A label beside the icon; without it there is only the icon. */
  readonly label?: string
  readonly kind?: ButtonKind
  readonly onCopied?: () => void
}

/** Copies a text and confirms it in place. If the browser forbids copying, it selects the text instead. */
export function CopyButton({
  text,
  what,
  label,
  kind = label === undefined ? 'quiet' : 'plain',
  onCopied,
}: CopyButtonProps) {
  const [said, setSaid] = useState<'Copied' | 'Press Ctrl+C' | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2_500)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (button: HTMLElement): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid('Copied')
      announce(`Copied ${what}`)
      onCopied?.()
    } catch {
      setSaid(selectNear(button) ? 'Press Ctrl+C' : null)
      announce(`The browser does not allow copying here. The ${what} is selected.`)
    }
  }
  return (
    <Button
      kind={kind}
      icon={said === 'Copied' ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      onClick={event => void copy(event.currentTarget)}
      {...(label === undefined && { 'aria-label': `Copy ${what}`, title: `Copy ${what}` })}
      className={label === undefined ? 'px-1.5' : ''}
    >
      {said ?? label}
    </Button>
  )
}

function selectNear(button: HTMLElement): boolean {
  // placed beside the button, or beside its box
  const around = [button.parentElement, button.parentElement?.parentElement]
  const source = around.map(element => element?.querySelector('[data-copy-source]')).find(Boolean)
  if (source === null || source === undefined) return false
  getSelection()?.selectAllChildren(source)
  return true
}
