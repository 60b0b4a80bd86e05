import { styleText } from 'node:util'
import type { Arrival } from './receiver.ts'

type Style = Parameters<typeof styleText>[0]

const startedMs = performance.now()

/** The heading of one part of the demo. */
export function heading(text: string): void {
  print(`\n${paint('bold', text)}`)
}

export function line(text: string): void {
  print(`  ${text}`)
}

/** Something that the demo did. */
export function step(text: string): void {
  print(`  ${clock()}  ${paint('cyan', '▸')} ${text}`)
}

/** One verified event, as it arrives. */
export function arrival(receiver: string, one: Arrival, status: number): void {
  const acknowledged = status === 200
  const cells = [
    acknowledged ? paint('green', '✓') : paint('yellow', '↻'),
    receiver.padEnd(6),
    `#${one.sequence}`.padEnd(4),
    one.event.type.padEnd(18),
    (one.event.data.to[0] ?? '').padEnd(20),
    one.verifiedBy.join(', '),
    acknowledged ? '' : paint('yellow', `answered ${status}`),
    acknowledged && one.attempt === 1 ? '' : paint('yellow', `attempt ${one.attempt}`),
  ]
  print(`  ${clock()}  ${cells.filter(cell => cell !== '').join(' ')}`)
}

export function success(text: string): void {
  print(`  ${paint('green', '✓')} ${text}`)
}

export function failure(text: string): void {
  print(`  ${paint('red', '✗')} ${text}`)
}

export function secondsSinceStart(): string {
  return ((performance.now() - startedMs) / 1_000).toFixed(1)
}

function clock(): string {
  return paint('dim', `${secondsSinceStart().padStart(5)} s`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Adds color if the stream is a terminal and NO_COLOR is not set; styleText checks both. */
function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
}
