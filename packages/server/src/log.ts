import { stdout } from 'node:process'
import { pino, type Logger } from 'pino'
import { PinoPretty } from 'pino-pretty'

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'isLevelEnabled'>

/**
 * Structured JSON lines on stdout, pretty on a terminal. Lines name ids, counts and codes; nobody hands a secret, an
 * address, a URL or a body to it, and of an error only what it says of itself is written.
 * @param process its number where several write to the same place
 */
export function createLog(level: string, process: number | null = null): Log {
  const options = {
    level,
    base: process === null ? null : { process },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  }
  return stdout.isTTY
    ? pino(options, PinoPretty({ colorize: true, translateTime: 'HH:MM:ss.l', sync: true }))
    : pino(options)
}

/** A driver's error carries the values of the statement in `detail`; only its code, message and stack are kept. */
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
