// one chunk, which the numbers do not wait for
export { LatencyChart } from '../../charts/latency-chart.tsx'
export { ReasonsChart } from '../../charts/reasons-chart.tsx'
export { ResultsChart } from '../../charts/results-chart.tsx'
