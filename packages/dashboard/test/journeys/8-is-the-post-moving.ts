import type { Journey } from './journey.ts'

/** The operator's start page answers above the fold. */
export async function isThePostMoving({ page }: Journey): Promise<void> {
  await page.goto('/operator')
  await page.getByRole('region', { name: 'Verdict' }).waitFor()
  const figures = page.locator('main dl').first().locator('dt')
  const names = await figures.allInnerTexts()
  if (names.length < 5) throw new Error(`only ${names.join(', ')}`)
  for (const [place, name] of names.entries()) {
    const box = await figures.nth(place).boundingBox()
    if (box === null || box.y + box.height > 900) throw new Error(`${name} is below the fold`)
  }
}
