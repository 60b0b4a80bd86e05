import { type Api, expectStatus, type Page } from '../../packages/server/test/support/api.ts'
import { median } from '../support/median.ts'

const rounds = 20

/** The median time of the list's requests in milliseconds, without a browser. */
export interface ApiTimes {
  first: number
  filtered: number
  older: number
}

export async function apiTimes(api: Api): Promise<ApiTimes> {
  const timed = async (query: string): Promise<{ ms: number; cursor: string | null }> => {
    const beganMs = performance.now()
    const page = expectStatus(200, await api.get<Page<unknown>>(`/v1/deliveries?limit=50${query}`))
    if (page.data.length !== 50) throw new Error(`${page.data.length} deliveries for ${query}`)
    return { ms: performance.now() - beganMs, cursor: page.next_cursor }
  }
  const times: ApiTimes[] = []
  for (let round = 0; round < rounds; round++) {
    const first = await timed('')
    const filtered = await timed('&state=pending,failed,exhausted')
    const older = await timed(`&cursor=${first.cursor}`)
    times.push({ first: first.ms, filtered: filtered.ms, older: older.ms })
  }
  const of = (name: keyof ApiTimes): number => median(times.map(one => one[name]))
  return { first: of('first'), filtered: of('filtered'), older: of('older') }
}
