import type { ComponentProps, ReactNode } from 'react'
import { type ButtonKind, buttonLook } from './button-look.ts'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly kind?: ButtonKind
  readonly icon?: ReactNode
  /** Keeps the focus, ignores clicks, and shows that work is under way. */
  readonly busy?: boolean
  readonly className?: string
}

/** A button whose label says what it does, with the number. */
export function Button({
  kind = 'plain',
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={event => (busy ? event.preventDefault() : onClick?.(event))}
      className={buttonLook(kind, className)}
    >
      {icon}
      {children}
    </button>
  )
}
