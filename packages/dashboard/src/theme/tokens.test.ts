import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast, everySight, oklabDistance, rgb } from './colour-science.ts'

type Theme = 'light' | 'dark'

const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const grounds = ['paper', 'surface', 'sunken', 'selected']
/** The only backgrounds of chart fills and brass borders. */
const chartGrounds = ['paper', 'surface']

/** The minimum contrast of each colour on all its backgrounds. */
const promised: ReadonlyArray<{ colour: string; light: number; dark: number; over?: readonly string[] }> = [
  { colour: 'control', light: 3.5, dark: 3.4 },
  { colour: 'ink', light: 13.8, dark: 11.9 },
  { colour: 'ink-2', light: 7, dark: 7.6 },
  { colour: 'ink-3', light: 4.7, dark: 5.2 },
  { colour: 'link', light: 6.5, dark: 8.3 },
  { colour: 'on-brass', light: 8.4, dark: 8.4, over: ['brass'] },
  { colour: 'on-brass', light: 7.2, dark: 9.9, over: ['brass-hover'] },
  { colour: 'brass-edge', light: 5.9, dark: 8.7, over: chartGrounds },
  { colour: 'delivered', light: 5.6, dark: 7.8, over: [...grounds, 'delivered-tint'] },
  { colour: 'failed', light: 5.7, dark: 7.7, over: [...grounds, 'failed-tint'] },
  { colour: 'pending', light: 6.7, dark: 7.3, over: [...grounds, 'pending-tint'] },
  { colour: 'exhausted', light: 8, dark: 7, over: [...grounds, 'exhausted-tint'] },
  { colour: 'c-delivered', light: 3, dark: 8.3, over: chartGrounds },
  { colour: 'c-failed', light: 3.2, dark: 7.1, over: chartGrounds },
  { colour: 'c-pending', light: 6.7, dark: 4.3, over: chartGrounds },
  { colour: 'c-exhausted', light: 8.9, dark: 4, over: chartGrounds },
  { colour: 'ph-way', light: 4.3, dark: 5.5, over: chartGrounds },
  { colour: 'ph-you', light: 3.5, dark: 8.7, over: chartGrounds },
]

describe.each<Theme>(['light', 'dark'])('in the %s theme', theme => {
  test.each(promised)(
    '$colour has its minimum contrast ($light light, $dark dark) on all its backgrounds',
    ({ colour, over, ...least }) => {
      const lowest = Math.min(
        ...(over ?? grounds).map(ground => contrast(token(colour, theme), token(ground, theme))),
      )

      expect(lowest).toBeGreaterThanOrEqual(least[theme])
    },
  )

  test('chart fills are distinguishable with every kind of colour vision', () => {
    const fills = ['c-delivered', 'c-failed', 'c-pending', 'c-exhausted'].map(name => token(name, theme))
    const distances = Object.values(everySight).flatMap(seen =>
      fills.flatMap((one, place) =>
        fills.slice(place + 1).map(other => oklabDistance(seen(one), seen(other))),
      ),
    )

    const leastInTenths = Math.round(10 * Math.min(...distances))
    expect(leastInTenths).toBeGreaterThanOrEqual({ light: 139, dark: 130 }[theme])
  })
})

function token(name: string, theme: Theme): ReturnType<typeof rgb> {
  const both = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(tokens)
  const hex = both?.[theme === 'light' ? 1 : 2] ?? new RegExp(`--${name}: (#\\w{6});`).exec(tokens)?.[1]
  if (hex === undefined) throw new Error(`tokens.css has no --${name}`)
  return rgb(hex)
}
