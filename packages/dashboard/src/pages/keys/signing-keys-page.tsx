import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function SigningKeysPage() {
  usePageTitle('Signing keys')
  return <PageHeader title="Signing keys" />
}
