import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { buttonLook } from './button-look.ts'

export interface PopupProps {
  /** The button's label, and the name of the popup. */
  readonly label: string
  readonly trigger?: ReactNode
  readonly isMarked?: boolean
  readonly align?: 'start' | 'end'
  readonly className?: string
  readonly onOpen?: () => void
  readonly children: ReactNode
}

const edgePx = 16

/** A popup below its button. Esc, a click elsewhere or moving the focus away closes it. */
export function Popup(props: PopupProps) {
  const {
    label,
    trigger = label,
    isMarked = false,
    align = 'start',
    className = '',
    onOpen,
    children,
  } = props
  const [isOpen, setIsOpen] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event): void => {
      if (target instanceof Node && frame.current?.contains(target) !== true) setIsOpen(false)
    }
    const closeByKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      button.current?.focus()
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    document.addEventListener('keydown', closeByKey)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
      document.removeEventListener('keydown', closeByKey)
    }
  }, [isOpen])
  return (
    <div ref={frame} className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          setIsOpen(!isOpen)
          if (!isOpen) onOpen?.()
        }}
        className={buttonLook('plain', isMarked ? 'border-brass-edge' : '')}
      >
        {trigger}
      </button>
      {isOpen && (
        <Content id={id} label={label} align={align} className={className}>
          {children}
        </Content>
      )}
    </div>
  )
}

interface ContentProps extends Required<Pick<PopupProps, 'label' | 'align' | 'className' | 'children'>> {
  readonly id: string
}

function Content({ id, label, align, className, children }: ContentProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const rect = box.current?.getBoundingClientRect()
    if (box.current === null || rect === undefined) return
    const right = document.body.clientWidth - edgePx
    // keep the popup within the window on both sides
    const shiftPx = rect.right > right ? right - rect.right : Math.max(0, edgePx - rect.left)
    box.current.style.translate = `${shiftPx}px`
  }, [])
  return (
    <div
      ref={box}
      id={id}
      role="group"
      aria-label={label}
      className={`absolute top-full z-20 mt-1 max-h-[70vh] w-max max-w-[calc(100vw-2rem)] overflow-y-auto rounded border border-line bg-surface p-3 shadow-float ${align === 'end' ? 'right-0' : 'left-0'} ${className}`}
    >
      {children}
    </div>
  )
}
