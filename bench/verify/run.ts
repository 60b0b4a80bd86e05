import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { contenders } from './contenders.ts'
import { measure } from './measure.ts'

const quick = process.argv.includes('--quick')
const goals: Record<number, number> = { 512: 0.75, 4096: 0.85, 65_536: 0.95 }
const lines = [
  `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, ${new Date().toISOString().slice(0, 10)}.`,
  'Verifications per second of processor time, median of rounds in turn; in brackets the ratio to n bare HMACs.',
  '',
]

for (const [index, bytes] of [512, 4096, 65_536].entries()) {
  for (const count of [1, 2, 10]) {
    const list = contenders(bytes, count)
    if (index === 0 && count === 1) {
      lines.push(`| body | secrets | ${list.map(one => one.name).join(' | ')} | goal |`)
      lines.push(`|${'---|'.repeat(list.length + 3)}`)
    }
    const rates = await measure(list, quick ? 20 : 100, quick ? 1 : 7)
    const bare = rates[0] ?? Number.NaN
    const cells = rates.map(rate => `${Math.round(rate).toLocaleString('en')} (${(rate / bare).toFixed(2)})`)
    const ratio = (rates[1] ?? 0) / bare
    const ahead = bytes > 4096 || ((rates[1] ?? 0) > (rates[3] ?? 0) && (rates[1] ?? 0) > (rates[4] ?? 0))
    const goal = goals[bytes] ?? 1
    lines.push(
      `| ${bytes} B | ${count} | ${cells.join(' | ')} | ${goal}: ${ratio >= goal && ahead ? 'met' : 'missed'} |`,
    )
    console.log(lines.at(-1))
  }
}

if (!quick) writeFileSync(new URL('result.md', import.meta.url), `${lines.join('\n')}\n`)
