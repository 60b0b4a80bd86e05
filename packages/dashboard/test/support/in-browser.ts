import type { Browser } from 'playwright-core'
import { describe } from 'vitest'
import { canRun } from '../../../server/test/support/can-run.ts'
import { launchBrowser } from './browser.ts'
import { findBrowserProgram } from './browser-program.ts'

const isHere = canRun('the dashboard in a browser', findBrowserProgram() !== null, 'chromium')

/** A group of tests in a browser; left out on a machine where none runs. */
export const describeInBrowser = isHere ? describe : describe.skip

let launched: Promise<Browser> | undefined

/** The browser that the test files of a worker share: windows of their own keep people apart. It ends with the worker. */
export async function sharedBrowser(): Promise<Browser> {
  launched ??= launchForWorker()
  return await launched
}

async function launchForWorker(): Promise<Browser> {
  const browser = await launchBrowser()
  // that is how a worker is told to end
  process.once('SIGTERM', () => void browser.close().finally(() => process.exit()))
  return browser
}
