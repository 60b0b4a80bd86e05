import type { Page, Request } from 'playwright-core'

/** All stored or shown data that a script of the page could read, also after a reload. */
export async function readableByScripts(page: Page): Promise<string> {
  const readable = await page.evaluate(async () => ({
    document: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')].map(field => (field as HTMLInputElement).value),
    cookie: document.cookie,
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: (await indexedDB.databases()).map(database => database.name),
    caches: await caches.keys(),
    history: history.state as unknown,
    windowName: window.name,
    title: document.title,
    address: location.href,
  }))
  if (readable.databases.length + readable.caches.length > 0)
    throw new Error('a database or a cache was made')
  return JSON.stringify(readable)
}

/** Every string in the page's memory after garbage collection. */
export async function textsInMemory(page: Page): Promise<readonly string[]> {
  const devtools = await page.context().newCDPSession(page)
  const chunks: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.takeHeapSnapshot', {})
  await devtools.detach()
  return (JSON.parse(chunks.join('')) as { strings: string[] }).strings
}

/** Records the URL, headers and body of every request from now on. */
export function noteRequests(page: Page): readonly string[] {
  const noted: string[] = []
  page.on('request', (request: Request) => {
    noted.push(
      `${request.method()} ${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData()}`,
    )
  })
  return noted
}
