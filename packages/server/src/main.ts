import { setFlagsFromString } from 'node:v8'
import { runCommandLine } from './cli/run-command-line.ts'

// After a burst, V8 wrongly allocates short-lived objects in the old generation, which makes garbage collection pauses
// much longer.
setFlagsFromString('--no-allocation-site-pretenuring')
// By default, V8 lets the heap triple before it collects the old generation. Doubling saves memory and costs little CPU.
setFlagsFromString('--heap-growing-percent=100')

process.exitCode = await runCommandLine(process.argv.slice(2))
