import { type OpenPage, openPage } from '../../packages/dashboard/test/support/browser.ts'

const bytesPerSecond = 10_000_000 / 8

/** A new browser window on a simulated computer that is four times slower, with 10 Mbit/s. */
export async function openSlowPage(
  browser: Parameters<typeof openPage>[0],
  url: string,
  credential: string,
): Promise<OpenPage> {
  const visitor = await openPage(browser, { url, credential })
  const devtools = await visitor.page.context().newCDPSession(visitor.page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  return visitor
}
