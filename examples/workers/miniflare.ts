import { requireTestProgram } from '../../tools/test-programs/test-programs.ts'

/** Starts a Worker in Miniflare, which runs it on workerd. */
export function startWorker(options: WorkerOptions): Worker {
  const { Miniflare } = requireTestProgram<{ Miniflare: new (options: object) => Worker }>('miniflare')
  return new Miniflare({ modules: true, compatibilityDate: '2026-01-01', ...options })
}

interface WorkerOptions {
  readonly script: string
  readonly bindings?: Readonly<Record<string, string>>
  readonly host?: string
  readonly port?: number
}

interface Worker {
  readonly ready: Promise<URL>
  dispatchFetch(url: string): Promise<Response>
  dispose(): Promise<void>
}
