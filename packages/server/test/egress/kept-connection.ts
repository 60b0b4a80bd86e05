import type { Egress } from '../../src/egress/egress.ts'
import { until } from '../support/until.ts'
import { post } from './open-test-egress.ts'
import type { RawReceiver } from './raw-receiver.ts'

/** Posts until a connection is reused, and leaves exactly one idle connection, which the next request uses. */
export async function keepConnection(
  egress: Egress,
  { url, connections }: Pick<RawReceiver, 'url' | 'connections'>,
): Promise<void> {
  await until('a connection carried a second request', async () => {
    const { phases } = await post(egress, url)
    return phases.connectMs === null
  })
  // the oldest was the first that could be reused
  const [, ...others] = connections.filter(socket => !socket.destroyed)
  for (const socket of others) socket.destroy()
  await until('the others are closed', () => egress.openSockets === 1)
}
