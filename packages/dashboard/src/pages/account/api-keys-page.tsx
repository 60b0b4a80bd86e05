import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function ApiKeysPage() {
  usePageTitle('API keys')
  return <PageHeader title="API keys" />
}
