import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { DeliveryList } from './delivery-list.tsx'

/** What was sent lately, everywhere, and what failed. */
export function DeliveriesPage() {
  usePageTitle('Deliveries')
  return (
    <>
      <PageHeader title="Deliveries" />
      <DeliveryList />
    </>
  )
}
