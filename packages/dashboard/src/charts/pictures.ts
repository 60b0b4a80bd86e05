// the overview's charts are one chunk, which its numbers do not wait for
export { LatencyChart } from './latency-chart.tsx'
export { ReasonsChart } from './reasons-chart.tsx'
export { ResultsChart } from './results-chart.tsx'
