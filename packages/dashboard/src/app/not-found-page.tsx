import { PageHeader } from '../components/page-header.tsx'
import { TextLink } from '../components/text-link.tsx'
import { usePageTitle } from './page-title.ts'

export function NotFoundPage() {
  usePageTitle('Not here')
  return (
    <div className="p-6">
      <PageHeader title="Not here, or not yours" />
      <p>
        For you there is no page at this address. <TextLink to="/">Overview</TextLink>
      </p>
    </div>
  )
}
