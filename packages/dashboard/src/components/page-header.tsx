import type { ReactNode } from 'react'

export interface PageHeaderProps {
  readonly title: ReactNode
  /** The second line, such as the URL of an endpoint. */
  readonly subtitle?: ReactNode
  /** The parent page, or several in `Crumbs`. */
  readonly trail?: ReactNode
  /** Text beside the title, such as `4 of 10 endpoints`. */
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
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 desk:flex-nowrap">
        <div className="min-w-0 grow">
          <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <h1 className="min-w-0 break-words">{title}</h1>
            {aside !== undefined && <div className="text-ink-2">{aside}</div>}
          </div>
          {subtitle}
        </div>
        {actions !== undefined && (
          <div data-actions className="no-print flex flex-wrap items-center gap-2 desk:shrink-0">
            {actions}
          </div>
        )}
      </div>
    </header>
  )
}
