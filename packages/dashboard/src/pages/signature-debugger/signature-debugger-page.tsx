import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function SignatureDebuggerPage() {
  usePageTitle('Signature debugger')
  return <PageHeader title="Signature debugger" />
}
