import { type HrTime, ValueType } from '@opentelemetry/api'
import { millisToHrTime } from '@opentelemetry/core'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'

export interface CollectOptions extends Pick<CollectionResult['resourceMetrics'], 'resource'> {
  readonly scope: CollectionResult['resourceMetrics']['scopeMetrics'][number]['scope']
  readonly startedAtMs: number
  readonly nowMs: number
}

/** Reads all metrics of a Prometheus registry, with the same names and labels, so that each is defined once. */
export async function collectMetrics(
  registry: Registry,
  { resource, scope, startedAtMs, nowMs }: CollectOptions,
): Promise<CollectionResult> {
  const metrics: PromMetric[] = await registry.getMetricsAsJSON()
  const times = { startTime: millisToHrTime(startedAtMs), endTime: millisToHrTime(nowMs) }
  return {
    resourceMetrics: {
      resource,
      scopeMetrics: [{ scope, metrics: metrics.map(one => metricData(one, times)) }],
    },
    errors: [],
  }
}

type PromMetric = MetricObjectWithValues<MetricValueWithName<string>>

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function metricData({ name, help, type, values }: PromMetric, times: Times): MetricData {
  const about = {
    descriptor: {
      name,
      description: help,
      unit: name.endsWith('_seconds') ? 's' : '',
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // prom-client writes the type as text, and its types say that it is a number
  const kind = String(type)
  if (kind === 'histogram') {
    return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: [histogramPoint(values, times)] }
  }
  const dataPoints = values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }))
  return kind === 'counter'
    ? { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...about, dataPointType: DataPointType.GAUGE, dataPoints }
}

type HistogramPoint = Extract<MetricData, { dataPointType: DataPointType.HISTOGRAM }>['dataPoints'][number]

/** Prometheus counts in each bucket what is in the smaller ones too. Posthorn's histograms have no labels. */
function histogramPoint(values: readonly MetricValueWithName<string>[], times: Times): HistogramPoint {
  const buckets = values.filter(({ metricName }) => metricName?.endsWith('_bucket'))
  const valueOf = (suffix: string): number =>
    values.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0
  return {
    ...times,
    attributes: {},
    value: {
      buckets: {
        boundaries: buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite),
        counts: buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0)),
      },
      sum: valueOf('_sum'),
      count: valueOf('_count'),
    },
  }
}
