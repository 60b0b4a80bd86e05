import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/until.ts'

/** A built image as a root file system. Disposing removes what was unpacked, not the image. */
export interface Unpacked extends Disposable {
  readonly folder: string
}

/** Unpacks an image of the local storage. */
export function unpackImage(name: string): Unpacked {
  const container = buildah('from', '--pull-never', name)
  return {
    folder: buildah('mount', container),
    [Symbol.dispose]: () => void buildah('rm', container),
  }
}

/** What an image says about itself and how it is started. */
export interface ImageConfig {
  readonly digest: string
  readonly bytes: number
  readonly user: string
  readonly env: readonly string[]
  readonly command: readonly string[]
  readonly volumes: readonly string[]
}

export function configOf(name: string): ImageConfig {
  const image = JSON.parse(buildah('inspect', '--type', 'image', name)) as {
    FromImageDigest: string
    OCIv1: {
      config: {
        User: string
        Env: string[]
        Entrypoint: string[]
        Cmd: string[]
        Volumes: Record<string, unknown>
      }
    }
  }
  const { User, Env, Entrypoint, Cmd, Volumes } = image.OCIv1.config
  const [listed] = JSON.parse(buildah('images', '--json', name)) as { size: string; digest: string }[]
  const [, number = '', unit = ''] = /^([\d.]+) (\w+)$/.exec(listed?.size ?? '') ?? []
  return {
    digest: listed?.digest ?? '',
    bytes: Number(number) * { KB: 1e3, MB: 1e6, GB: 1e9 }[unit as 'KB' | 'MB' | 'GB'],
    user: User,
    env: Env,
    command: [...Entrypoint, ...Cmd],
    volumes: Object.keys(Volumes),
  }
}

export interface Container extends AsyncDisposable {
  readonly url: string
  output(): string
  /** Runs a command inside and returns what it printed. */
  exec(...command: string[]): string
  /** Sends the signal to its first process, and waits for the exit code. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Runs the image's command with runc: its user, a read-only root, no capabilities, and one writable folder. */
export async function runContainer(
  { folder }: Unpacked,
  { user, env, command }: ImageConfig,
  volume: string,
  port: number,
): Promise<Container> {
  const [uid = 0, gid = 0] = user.split(':').map(Number)
  const bundle = mkdtempSync(join(tmpdir(), 'posthorn-bundle-'))
  mkdirSync(volume, { recursive: true, mode: 0o700 })
  chownSync(volume, uid, gid)
  const own = ['nosuid', 'nodev']
  const spec = {
    ociVersion: '1.0.2',
    root: { path: folder, readonly: true },
    process: {
      user: { uid, gid },
      args: command,
      env: [...env, `POSTHORN_PORT=${port}`, `POSTHORN_URL=http://127.0.0.1:${port}`],
      cwd: '/',
      noNewPrivileges: true,
      capabilities: {},
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
      { destination: '/data', type: 'bind', source: volume, options: ['bind', ...own] },
    ],
    // the host's network, so that tests reach it
    linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map(type => ({ type })) },
  }
  writeFileSync(join(bundle, 'config.json'), JSON.stringify(spec))
  const id = `posthorn-${randomBytes(4).toString('hex')}`
  const child = spawn('runc', ['run', '--bundle', bundle, id], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  const stop = async (signal: string): Promise<number | null> => {
    if (child.exitCode === null) spawnSync('runc', ['kill', id, signal])
    await ended
    rmSync(bundle, { recursive: true, force: true })
    return child.exitCode
  }
  const url = `http://127.0.0.1:${port}`
  await until('the container is ready', async () => {
    if (child.exitCode !== null) throw new Error(output)
    return (await fetch(`${url}/readyz`).catch(() => null))?.status === 200
  })
  return {
    url,
    output: () => output,
    exec: (...args) => execFileSync('runc', ['exec', id, ...args], { encoding: 'utf8', stdio: 'pipe' }),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  }
}

function buildah(...args: string[]): string {
  return execFileSync('buildah', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
