import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Queryable } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import type { DatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { startHaproxy } from './haproxy.ts'
import { type Machine, type Machines, startMachines } from './machines.ts'
import { findPatroni } from './programs.ts'
import { Recipe } from './recipe.ts'

/** A machine of the cluster as Patroni sees it. */
export interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  /** "running" for a leader, "streaming" for a standby that follows it. */
  state: string
  timeline: number
}

/** The cluster of `docs/run/high-availability.md`: etcd, Patroni and PostgreSQL on three machines, HAProxy on this one. */
export interface Cluster extends AsyncDisposable {
  machines: Machines
  /** Its database through HAProxy. */
  throughHaproxy: DatabasePlace
  /** Its database with all hosts in the URL. */
  listed: DatabasePlace
  members(): Promise<Member[]>
  /** The machine with the leader lock. */
  leader(): Promise<Machine>
  /** Waits until another machine than `old` takes writes. */
  waitForAnotherLeader(old: Machine): Promise<Machine>
  /** Waits until all machines are in the cluster and the two standbys follow the leader. */
  waitUntilWhole(): Promise<void>
  /** The ids of the events on one machine, as soon as it answers. */
  eventsOn(machine: Machine): Promise<Set<string>>
  /** Waits until each machine has this many events. */
  waitUntilAllStore(count: number): Promise<void>
  /** Asks Patroni for a switchover, as `patronictl` does. */
  switchOver(): Promise<void>
  /** Sends SIGKILL to Patroni, and to PostgreSQL too unless `postgres` is false. etcd stays. */
  kill(machine: Machine, options?: { postgres: boolean }): Promise<void>
  startPatroni(machine: Machine): void
  /** Runs statements on one machine. */
  on<T>(machine: Machine, work: (db: Queryable) => Promise<T>): Promise<T>
}

