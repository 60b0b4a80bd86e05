import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonLook } from './button-look.ts'

export interface MenuItem {
  readonly label: ReactNode
  readonly danger?: boolean
  readonly onSelect: () => void
}

/** A few more things one can do, behind one button. */
export function Menu({
  label,
  trigger,
  items,
}: {
  label: string
  trigger: ReactNode
  items: readonly MenuItem[]
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label={label} className={buttonLook('plain')}>
        {trigger}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-10 min-w-48 rounded border border-line bg-surface p-1 shadow-float"
        >
          {items.map((item, place) => (
            <DropdownMenu.Item
              key={place}
              onSelect={item.onSelect}
              className={`cursor-pointer rounded-small px-3 py-1.5 outline-none data-highlighted:bg-selected ${item.danger === true ? 'text-exhausted' : ''}`}
            >
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
