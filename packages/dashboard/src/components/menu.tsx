import { lazy, type ReactNode, Suspense } from 'react'
import { type ButtonKind, buttonLook } from './button-look.ts'

export interface MenuItem {
  readonly label: ReactNode
  /** What follows from the choice. */
  readonly hint?: string
  readonly danger?: boolean
  readonly onSelect: () => void
}

export interface MenuProps {
  readonly label: string
  readonly trigger: ReactNode
  readonly kind?: ButtonKind
  readonly items: readonly MenuItem[]
}

const MenuList = lazy(async () => ({ default: (await import('./menu-list.tsx')).MenuList }))

/** More actions behind one button. The button shows before the menu's code is loaded. */
export function Menu(props: MenuProps) {
  const { label, trigger, kind = 'plain' } = props
  return (
    <Suspense
      fallback={
        <button
          type="button"
          aria-disabled
          aria-label={label}
          aria-haspopup="menu"
          className={buttonLook(kind)}
        >
          {trigger}
        </button>
      }
    >
      <MenuList {...props} />
    </Suspense>
  )
}
