import { TabLink, TabNav } from '../../components/tab-nav.tsx'

/** The pages of one endpoint. */
export function EndpointTabs({ id }: { id: string }) {
  const params = { id }
  return (
    <TabNav label="Pages of this endpoint">
      <TabLink to="/endpoints/$id" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        Deliveries
      </TabLink>
      <TabLink to="/endpoints/$id/keys" params={params}>
        Signing keys
      </TabLink>
      <TabLink to="/endpoints/$id/check" params={params}>
        Check
      </TabLink>
      <TabLink to="/endpoints/$id/replays" params={params}>
        Replays
      </TabLink>
      <TabLink to="/endpoints/$id/settings" params={params}>
        Settings
      </TabLink>
    </TabNav>
  )
}
