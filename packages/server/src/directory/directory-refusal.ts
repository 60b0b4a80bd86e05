/** Why a change of the directory or of a shard is refused. */
export type DirectoryRefusalCode =
  | 'not_shard_0'
  | 'code_taken'
  | 'shard_unknown'
  | 'shard_closed'
  | 'shard_in_use'
  | 'placement_unknown'
  | 'directory_changed'

/** A front or a command asked for a change that this database refuses. */
export class DirectoryRefusal extends Error {
  override readonly name = 'DirectoryRefusal'
  readonly code: DirectoryRefusalCode

  constructor(code: DirectoryRefusalCode, detail: string) {
    super(detail)
    this.code = code
  }
}
