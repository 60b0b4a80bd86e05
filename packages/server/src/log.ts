import { stdout } from 'node:process'
import { type DestinationStream, type Logger, destination, multistream, pino } from 'pino'
import { PinoPretty } from 'pino-pretty'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'isLevelEnabled'>

/**
 * Writes JSON lines to stdout, formatted on a terminal. Lines contain ids, counts and codes, but never a secret, an
 * address, a URL or a body.
 * @param process the number of this process, if several write to the same output
 * @param also takes every line as well
 */
export function createLog(
  level: string,
  process: number | null = null,
  also: DestinationStream | null = null,
): Log {
  const options = {
    level,
    base: process === null ? null : { process },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  const pretty = stdout.isTTY ? PinoPretty({ colorize: true, translateTime: 'HH:MM:ss.l', sync: true }) : null
  if (also !== null) {
    const streams = [pretty ?? destination(1), also].map(stream => ({ level: 'trace' as const, stream }))
    return pino(options, multistream(streams))
  }
  return pretty === null ? pino(options) : pino(options, pretty)
}

/** Keeps only code, message and stack, because `detail` in a driver's error contains values of the statement. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  return {
    name: error.name,
    message: error.message,
    ...('code' in error && { code: error.code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  }
}
