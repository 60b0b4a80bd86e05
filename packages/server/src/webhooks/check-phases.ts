import type { EndpointCheck } from '@posthorn/contract'
import type { Exchange } from '../context.ts'

/** The phases of the last request of a check. If it reused the connection, earlier phases come from the first request. */
export function phasesOf(last: Exchange, first: Exchange | null = null): EndpointCheck['phases'] {
  return {
    dns_ms: rounded(last.phases.dnsMs ?? first?.phases.dnsMs),
    connect_ms: rounded(last.phases.connectMs ?? first?.phases.connectMs),
    tls_ms: rounded(last.phases.tlsMs ?? first?.phases.tlsMs),
    first_byte_ms: rounded(last.phases.firstByteMs ?? first?.phases.firstByteMs),
  }
}

function rounded(ms: number | null | undefined): number | null {
  return ms === null || ms === undefined ? null : Math.round(ms * 100) / 100
}
