/** How a client for one language is made, compiled and used. */
export interface GeneratedClient {
  /** What openapi-generator is told besides document and folder. */
  readonly generate: readonly string[]
  /** Files beside the generated ones. */
  readonly files?: ReadonlyArray<{ readonly path: string; readonly text: string }>
  /** Run one after the other in the folder of the client. The last one prints the URL of the account's endpoint. */
  readonly commands: ReadonlyArray<readonly [command: string, ...args: string[]]>
}
