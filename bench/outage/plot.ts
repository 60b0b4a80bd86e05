import { niceTicks } from './nice-ticks.ts'

export interface Point {
  x: number
  y: number
}

/** One curve over the common time axis. */
export interface Panel {
  /** The title above the panel, with the unit. */
  title: string
  points: readonly Point[]
}

export interface Plot {
  panels: readonly Panel[]
  /** The title below the last panel, with the unit. */
  xTitle: string
  /** A highlighted time range. */
  band: { from: number; to: number; title: string }
}

const width = 860
const panelHeight = 170
const gap = 58
const left = 84
const right = 16
const top = 44
const innerWidth = width - left - right

/** Draws panels over one time axis as SVG that is readable on light and dark backgrounds. */
export function draw(plot: Plot): string {
  const xs = plot.panels.flatMap(panel => panel.points.map(point => point.x))
  const range = { from: Math.min(...xs, plot.band.from), to: Math.max(...xs, plot.band.to) }
  const toX = (x: number): number => left + ((x - range.from) / (range.to - range.from)) * innerWidth
  const height = top + plot.panels.length * (panelHeight + gap)
  const panels = plot.panels.map((panel, n) => drawPanel(panel, plot, range, toX, n))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${plot.panels.map(panel => escaped(panel.title)).join('; ')}</title>`,
    `<style>${style}</style>`,
    ...panels,
    `<text class="axis" x="${left + innerWidth / 2}" y="${height - 8}" text-anchor="middle">${escaped(plot.xTitle)}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

/** Medium colors work on both backgrounds. Text and lines adapt if the page sets a color scheme. */
const style = `
text { font: 13px system-ui, sans-serif; fill: #57606a }
.title { font-weight: 600 }
.grid { stroke: #8b949e; stroke-opacity: 0.35; stroke-width: 1 }
.band { fill: #d29922; fill-opacity: 0.16 }
.curve { fill: none; stroke: #2f81f7; stroke-width: 1.6; stroke-linejoin: round }
@media (prefers-color-scheme: dark) { text { fill: #adbac7 } }
`

function drawPanel(
  { title, points }: Panel,
  { band }: Plot,
  range: { from: number; to: number },
  toX: (x: number) => number,
  n: number,
): string {
  const above = top + n * (panelHeight + gap)
  const below = above + panelHeight
  const ticks = niceTicks(0, points.reduce((most, { y }) => Math.max(most, y), 0) || 1, 4)
  const most = ticks.at(-1) ?? 1
  const toY = (y: number): number => below - (y / most) * panelHeight
  const rows = ticks.map(
    y =>
      `<line class="grid" x1="${left}" x2="${left + innerWidth}" y1="${f(toY(y))}" y2="${f(toY(y))}"/>` +
      `<text x="${left - 8}" y="${f(toY(y) + 4)}" text-anchor="end">${y.toLocaleString('en')}</text>`,
  )
  const columns = niceTicks(range.from, range.to, 8)
    .filter(x => x >= range.from && x <= range.to)
    .map(
      x =>
        `<line class="grid" x1="${f(toX(x))}" x2="${f(toX(x))}" y1="${above}" y2="${below}"/>` +
        `<text x="${f(toX(x))}" y="${below + 18}" text-anchor="middle">${x.toLocaleString('en')}</text>`,
    )
  const [from, to] = [toX(band.from), toX(band.to)]
  return [
    `<text class="title" x="${left}" y="${above - 12}">${escaped(title)}</text>`,
    `<rect class="band" x="${f(from)}" y="${above}" width="${f(to - from)}" height="${panelHeight}"/>`,
    ...(n === 0
      ? [
          `<text x="${left + innerWidth}" y="${above - 12}" text-anchor="end">shaded: ${escaped(band.title)}</text>`,
        ]
      : []),
    ...rows,
    ...columns,
    `<polyline class="curve" points="${points.map(({ x, y }) => `${f(toX(x))},${f(toY(y))}`).join(' ')}"/>`,
  ].join('\n')
}

function f(pixels: number): string {
  return pixels.toFixed(1)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
