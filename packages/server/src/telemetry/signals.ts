import { ConfigError, type Environment } from '../read-settings.ts'

/** What Posthorn exports to an OpenTelemetry collector. */
export interface Signals {
  readonly traces: boolean
  readonly metrics: boolean
  readonly logs: boolean
}

/**
 * Reads the standard variables of OpenTelemetry that decide what is exported. A signal is exported if it has an endpoint.
 * @returns null if nothing is
 * @throws ConfigError for what the SDK would ignore, or what this service cannot do
 */
export function readSignals(env: Environment): Signals | null {
  if (text(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null
  const signals = { traces: isOn(env, 'TRACES'), metrics: isOn(env, 'METRICS'), logs: isOn(env, 'LOGS') }
  return Object.values(signals).includes(true) ? signals : null
}

function isOn(env: Environment, signal: 'TRACES' | 'METRICS' | 'LOGS'): boolean {
  const own = `OTEL_EXPORTER_OTLP_${signal}`
  const name = text(env, `${own}_ENDPOINT`) === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : `${own}_ENDPOINT`
  const endpoint = text(env, name)
  const exporter = text(env, `OTEL_${signal}_EXPORTER`) ?? 'otlp'
  if (endpoint === undefined || exporter === 'none') return false
  if (exporter !== 'otlp') throw new ConfigError(`OTEL_${signal}_EXPORTER must be otlp or none`)
  // the value may contain a password, so the error does not show it
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new ConfigError(`${name} must be an http or https URL`)
  }
  const protocolName =
    text(env, `${own}_PROTOCOL`) === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : `${own}_PROTOCOL`
  if ((text(env, protocolName) ?? onlyProtocol) !== onlyProtocol) {
    throw new ConfigError(`${protocolName} must be ${onlyProtocol}: Posthorn has no other`)
  }
  return true
}

const onlyProtocol = 'http/protobuf'

/** An empty variable counts as unset, as OpenTelemetry demands. */
function text(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}
