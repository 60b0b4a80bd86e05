import { spawnSync } from 'node:child_process'
import type { AddressParts } from './address-grammar.ts'

const script = `
import json, sys
from email.headerregistry import Address
read = []
for text in json.load(sys.stdin):
    try:
        address = Address(addr_spec=text)
        read.append({'local': address.username, 'domain': address.domain})
    except Exception:
        read.append(None)
json.dump(read, sys.stdout)
`

/** Parses addresses with Python's `email`; null for each that it refuses. Null if Python 3 is not installed. */
export function readByPython(texts: readonly string[]): Array<AddressParts | null> | null {
  const { status, stdout } = spawnSync('python3', ['-c', script], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1_000_000_000,
  })
  return status === 0 ? (JSON.parse(stdout) as Array<AddressParts | null>) : null
}
