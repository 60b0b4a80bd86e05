import { type Browser, chromium, type Page } from 'playwright-core'
import { findBrowserProgram } from './browser-program.ts'

/** A real browser. */
export async function launchBrowser(): Promise<Browser> {
  const program = findBrowserProgram()
  if (program === null) throw new Error('no browser on this machine: install chromium')
  const { executablePath, env } = program
  return await chromium.launch({ executablePath, args: ['--no-sandbox'], env: { ...process.env, ...env } })
}

export interface OpenOptions {
  /** The service's URL. */
  readonly url: string
  /** An API key or the operator's token; null: not signed in. */
  readonly credential: string | null
  readonly theme?: 'light' | 'dark'
  readonly widthPx?: number
}

/** A separate browser window with a session, which records the browser's complaints. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page
  /** Console errors, failed resources and violations of the Content-Security-Policy; none is expected. */
  readonly complaints: string[]
}

/** Opens a separate browser window for one person. */
export async function openPage(browser: Browser, options: OpenOptions): Promise<OpenPage> {
  const { url, credential, theme = 'light', widthPx = 1280 } = options
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: widthPx, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const complaints: string[] = []
  const page = await context.newPage()
  // long enough for a busy machine, so only a hanging page reaches it
  page.setDefaultTimeout(90_000)
  page.on('console', message => {
    // the browser also logs refusals that the page explains
    if (message.type() === 'error' && !/the server responded with a status of 4\d\d/.test(message.text())) {
      complaints.push(message.text())
    }
  })
  page.on('pageerror', error => complaints.push(error.message))
  if (credential !== null) {
    const answer = await context.request.post('/v1/sessions', { data: { credential } })
    if (!answer.ok()) throw new Error(`signing in: ${answer.status()} ${await answer.text()}`)
  }
  return { page, complaints, [Symbol.asyncDispose]: async () => await context.close() }
}
