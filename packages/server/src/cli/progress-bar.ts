import type { WriteStream } from 'node:tty'

const width = 30

/** A bar that grows in place on a terminal; elsewhere, one line per 10 %. */
export function progressBar(stream: Pick<WriteStream, 'write'> & { isTTY?: boolean }, unit = '') {
  let tenths = -1
  return {
    show(done: number, total: number): void {
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const text = `${Math.floor(share * 100)} %  ${done} of ${total}${unit}`
      if (stream.isTTY === true) {
        const filled = Math.round(share * width)
        stream.write(`\r[${'█'.repeat(filled)}${'░'.repeat(width - filled)}]  ${text}\u001B[K`)
        return
      }
      if (Math.floor(share * 10) === tenths) return
      tenths = Math.floor(share * 10)
      stream.write(`${text}\n`)
    },
    end(): void {
      if (stream.isTTY === true) stream.write('\n')
    },
  }
}