export async function startCluster(): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const machines = opened.use(startMachines())
  const [password, restPassword, replicationPassword] = newPasswords()
  const recipe = Recipe.read({
    RESTAPI_PASSWORD: restPassword,
    SUPERUSER_PASSWORD: password,
    REPLICATION_PASSWORD: replicationPassword,
  })
  const patroni = findPatroni()
  if (patroni === null) throw new Error('Patroni is missing')
  const agents = new Map<Machine, ChildProcess>()
  const etcds = new Map(machines.all.map(machine => [machine, startEtcd(machine, recipe)]))
  const startPatroni = (machine: Machine): void => {
    agents.set(machine, machine.run(patroni, [writePatroniFile(machine, recipe)]))
  }
  for (const machine of machines.all) startPatroni(machine)

  async function members(): Promise<Member[]> {
    // a machine that is cut off reports the state before
    for (const machine of machines.all) {
      const answer = await ask(machine, '/cluster')
      if (answer?.ok !== true) continue
      const { members: found } = (await answer.json()) as { members: Member[] }
      if ((await ask(machine, '/health'))?.ok === true) return found
    }
    return []
  }
  const isPrimary = async (machine: Machine): Promise<boolean> =>
    (await ask(machine, '/primary'))?.ok === true
  const waitForLeader = async (among: readonly Machine[]): Promise<Machine> =>
    await until('there is a leader', async () => {
      for (const machine of among) if (await isPrimary(machine)) return machine
      return undefined
    })
  const url = (hosts: string, database = 'posthorn', user = 'posthorn'): string =>
    `postgres://${user}:${password}@${hosts}/${database}`
  const on = async <T>(
    machine: Machine,
    work: (db: Queryable) => Promise<T>,
    database?: string,
  ): Promise<T> => {
    const at = url(machine.address, database, 'postgres')
    await using db = await openDatabase({ url: at, dataDir: '', connectionsMax: 1, onLost: () => {} })
    return await work(db)
  }
  const eventsOn = async (machine: Machine): Promise<Set<string>> => {
    const rows = await until(`${machine.name} answers`, async () => {
      const ids = on(machine, async db => await db.query<{ id: string }>('select id from event'))
      return await ids.catch(() => undefined)
    })
    return new Set(rows.map(({ id }) => id))
  }
  const waitUntilWhole = async (): Promise<void> => {
    await until('the leader has two standbys', async () => {
      const all = await members()
      const leader = all.find(one => one.role === 'leader')
      const following = all.filter(one => one.state === 'streaming' && one.timeline === leader?.timeline)
      return following.length === 2 && following.some(one => one.role === 'sync_standby')
    })
  }
  await waitUntilWhole()
  const first = await waitForLeader(machines.all)
  await on(first, async db => await db.query(`create role posthorn login password '${password}'`), 'postgres')
  await on(first, async db => await db.query('create database posthorn owner posthorn'), 'postgres')
  const haproxy = opened.use(await startHaproxy(recipe))
  await until('HAProxy leads only to the leader', async () => {
    // until its first checks, it believes in all three and takes turns
    const turns = Array.from(machines.all, async () => await isStandby(url(haproxy.address)))
    return (await Promise.all(turns)).every(answer => answer === false)
  })
  const dataDir = mkdtempSync(join(tmpdir(), 'posthorn-test-'))
  opened.defer(() => rmSync(dataDir, { recursive: true }))
  const place = (hosts: string): DatabasePlace => ({
    databaseUrl: url(hosts),
    dataDir,
    [Symbol.asyncDispose]: async () => {},
  })
  const all = opened.move()
  return {
    machines,
    throughHaproxy: place(haproxy.address),
    listed: place(machines.all.map(({ address }) => `${address}:5432`).join(',')),
    members,
    leader: async () => await waitForLeader(machines.all),
    waitForAnotherLeader: async old => await waitForLeader(machines.all.filter(one => one !== old)),
    waitUntilWhole,
    eventsOn,
    waitUntilAllStore: async count => {
      for (const machine of machines.all) {
        await until(
          `${machine.name} stores ${count} events`,
          async () => (await eventsOn(machine)).size === count,
        )
      }
    },
    switchOver: async () => {
      const leader = await waitForLeader(machines.all)
      const answer = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`patroni:${restPassword}`)}` },
        body: JSON.stringify({ leader: leader.name }),
      })
      if (!answer.ok) throw new Error(`the switchover failed with ${answer.status}: ${await answer.text()}`)
    },
    kill: async (machine, { postgres } = { postgres: true }) => {
      const agent = agents.get(machine)?.pid
      const etcd = etcds.get(machine)?.pid
      const victims = postgres
        ? machine.pids().filter(pid => pid !== etcd)
        : agent === undefined
          ? []
          : [agent]
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      await until('they are gone', () => !machine.pids().some(pid => victims.includes(pid)))
    },
    startPatroni,
    on,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

function newPasswords(): [string, string, string] {
  const one = (): string => randomBytes(12).toString('hex')
  return [one(), one(), one()]
}

function startEtcd(machine: Machine, recipe: Recipe): ChildProcess {
  const own = { THIS_NAME: machine.name, THIS_ADDRESS: machine.address, '/var/lib/etcd': machine.folder }
  const settings = recipe.variables('/etc/default/etcd', own)
  return machine.run('etcd', [], settings)
}

function writePatroniFile(machine: Machine, recipe: Recipe): string {
  const own = { THIS_NAME: machine.name, THIS_ADDRESS: machine.address }
  const folders = { '/var/lib/postgresql': machine.folder, '/var/run/postgresql': machine.folder }
  const path = join(machine.folder, 'patroni.yml')
  machine.makeFolder('15')
  writeFileSync(path, recipe.file('/etc/patroni/config.yml', { ...own, ...folders }))
  return path
}

/** Null means no answer. */
async function isStandby(at: string): Promise<boolean | null> {
  try {
    await using db = await openDatabase({ url: at, dataDir: '', connectionsMax: 1, onLost: () => {} })
    const [row] = await db.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return row?.standby ?? null
  } catch {
    return null
  }
}

/** Asks Patroni's REST API. Undefined means no answer. */
async function ask(machine: Machine, path: string): Promise<Response | undefined> {
  try {
    return await fetch(`http://${machine.address}:8008${path}`, { signal: AbortSignal.timeout(1_000) })
  } catch {
    return undefined
  }
}
