import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A network namespace that stands for a machine with an address of its own. */
export interface Machine {
  name: string
  address: string
  /** The folder for its files. */
  folder: string
  /** Makes a folder in it that programs of the machine can write to. */
  makeFolder(name: string): void
  /** Starts a program as an ordinary user. Its output goes into a file of that name in the folder. */
  run(program: string, args: readonly string[], env?: Record<string, string>): ChildProcess
  /** The processes that run on it. */
  pids(): number[]
}

/** Three machines and this one, connected by a bridge, in the network that `docs/run/high-availability.md` uses. */
export interface Machines extends Disposable {
  all: readonly [Machine, Machine, Machine]
  /** Drops all packets from and to a machine. No connection is closed. */
  cutOff(machine: Machine): void
  /** Drops all packets between a machine and the two others. This machine still reaches all of them. */
  cutOffFromOthers(machine: Machine): void
  /** Undoes both. */
  reconnect(machine: Machine): void
}

const bridge = 'posthorn-ha'
const ordinaryUser = { uid: 65534, gid: 65534 }

export function startMachines(): Machines {
  // fails if another run has these machines
  ip('link', 'add', bridge, 'type', 'bridge')
  const parent = mkdtempSync(join(tmpdir(), 'posthorn-machines-'))
  chownSync(parent, ordinaryUser.uid, ordinaryUser.gid)
  const removal = `for name in db1 db2 db3; do
      ip netns pids posthorn-$name | xargs -r kill -s KILL
      ip link delete posthorn-$name; ip netns delete posthorn-$name
    done
    ip link delete ${bridge}; rm -rf ${parent}`
  // waits until its end of the pipe closes because the test run was killed
  const watchdog = spawn('sh', ['-c', `read -r _; ${removal}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watchdog.unref()
  ip('address', 'add', '198.51.100.1/24', 'dev', bridge)
  ip('link', 'set', bridge, 'up')
  const all = [
    startMachine('db1', '198.51.100.11', parent),
    startMachine('db2', '198.51.100.12', parent),
    startMachine('db3', '198.51.100.13', parent),
  ] as const
  return {
    all,
    cutOff: machine => ip('link', 'set', portOf(machine), 'nomaster'),
    cutOffFromOthers: machine => {
      for (const other of all.filter(one => one !== machine)) {
        misdirect(machine, other)
        misdirect(other, machine)
      }
    },
    reconnect: machine => {
      ip('link', 'set', portOf(machine), 'master', bridge)
      for (const one of all) inside(one, 'neighbour', 'flush', 'dev', 'eth0', 'nud', 'permanent')
    },
    [Symbol.dispose]: () => {
      watchdog.kill('SIGKILL')

      execFileSync('sh', ['-c', removal], { stdio: 'ignore' })
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

function startMachine(name: string, address: string, parent: string): Machine {
  const folder = join(parent, name)
  const makeFolder = (path: string): void => {
    mkdirSync(path, { recursive: true })
    chownSync(path, ordinaryUser.uid, ordinaryUser.gid)
  }
  makeFolder(folder)
  const machine: Machine = {
    name,
    address,
    folder,
    makeFolder: path => makeFolder(join(folder, path)),
    run: (program, args, env = {}) => {
      const output = openSync(join(folder, `${program.replace(/.*\//, '')}.log`), 'a')
      const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
      const child = spawn(
        'ip',
        ['netns', 'exec', `posthorn-${name}`, 'setpriv', ...user, '--', program, ...args],
        {
          stdio: ['ignore', output, output],
          cwd: folder,
          env: { PATH: process.env['PATH'], HOME: folder, LC_ALL: 'C.UTF-8', ...env },
        },
      )
      closeSync(output)
      return child
    },
    pids: () => {
      const printed = execFileSync('ip', ['netns', 'pids', `posthorn-${name}`], { encoding: 'utf8' })
      return printed.split('\n').filter(Boolean).map(Number)
    },
  }
  ip('netns', 'add', `posthorn-${name}`)
  ip('link', 'add', portOf(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `posthorn-${name}`)
  ip('link', 'set', portOf(machine), 'master', bridge, 'up')
  inside(machine, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) inside(machine, 'link', 'set', device, 'up')
  return machine
}

/** The machine's port at the bridge. */
function portOf({ name }: Machine): string {
  return `posthorn-${name}`
}

/** Makes `from` send its packets for `to` to a network card that does not exist. */
function misdirect(from: Machine, to: Machine): void {
  const nowhere = '02:00:00:00:00:01'
  inside(from, 'neighbour', 'replace', to.address, 'lladdr', nowhere, 'dev', 'eth0', 'nud', 'permanent')
}

function inside(machine: Machine, ...args: string[]): void {
  ip('-n', `posthorn-${machine.name}`, ...args)
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: 'pipe' })
}
