import type { ReactNode } from 'react'

export interface SettingRowProps {
  readonly name: string
  readonly hint?: string
  readonly children: ReactNode
}

/** One setting: its name on the left, its choices on the right. */
export function SettingRow({ name, hint, children }: SettingRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3">
      <div>
        <div className="font-medium">{name}</div>
        {hint !== undefined && <div className="text-label text-ink-3">{hint}</div>}
      </div>
      {children}
    </div>
  )
}
