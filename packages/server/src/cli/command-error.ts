/** A command failed. The message is one line that says what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly code: string
  readonly exitCode: 1 | 2 = 1

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The command line itself is wrong. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'
  override readonly exitCode = 2

  constructor(message: string, options?: ErrorOptions) {
    super('usage', message, options)
  }
}
