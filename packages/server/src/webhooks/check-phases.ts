import type { EndpointCheck } from '@posthorn/contract'
import type { Exchange } from '../context.ts'

/** The phases of a check's only request, or of its second one with what took place in the first. */
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
