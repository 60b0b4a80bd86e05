import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canRun, hasProgram } from '../support/can-run.ts'

const patroniVersion = '4.1.5'

/** Whether the stories of this folder can run: they need Linux, root, and these programs. */
export function canRunCluster(): boolean {
  const missing = [
    ...(process.platform === 'linux' && process.getuid?.() === 0 ? [] : ['root on Linux']),
    ...(existsSync('/usr/lib/postgresql/15/bin/postgres') ? [] : ['postgresql-15']),
    ...Object.entries({ etcd: 'etcd-server', haproxy: 'haproxy', ip: 'iproute2' })
      .filter(([program]) => !hasProgram(program))
      .map(([, install]) => install),
    ...(findPatroni() === null ? ['patroni'] : []),
  ]
  return canRun('a database under Patroni', missing.length === 0, missing.join(', '))
}

/** The path of Patroni. If the machine has none, it is installed from PyPI once; null if that is impossible. */
export function findPatroni(): string | null {
  if (ordinaryUsersRun('patroni')) return 'patroni'
  const folder = join(tmpdir(), `posthorn-test-patroni-${patroniVersion}`)
  const program = join(folder, 'bin/patroni')
  try {
    if (!existsSync(program)) {
      // not the Python on the path, which may be in a folder of root
      execFileSync('/usr/bin/python3', ['-m', 'venv', folder], { stdio: 'pipe' })
      const packages = [`patroni[etcd3]==${patroniVersion}`, 'psycopg[binary]']
      execFileSync(join(folder, 'bin/pip'), ['install', '--quiet', ...packages], { stdio: 'pipe' })
    }
    return ordinaryUsersRun(program) ? program : null
  } catch {
    return null
  }
}

function ordinaryUsersRun(program: string): boolean {
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
  return spawnSync('setpriv', [...user, '--', 'env', program, '--version']).status === 0
}
