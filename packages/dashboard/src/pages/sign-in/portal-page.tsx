import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function PortalPage() {
  usePageTitle('Portal')
  return <PageHeader title="Portal" />
}
