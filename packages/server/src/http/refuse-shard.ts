import { validationFailed } from './field-errors.ts'

/** Refuses the number of a shard: this process serves one database. Only a front knows several, and it leaves the number out. */
export function refuseShard({ shard }: { readonly shard?: number | undefined }): void {
  if (shard === undefined) return
  throw validationFailed([{ path: '/shard', message: 'is only for requests to a front: omit it' }])
}
