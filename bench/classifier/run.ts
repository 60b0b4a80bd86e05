import { readLabelledSet } from './labelled-set.ts'
import { measure } from './measure.ts'
import { measureSamples, measureTexts, type MeasuredTexts } from './text-only.ts'

const labelled = readLabelledSet()
const measured = await measure(labelled)
const results: boolean[] = []

console.log(`email.bounced over ${measured.rows} labelled recipients of real bounce mails`)
show(measured, { precision: 0.99, recall: 0.92 })
console.log(`  failures with the labelled reason: ${measured.sameReason}`)
console.log(`\nDisagreements (${measured.disagreements.length})`)
for (const line of measured.disagreements) console.log(`  ${line}`)
console.log(`\nRows whose label is doubted, not counted (${measured.doubted.length})`)
for (const line of measured.doubted) console.log(`  ${line}`)

const texts = await measureTexts(labelled)
console.log(`\nemail.bounced over ${texts.texts} of these mails, read only as text`)
showTexts(texts, { precision: 0.99, recall: 0.7 })

const samples = measureSamples()
console.log(`\nemail.bounced over our own ${samples.texts} bounces in words`)
showTexts(samples, { precision: 1, recall: 1 })

process.exitCode = results.every(isMet => isMet) ? 0 : 1

interface Goals {
  readonly precision: number
  readonly recall: number
}

function show(found: Goals, goals: Goals): void {
  for (const name of ['precision', 'recall'] as const) {
    const isMet = found[name] >= goals[name]
    results.push(isMet)
    console.log(
      `  ${name.padEnd(9)} ${found[name].toFixed(3)} (goal ${goals[name]}: ${isMet ? 'met' : 'missed'})`,
    )
  }
}

function showTexts(found: MeasuredTexts, goals: Goals): void {
  show(found, goals)
  console.log(`  wrong bounces (${found.wrong.length})`)
  for (const line of found.wrong) console.log(`    ${line}`)
  console.log(`  missed bounces (${found.missed.length})`)
  for (const line of found.missed) console.log(`    ${line}`)
}
