// the overview's charts are one chunk, so that its numbers can load first
export { LatencyChart } from './latency-chart.tsx'
export { OutcomeReasonsChart } from './outcome-reasons-chart.tsx'
export { OutcomesChart } from './outcomes-chart.tsx'
export { ReasonsChart } from './reasons-chart.tsx'
export { ResultsChart } from './results-chart.tsx'
