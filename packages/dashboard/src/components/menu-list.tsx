import { DropdownMenu } from 'radix-ui'
import { buttonLook } from './button-look.ts'
import type { MenuProps } from './menu.tsx'

/** The menu itself. It is a separate chunk because of its size, so use `Menu`. */
export function MenuList({ label, trigger, kind = 'plain', items }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label={label} className={buttonLook(kind)}>
        {trigger}
      </DropdownMenu.Trigger>
      {/* within the page's own landmark, where screen readers look for it */}
      <DropdownMenu.Portal container={document.getElementById('main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-10 max-w-80 min-w-48 rounded border border-line bg-surface p-1 shadow-float"
        >
          {items.map((item, place) => (
            <DropdownMenu.Item
              key={place}
              onSelect={item.onSelect}
              className={`cursor-pointer rounded-small px-3 py-1.5 outline-none data-highlighted:bg-selected pointer-coarse:py-3 ${item.danger === true ? 'text-exhausted' : ''}`}
            >
              {item.label}
              {item.hint !== undefined && <span className="block text-label text-ink-2">{item.hint}</span>}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
