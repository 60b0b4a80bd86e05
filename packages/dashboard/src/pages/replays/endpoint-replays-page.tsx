import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EndpointReplaysPage() {
  usePageTitle('Replays')
  return <PageHeader title="Replays" />
}
