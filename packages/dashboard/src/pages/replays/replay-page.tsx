import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function ReplayPage() {
  usePageTitle('Replay')
  return <PageHeader title="Replay" />
}
