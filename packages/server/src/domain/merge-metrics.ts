/** The metrics of one process, or of one shard. */
export interface MetricsSource {
  /** In the text format of Prometheus. */
  readonly text: string
  /** Added to each sample; null to add none. */
  readonly shard: number | null
}

/** Merges metrics into one text, in which each metric has one description and the samples of all sources. */
export function mergeMetrics(sources: readonly MetricsSource[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>()
  for (const { text, shard } of sources) {
    for (const [name, { head, samples }] of familiesIn(text)) {
      const family = families.get(name) ?? { head, samples: [] }
      families.set(name, family)
      for (const sample of samples) family.samples.push(shard === null ? sample : labelled(sample, shard))
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head, ...samples])
  return lines.map(line => `${line}\n`).join('')
}

/** The description and the samples of each metric. A sample belongs to the description before it. */
function familiesIn(text: string): Map<string, { head: string[]; samples: string[] }> {
  const families = new Map<string, { head: string[]; samples: string[] }>()
  let current = ''
  const family = (): { head: string[]; samples: string[] } => {
    const known = families.get(current) ?? { head: [], samples: [] }
    families.set(current, known)
    return known
  }
  for (const line of text.split('\n')) {
    const described = /^# (?:HELP|TYPE) (\S+)/.exec(line)?.[1]
    if (described !== undefined) {
      current = described
      family().head.push(line)
    } else if (line.trim() !== '' && !line.startsWith('#')) {
      family().samples.push(line)
    }
  }
  return families
}

/** The name of a metric contains neither a brace nor a space. */
function labelled(sample: string, shard: number): string {
  const end = sample.search(/[{ ]/)
  const name = sample.slice(0, end)
  const rest = sample.slice(end)
  const label = `shard="${shard}"`
  if (!rest.startsWith('{')) return `${name}{${label}}${rest}`
  return rest.startsWith('{}') ? `${name}{${label}${rest.slice(1)}` : `${name}{${label},${rest.slice(1)}`
}
