import type { Locator, Page } from 'playwright-core'

/** Counts a person's actions: a click or Enter is one; typing and pasting are none. */
export interface Hand {
  readonly clicks: number
  click(target: Locator): Promise<void>
  enter(): Promise<void>
}

/** The same journey with the mouse, or with the keyboard only. */
export function handOn(page: Page, by: 'mouse' | 'keyboard'): Hand {
  let clicks = 0
  return {
    get clicks() {
      return clicks
    },
    click: async target => {
      clicks++
      if (by === 'mouse') await target.click()
      else await pressByKeyboard(page, target)
    },
    enter: async () => {
      clicks++
      await page.keyboard.press('Enter')
    },
  }
}

/** Presses Tab until the target has the focus, then its usual key. */
async function pressByKeyboard(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const stepsMax = 200
  for (let step = 0; step < stepsMax; step++) {
    if (await target.evaluate(element => element === document.activeElement)) {
      const isTick = await target.evaluate(
        element => element instanceof HTMLInputElement && /checkbox|radio/.test(element.type),
      )
      await page.keyboard.press(isTick ? 'Space' : 'Enter')
      return
    }
    await page.keyboard.press('Tab')
  }
  throw new Error(`${stepsMax} tabs did not lead to ${target.toString()}`)
}
