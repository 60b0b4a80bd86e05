import { ChartColumn, Table2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../components/button.tsx'

export interface ChartFrameProps {
  readonly title: string
  /** The legend, beside the title. */
  readonly legend?: ReactNode
  readonly picture: ReactNode
  readonly table: ReactNode
}

/** A chart with its title, which readers can switch to a table with the same numbers. */
export function ChartFrame({ title, legend, picture, table }: ChartFrameProps) {
  const [isTable, setIsTable] = useState(false)
  const titleId = useId()
  return (
    <figure aria-labelledby={titleId} className="min-w-0">
      <figcaption className="mb-2 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id={titleId}>{title}</h2>
        {legend}
        <Button
          kind="quiet"
          aria-label={`Show as ${isTable ? 'chart' : 'table'}: ${title}`}
          icon={isTable ? <ChartColumn size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          onClick={() => setIsTable(!isTable)}
          className="no-print ml-auto px-2 text-label"
        >
          Show as {isTable ? 'chart' : 'table'}
        </Button>
      </figcaption>
      {isTable ? table : picture}
    </figure>
  )
}
