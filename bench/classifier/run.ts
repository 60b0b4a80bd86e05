import { readLabelledSet } from './labelled-set.ts'
import { measure } from './measure.ts'

const goals = { precision: 0.98, recall: 0.92 }
const measured = await measure(readLabelledSet())
const precisionMet = measured.precision >= goals.precision
const recallMet = measured.recall >= goals.recall

console.log(`email.bounced over ${measured.rows} labelled recipients of real bounce mails`)
console.log(
  `  precision ${measured.precision.toFixed(3)} (goal ${goals.precision}: ${precisionMet ? 'met' : 'missed'})`,
)
console.log(
  `  recall    ${measured.recall.toFixed(3)} (goal ${goals.recall}: ${recallMet ? 'met' : 'missed'})`,
)
console.log(`  failures with the labelled reason: ${measured.sameReason}`)
console.log(`\nDisagreements (${measured.disagreements.length})`)
for (const line of measured.disagreements) console.log(`  ${line}`)
console.log(`\nRows whose label is doubted, not counted (${measured.doubted.length})`)
for (const line of measured.doubted) console.log(`  ${line}`)

process.exitCode = precisionMet && recallMet ? 0 : 1
