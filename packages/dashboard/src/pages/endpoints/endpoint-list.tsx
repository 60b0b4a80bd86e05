import type { Rows } from '../../api/use-rows.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { RowList } from '../../components/row-list.tsx'
import { endpointColumns } from './endpoint-columns.tsx'
import type { ListedEndpoint } from './listed-endpoint.ts'

export interface EndpointListProps {
  readonly endpoints: readonly ListedEndpoint[]
  readonly readAtMs: number
  readonly onClear: () => void
}

/** The endpoints as rows that link to their pages. */
export function EndpointList({ endpoints, readAtMs, onClear }: EndpointListProps) {
  const rows: Rows<ListedEndpoint> = {
    pages: [endpoints],
    isLoading: false,
    error: null,
    readAtMs,
    newCount: 0,
    missingShards: [],
    showNew: () => {},
    hasOlder: false,
    isLoadingOlder: false,
    loadOlder: () => {},
    retry: () => {},
  }
  return (
    <RowList
      label="Endpoints"
      rows={rows}
      columns={endpointColumns}
      idOf={({ webhook }) => webhook.id}
      hrefOf={({ webhook }) => `/endpoints/${webhook.id}`}
      empty={
        <EmptyState
          action={
            <Button
              onClick={() => {
                onClear()
                // the button disappears with the filters
                document.getElementById('main')?.focus()
              }}
            >
              Clear
            </Button>
          }
        >
          No endpoint matches the filters.
        </EmptyState>
      }
    />
  )
}
