import type { Browser } from 'playwright-core'
import { describe } from 'vitest'
import { canRun } from '../../../server/test/support/can-run.ts'
import { launchBrowser } from './browser.ts'
import { findBrowserProgram } from './browser-program.ts'

const isHere = canRun('the dashboard in a browser', findBrowserProgram() !== null, 'chromium')

/** A group of tests in a browser, skipped on a machine without one. */
export const describeInBrowser = isHere ? describe : describe.skip

let launched: Promise<Browser> | undefined

/** The browser that a worker's test files share, with separate windows for each person. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchForWorker()
  return await launched
}

async function launchForWorker(): Promise<Browser> {
  const browser = await launchBrowser()
  // vitest ends a worker with this signal
  process.once('SIGTERM', () => void browser.close().finally(() => process.exit()))
  return browser
}
