import type { ExportedSpan } from '../support/otlp-sink.ts'

const rowPx = 26
const left = 250
const width = 900
const barsPx = width - left - 110

/** Draws the spans of a trace as a waterfall, in SVG. A gap between two attempts is as wide as it was long. */
export function tracePicture(spans: readonly ExportedSpan[]): string {
  const rows = inOrder(spans)
  const startMs = Math.min(...spans.map(span => span.startMs))
  const totalMs = Math.max(...spans.map(span => span.endMs)) - startMs
  const at = (ms: number): number => left + ((ms - startMs) / totalMs) * barsPx
  const lines = rows.map(({ span, depth }, row) => {
    const y = 20 + row * rowPx
    const bar = Math.max(2, at(span.endMs) - at(span.startMs))
    const end = at(span.startMs) + bar + 6
    return `<text x="${16 + depth * 18}" y="${y + 13}">${label(span)}</text>
<rect x="${at(span.startMs).toFixed(1)}" y="${y}" width="${bar.toFixed(1)}" height="16" rx="3" fill="${color(span)}"/>
<text x="${end.toFixed(1)}" y="${y + 13}" class="ms">${(span.endMs - span.startMs).toFixed(1)} ms</text>`
  })
  const height = 30 + rows.length * rowPx
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>One trace, from the report to the receiver</title>
<style>text { font: 13px sans-serif; fill: #1f2937 } .ms { fill: #6b7280 }</style>
<rect width="${width}" height="${height}" fill="#fff"/>
${lines.join('\n')}
</svg>
`
}

/** Children below their parent, by start. */
function inOrder(spans: readonly ExportedSpan[]): Array<{ span: ExportedSpan; depth: number }> {
  const sorted = spans.toSorted((a, b) => a.startMs - b.startMs || b.endMs - a.endMs)
  const known = new Set(spans.map(({ spanId }) => spanId))
  const below = (parentId: string, depth: number): Array<{ span: ExportedSpan; depth: number }> =>
    sorted
      .filter(({ parentSpanId: id }) => (known.has(id) ? id === parentId : parentId === ''))
      .flatMap(span => [{ span, depth }, ...below(span.spanId, depth + 1)])
  return below('', 0)
}

function label({ name, attributes }: ExportedSpan): string {
  const status = attributes['http.response.status_code'] ?? attributes['posthorn.delivery.state']
  return status === undefined ? name : `${name} → ${status}`
}

function color({ kind, isError }: ExportedSpan): string {
  if (isError) return '#dc2626'
  return ['#9ca3af', '#9ca3af', '#2563eb', '#059669'][kind] ?? '#9ca3af'
}
