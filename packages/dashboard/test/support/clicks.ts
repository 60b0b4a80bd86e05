import type { Locator, Page } from 'playwright-core'

/** Counts a person's actions: a click or Enter is one; typing and pasting are none. */
export interface Hand {
  readonly clicks: number
  click(target: Locator): Promise<void>
  /** Chooses a radio button. */
  choose(radio: Locator): Promise<void>
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
    choose: async radio => {
      clicks++
      if (by === 'mouse') await radio.locator('xpath=ancestor::label').click()
      else await chooseByKeyboard(page, radio)
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

/** Presses Tab until the chosen button of the group has the focus, then arrow keys until the target has it. */
async function chooseByKeyboard(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor({ state: 'attached' })
  const stepsMax = 200
  for (let step = 0; step < stepsMax; step++) {
    const place = await radio.evaluate(element => {
      const focused = document.activeElement
      if (focused === element) return 'there'
      const isInGroup =
        focused instanceof HTMLInputElement && focused.name === (element as HTMLInputElement).name
      return isInGroup ? 'beside' : 'elsewhere'
    })
    if (place === 'there') return
    await page.keyboard.press(place === 'beside' ? 'ArrowRight' : 'Tab')
  }
  throw new Error(`${stepsMax} keys did not choose ${radio.toString()}`)
}
