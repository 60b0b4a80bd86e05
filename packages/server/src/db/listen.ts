import pg from 'pg'

const reconnectDelayMs = 1_000

/**
 * Listens on `channel` over its own connection and reconnects when it breaks. Notifications sent in between are lost;
 * callers poll as well.
 */
export async function listenOn(
  connect: () => Promise<pg.Client>,
  channel: string,
  onNotify: (payload: string) => void,
): Promise<AsyncDisposable> {
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  async function open(): Promise<void> {
    const next = await connect()
    next.on('notification', message => onNotify(message.payload ?? ''))
    next.once('end', () => reopenLater())
    try {
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end()
      throw error
    }
    if (stopped) await next.end()
    else client = next
  }

  function reopenLater(): void {
    if (stopped || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      open().catch(reopenLater)
    }, reconnectDelayMs)
    timer.unref()
  }

  await open().catch(reopenLater)
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
