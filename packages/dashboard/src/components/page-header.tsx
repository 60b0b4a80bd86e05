import type { ReactNode } from 'react'

export interface PageHeaderProps {
  readonly title: ReactNode
  /** The second line, such as the URL of an endpoint. */
  readonly subtitle?: ReactNode
  /** The parent pages: links, with slashes between them. */
  readonly trail?: ReactNode
  /** Text beside the title, such as `4 of 10 slots used`. */
  readonly aside?: ReactNode
  readonly actions?: ReactNode
}

/** The page's name, as its only `h1`. */
export function PageHeader({ title, subtitle, trail, aside, actions }: PageHeaderProps) {
  return (
    <header className="mb-4 space-y-1">
      {trail !== undefined && (
        <nav aria-label="Breadcrumb" className="text-ink-3">
          {trail}
        </nav>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 className="break-words">{title}</h1>
          {subtitle}
        </div>
        {aside !== undefined && <div className="text-ink-2">{aside}</div>}
        {actions !== undefined && (
          <div className="no-print ml-auto flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </div>
    </header>
  )
}
